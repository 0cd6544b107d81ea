"""What `make deps` does if packages are missing, with stubs for the programs that it
calls and that would change the system: each logs its calls."""

import os
import subprocess
import tempfile

from program import PATIENCE

BASE = ["sh", "make", "sed", "tr", "env", "true", "cat"]


def deps(installed, user, sudo, has_dpkg=True):
    """Return the status of `make deps`, its output, and the calls of apt-get."""
    with tempfile.TemporaryDirectory() as folder:
        log = f"{folder}/calls"

        def stand_in(name, text):
            with open(f"{folder}/{name}", "w") as file:
                file.write(f"#!/bin/sh\n{text}\n")
            os.chmod(f"{folder}/{name}", 0o755)

        for name in BASE:
            for place in ("/usr/bin", "/bin"):
                if os.path.exists(f"{place}/{name}") and not os.path.exists(f"{folder}/{name}"):
                    os.symlink(f"{place}/{name}", f"{folder}/{name}")
        if has_dpkg:
            stand_in("dpkg-query", "\n".join(
                f"echo '{name} install ok installed'" for name in installed))
            stand_in("apt-get", f'echo "apt-get $*" >> {log}')
        stand_in("id", f"echo {user}")
        if sudo:
            # `sudo -n` runs the command, or fails if it would ask for a password.
            stand_in("sudo", f'echo sudo >> {log}; shift; '
                             + ('exec "$@"' if sudo == "free" else "exit 1"))
        run = subprocess.run(["make", "-s", "deps", "PACKAGES=gcc pango-dev gcc-doc"],
                             env={"PATH": folder}, capture_output=True, text=True, timeout=PATIENCE)
        calls = open(log).read().splitlines() if os.path.exists(log) else []
        return run.returncode, run.stdout + run.stderr, calls


ALL = ["gcc", "pango-dev", "gcc-doc"]
INSTALLS = "apt-get install -y -qq --no-install-recommends pango-dev gcc-doc"
COMMAND = "apt-get install --no-install-recommends pango-dev gcc-doc"

# installed, user, sudo -> fails, output, the last call
for installed, user, sudo, fails, said, last in (
        (ALL, 1000, None, False, "", None),
        (ALL, 0, None, False, "", None),
        (["gcc"], 1000, None, True, COMMAND, None),
        (["gcc"], 1000, "asks", True, COMMAND, "sudo"),
        (["gcc"], 1000, "free", False, "are installed now, by apt-get: pango-dev gcc-doc", INSTALLS),
        (["gcc"], 0, None, False, "are installed now, by apt-get: pango-dev gcc-doc", INSTALLS),
):
    case = f"installed {installed}, user {user}, sudo {sudo}"
    status, text, calls = deps(installed, user, sudo)
    assert (status != 0) == fails, f"{case}: status {status}\n{text}"
    assert said in text and bool(said) == bool(text), f"{case}: it said\n{text}"
    assert ("nothing was changed" in text) == fails, f"{case}: it said\n{text}"
    assert (calls[-1] if calls else None) == last, f"{case}: it called {calls}"
    if fails:
        assert not any("apt-get" in call for call in calls), f"{case}: it called {calls}"

status, text, calls = deps([], 1000, None, has_dpkg=False)
assert status == 0 and not calls and "gcc pango-dev gcc-doc" in text, text
print("packages: in order")
