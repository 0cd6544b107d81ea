#include "learn/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"

bool claim_take(Claim *claim, const char *folder, Error *error) {
    *claim = (Claim){.folder = folder, .file = -1, .made = !file_exists(folder)};
    if (!file_make_folder(folder, error)) return false;
    claim->file = file_open(folder, O_DIRECTORY);
    if (claim->file < 0)
        return fail(error, "cannot open the folder %s: %s", folder,
                    error_reason(errno));
    if (flock(claim->file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
    close(claim->file);
    claim->file = -1;
    return fail(error,
                "%s: another training is at work in this folder: wait until it ends, "
                "or choose another output",
                folder);
}

void claim_end(Claim *claim) {
    if (claim->file < 0) return;
    if (claim->made) file_remove(claim->folder, true);
    close(claim->file);
    claim->file = -1;
}
