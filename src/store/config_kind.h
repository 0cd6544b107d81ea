/* config_kind.h - the kinds of values that an option can have. */
#pragma once

#include "store/config.h"

extern const ConfigKind config_count;  /* int, within least and most */
extern const ConfigKind config_number; /* double, within least and most */
extern const ConfigKind config_truth;  /* bool */
extern const ConfigKind config_choice; /* int: an index of choices */
extern const ConfigKind config_set_of; /* int: bit i for choices[i] */
extern const ConfigKind config_text;   /* const char * */
extern const ConfigKind config_labels; /* Config.labels and label_count */
