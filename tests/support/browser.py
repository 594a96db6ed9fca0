"""A headless Chromium that a test drives through the DevTools protocol. It needs the Debian package
chromium; without it tests are skipped."""
import base64
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import urllib.request

from engine import SECONDS, fail, skip
from websocket import WebSocket

KEYS = {"ArrowDown": 40, "ArrowUp": 38, "ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, "Enter": 13, "Escape": 27,
        "PageDown": 34, "F5": 116, "F10": 121}


class Browser:
    """One page. Errors on its console are kept."""

    def __init__(self):
        program = shutil.which("chromium")
        if program is None:
            skip("chromium is not installed: tools/setup chromium")
        self.folder = tempfile.mkdtemp(prefix="bohr-browser-")
        self.log = open(pathlib.Path(self.folder) / "log", "w+")
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--hide-scrollbars", f"--user-data-dir={self.folder}/profile", "--remote-debugging-port=0",
             "--remote-allow-origins=*", "--window-size=1400,900", "about:blank"],
            stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL, start_new_session=True)
        port = self.wait_for_port()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list") as answer:
            page = next(target for target in json.load(answer) if target["type"] == "page")
        self.socket = WebSocket(port, f"/devtools/page/{page['id']}", SECONDS)
        self.number, self.errors, self.requests, self.events = 0, [], [], []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def wait_for_port(self):
        for _ in range(SECONDS * 10):
            text = pathlib.Path(self.log.name).read_text()
            found = re.search(r"DevTools listening on ws://127.0.0.1:(\d+)/", text)
            if found:
                return int(found.group(1))
            if self.process.poll() is not None:
                fail("the browser does not start", output=text)
            time.sleep(0.1)
        fail("the browser does not start", output=pathlib.Path(self.log.name).read_text())

    def take_event(self, message):
        method, about = message["method"], message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(part.get("value")) for part in about["args"]))
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.errors.append(about["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])
        self.events.append(method)

    def call(self, method, **about):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": about}))
        while True:
            message = json.loads(self.socket.message())
            if message.get("id") == self.number:
                if "error" in message:
                    fail("the browser refuses", method=method, said=message["error"])
                return message["result"]
            if "method" in message:
                self.take_event(message)

    def open(self, path, fragment=""):
        self.events.clear()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri() + fragment)
        for _ in range(SECONDS * 20):
            if self.value("document.readyState") == "complete" and self.value("location.protocol") == "file:":
                return
            time.sleep(0.05)
        fail("a page does not load", page=path)

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            fail("a script fails", script=expression, said=result["exceptionDetails"])
        return result["result"].get("value")

    def settle(self):
        """Waits until what was asked for is drawn."""
        self.value("new Promise(done => requestAnimationFrame(done))")

    def key(self, name, shift=False):
        text = name if len(name) == 1 else ""
        about = {"key": name, "modifiers": 8 if shift else 0, "windowsVirtualKeyCode": KEYS.get(name, ord(name[0].upper()))}
        if name in KEYS:
            about["code"] = name
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **about)
        self.call("Input.dispatchKeyEvent", type="keyUp", **about)
        self.settle()

    def type(self, text):
        for letter in text:
            self.key(letter)

    def dark(self, on):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if on else "light"}])
        self.settle()

    def picture(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def paper(self, path=None):
        pages = base64.b64decode(self.call("Page.printToPDF")["data"])
        if path is not None:
            pathlib.Path(path).write_bytes(pages)
        return pages

    def close(self):
        try:
            self.call("Browser.close")
            self.process.wait(SECONDS)
        finally:
            if self.process.poll() is None:
                self.process.kill()
            self.socket.close()
            self.log.close()
            shutil.rmtree(self.folder, ignore_errors=True)
