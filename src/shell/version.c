#include "shell/version.h"

const char *const glassbox_version = "0.1";
