/* snapshot_file.h - how the file is laid out that holds what was kept of a training. */
#pragma once

/* It lies in the folder of the model; in front of an address stands "step 20."; its
 * notes hold the ids of the sentence, as "5,7,2". */
#define SNAPSHOT_FILE "snapshots.safetensors"
#define SNAPSHOT_NAME "step "
#define SNAPSHOT_SOURCE "source_ids"
#define SNAPSHOT_TARGET "target_ids"
