"""Control a headless Chromium through two pipes (--remote-debugging-pipe), without network or
ports. For tests of pages, and for looking at them."""

import base64
import fcntl
import json
import os
import shutil
import subprocess
import tempfile

PROGRAM = shutil.which("chromium")


def above(pipe):
    """Move the pipes away from descriptors 3 and 4."""
    ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20) for end in pipe]
    for end in pipe:
        os.close(end)
    return ends


class Browser:
    """Opens one page after the other; `errors` collects the errors of scripts and the console."""

    def __init__(self, width=1280, height=900, dark=False):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        asked, ask = above(os.pipe())
        tell, told = above(os.pipe())
        # The browser reads commands from descriptor 3 and answers on 4.
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", f'exec "$@" 3<&{asked} 4>&{told} {asked}<&- {told}>&-', "bash",
             PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--disable-dev-shm-usage", f"--user-data-dir={self.profile.name}", "about:blank"],
            pass_fds=(asked, told), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(asked)
        os.close(told)
        self.ask, self.tell = os.fdopen(ask, "wb"), os.fdopen(tell, "rb")
        self.number, self.rest, self.errors, self.seen, self.session = 0, b"", [], [], None
        pages = self.call("Target.getTargets")["targetInfos"]
        page = next(page["targetId"] for page in pages if page["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page,
                                 flatten=True)["sessionId"]
        for part in ("Page", "Runtime", "Log"):
            self.call(part + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.media(dark)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = None
        self.call("Browser.close")
        self.process.wait()
        self.ask.close()
        self.tell.close()
        self.profile.cleanup()

    def media(self, dark, kind=""):
        self.call("Emulation.setEmulatedMedia", media=kind, features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def read(self):
        while b"\0" not in self.rest:
            bytes_read = os.read(self.tell.fileno(), 1 << 16)
            assert bytes_read, "the browser is gone"
            self.rest += bytes_read
        line, _, self.rest = self.rest.partition(b"\0")
        said = json.loads(line)
        if said.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
            self.errors.append(json.dumps(said["params"]))
        if "method" in said:
            self.seen.append(said["method"])
        return said

    def call(self, method, **arguments):
        self.number += 1
        asked = {"id": self.number, "method": method, "params": arguments}
        if self.session:
            asked["sessionId"] = self.session
        self.ask.write(json.dumps(asked).encode() + b"\0")
        self.ask.flush()
        while (said := self.read()).get("id") != self.number:
            pass
        assert "error" not in said, said
        return said["result"]

    def open(self, path):
        self.seen.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while "Page.loadEventFired" not in self.seen:
            self.read()

    def value(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode={"Tab": 9, "ArrowRight": 39, "ArrowDown": 40,
                                             "Escape": 27}.get(key, 0))

    def point(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def picture(self, path, **options):
        data = self.call("Page.captureScreenshot", format="png", **options)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
