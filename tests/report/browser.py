"""Chromium without a window, driven over the DevTools protocol through a pair of pipes (--remote-debugging-pipe): messages are JSON, each ended by NUL.

Only what the tests of reports need. Exits 77 where there is no Chromium.
"""
import base64
import json
import os
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ANSWER_S = 120


class Failed(Exception):
    pass


def find():
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    print("no Chromium here: " + ", ".join(NAMES))
    sys.exit(77)


class Browser:
    """One browser with one page. events holds every message that is no answer, in order."""

    def __init__(self):
        self.home = tempfile.TemporaryDirectory()
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()
        arguments = [find(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
                     "--remote-debugging-pipe", "--user-data-dir=" + self.home.name, "about:blank"]

        def pipes():  # the protocol reads 3 and writes 4; first out of each other's way
            read, write = os.dup2(to_read, 10), os.dup2(from_write, 11)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=pipes, close_fds=False,
                                        env={"HOME": self.home.name, "PATH": os.environ["PATH"], "LC_ALL": "C"})
        os.close(to_read)
        os.close(from_write)
        self.buffer = b""
        self.number = 0
        self.events = []
        self.session = None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(domain + ".enable")

    def close(self):
        os.close(self.to_write)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.from_read)
        self.home.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def message(self, until):
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.from_read], [], [], left)[0]:
                raise Failed("the browser does not answer")
            more = os.read(self.from_read, 1 << 20)
            if not more:
                raise Failed("the browser has gone")
            self.buffer += more
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.to_write, data):]
        until = time.monotonic() + ANSWER_S
        while True:
            got = self.message(until)
            if got.get("id") == self.number:
                if "error" in got:
                    raise Failed("%s: %s" % (method, got["error"]["message"]))
                return got["result"]
            self.events.append(got)

    def wait(self, method):
        until = time.monotonic() + ANSWER_S
        while not any(event["method"] == method for event in self.events):
            self.events.append(self.message(until))

    def open(self, path, width=None, height=None):
        """Load a file, anew even if it is there, on a screen of that size; what was seen of earlier pages is forgotten."""
        self.events = []
        self.call("Page.navigate", url="about:blank")
        self.wait("Page.loadEventFired")
        if width is not None:
            self.size(width, height)
        self.events = []
        self.call("Page.navigate", url="file://" + os.path.abspath(path.split("#")[0]) + ("#" + path.split("#")[1] if "#" in path else ""))
        self.wait("Page.loadEventFired")

    def script(self, on):
        self.call("Emulation.setScriptExecutionDisabled", value=not on)

    def size(self, width, height, dark=False, paper=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media="print" if paper else "screen", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def do(self, expression):
        """The value of a JavaScript expression, or of the promise that it is."""
        got = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise Failed(got["exceptionDetails"].get("exception", {}).get("description", str(got["exceptionDetails"])))
        return got["result"].get("value")

    def until(self, expression):
        """Wait for what becomes true in the page; fail if it does not."""
        limit = time.monotonic() + ANSWER_S
        while not self.do(expression):
            if time.monotonic() > limit:
                raise Failed("this does not come true: " + expression)
            time.sleep(0.02)

    def key(self, key, code=None, text=None):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, windowsVirtualKeyCode={"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}.get(key, 0),
                      **({"text": text} if text and kind == "keyDown" else {}))

    def click(self, selector):
        """A click of the mouse in the middle of the first element that fits."""
        at = self.do("""(() => { const e = document.querySelector(%s); e.scrollIntoView({block: "center", inline: "center"}); const r = e.getBoundingClientRect();
            return [r.left + r.width / 2, r.top + r.height / 2]; })()""" % json.dumps(selector))
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1)

    def picture(self, path, full=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=full)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def pixels(self, x, y, width, height):
        """Rows of (red, green, blue) of a part of the screen."""
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png", clip={"x": x + self.do("scrollX"), "y": y + self.do("scrollY"), "width": width, "height": height, "scale": 1})["data"])
        packed, at = b"", 8
        while at < len(data):  # PNG (W3C, third edition), sections 5.3 and 9.2
            size, kind = struct.unpack(">I4s", data[at:at + 8])
            if kind == b"IHDR":
                width, height, channels = *struct.unpack(">II", data[at + 8:at + 16]), {2: 3, 6: 4}[data[at + 17]]
            packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
            at += 12 + size
        raw, rows, above = zlib.decompress(packed), [], bytearray(width * channels)
        for start in range(0, len(raw), width * channels + 1):
            row = bytearray(raw[start + 1:start + 1 + width * channels])
            for i in range(len(row)):
                left, up, corner = (row[i - channels], above[i], above[i - channels]) if i >= channels else (0, above[i], 0)
                guess = left + up - corner
                paeth = min((left, up, corner), key=lambda one: abs(guess - one))
                row[i] = (row[i] + (0, left, up, (left + up) // 2, paeth)[raw[start]]) & 255
            rows.append([tuple(row[i:i + 3]) for i in range(0, len(row), channels)])
            above = row
        return rows

    def paper(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"]))

    def complaints(self):
        """What the page was complained of, and what it asked for besides itself."""
        found = []
        for event in self.events:
            method, parameters = event["method"], event["params"]
            if method == "Runtime.consoleAPICalled":
                found.append("console: " + " ".join(str(argument.get("value", argument.get("description"))) for argument in parameters["args"]))
            elif method == "Runtime.exceptionThrown":
                found.append("exception: " + parameters["exceptionDetails"].get("exception", {}).get("description", "?"))
            elif method == "Log.entryAdded":
                found.append("log: " + parameters["entry"]["text"])
            elif method == "Network.requestWillBeSent" and parameters["type"] != "Document":
                found.append("request: " + parameters["request"]["url"][:200])
        return found + ["a second document" for _ in range(sum(event["method"] == "Network.requestWillBeSent" and event["params"]["type"] == "Document" for event in self.events) - 1)]
