#include "player/version.h"

const char *const glassbox_version = "0.1";
