"""Headless Chromium over the pipe of its DevTools protocol, with tabs that are driven; and the program that serves the page."""
import base64, fcntl, json, os, pathlib, select, shutil, subprocess, tempfile, time

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    def __init__(self, *more):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        self.reading, self.writing, self.rest, self.number, self.events = ours_in, ours_out, b"", 0, []
        # The program reads from its descriptor 3 and writes to 4, whatever ours are called.
        high_in, high_out = (fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (theirs_in, theirs_out))
        command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                   "--disable-background-networking", "--no-first-run", "--disable-dev-shm-usage", *more,
                   "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", "about:blank"]
        self.process = subprocess.Popen(
            command, pass_fds=(3, 4), preexec_fn=lambda: (os.dup2(high_in, 3), os.dup2(high_out, 4)),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (theirs_in, theirs_out, high_in, high_out):
            os.close(end)

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()

    def message(self, deadline):
        while b"\0" not in self.rest:
            if not select.select([self.reading], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.reading, 1 << 20)
            if not piece:
                raise EOFError("the browser has ended")
            self.rest += piece
        text, _, self.rest = self.rest.partition(b"\0")
        return json.loads(text)

    def call(self, method, session=None, **members):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": members}
        if session:
            message["sessionId"] = session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + 30
        while True:
            answer = self.message(deadline)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def tab(self, url="about:blank", context=None):
        more = {"browserContextId": context} if context else {}
        target = self.call("Target.createTarget", url="about:blank", **more)["targetId"]
        return Tab(self, target, self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"], url)

    def context(self):
        return self.call("Target.createBrowserContext")["browserContextId"]


class Tab:
    CODES = {"Escape": 27, "Enter": 13, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}

    def __init__(self, browser, target, session, url):
        self.browser, self.target, self.session = browser, target, session
        for domain in ("Page", "Runtime", "Log", "Audits"):
            self.call(domain + ".enable")
        self.size(1280, 720)
        if url != "about:blank":
            self.open(url)

    def call(self, method, **members):
        return self.browser.call(method, self.session, **members)

    def open(self, url):
        self.call("Page.navigate", url=url)

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def ask(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails'].get('exception', answer['exceptionDetails'])}")
        return answer["result"].get("value")

    def until(self, expression, limit=15):
        """Waits in the page itself until `expression` holds; says whether it came to that."""
        return self.ask(f"""new Promise((done) => {{
            const look = () => {{ let held = false; try {{ held = Boolean({expression}); }} catch {{}} if (held) {{ end(true); }} }};
            const end = (value) => {{ watch.disconnect(); clearInterval(beat); clearTimeout(late); done(value); }};
            const watch = new MutationObserver(look), beat = setInterval(look, 200), late = setTimeout(() => end(false), {limit * 1000});
            watch.observe(document, {{ subtree: true, childList: true, attributes: true, characterData: true }});
            look();
        }})""")

    def click(self, selector):
        self.ask(f"document.querySelector({json.dumps(selector)}).click()")

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            more = {"text": key} if kind == "keyDown" and len(key) == 1 else {}
            if key in self.CODES:
                more["windowsVirtualKeyCode"] = self.CODES[key]
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **more)

    def size(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 600)

    def dark(self, is_dark=True):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}])

    def picture(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def problems(self):
        """Errors of the console and of the page's policy, and dialogs."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            members = event.get("params", {})
            match event.get("method"):
                case "Page.javascriptDialogOpening": found.append("dialog: " + members["message"])
                case "Log.entryAdded": found.append(members["entry"]["text"])
                case "Runtime.exceptionThrown":
                    found.append(str(members["exceptionDetails"].get("exception", members["exceptionDetails"])))
                case "Runtime.consoleAPICalled": found.append(str(members["args"]))
                case "Audits.issueAdded" if members["issue"]["code"] == "ContentSecurityPolicyIssue":
                    found.append("policy: " + json.dumps(members["issue"]["details"])[:300])
        return found


class Server:
    """bench-page-demo, until `close`."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, bufsize=0)
        self.tokens, self.addresses, self.lines, self.rest = {}, [], [], b""
        self.wait("ready")

    @property
    def address(self):
        return self.addresses[0]

    @property
    def port(self):
        return int(self.address.rstrip("/").rsplit(":", 1)[1])

    def wait(self, beginning, limit=20):
        """The next line that begins so."""
        deadline = time.monotonic() + limit
        while True:
            while b"\n" in self.rest:
                line, _, self.rest = self.rest.partition(b"\n")
                text = line.decode()
                self.lines.append(text)
                words = text.split(" ")
                if words[0] == "token":
                    self.tokens[words[1]] = words[2]
                if words[0] == "address":
                    self.addresses.append(words[1])
                if text.startswith(beginning):
                    return text
            if not select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError(f"no line '{beginning}' came; there were {self.lines[-5:]}")
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            if not piece:
                raise EOFError("the program has ended: " + self.process.stderr.read().decode())
            self.rest += piece

    def tell(self, line):
        self.process.stdin.write(line.encode() + b"\n")

    def token(self, role):
        self.tell("token " + role)
        return self.wait("token " + role).split(" ")[2]

    def close(self):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()
