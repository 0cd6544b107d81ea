/* leftovers.h - half-written files that a killed training left in its folder. */
#pragma once

/* Remove the temporary files of base/file.h that stand beside the files a training
 * writes. What cannot be removed stays. */
void leftovers_remove(const char *folder);
