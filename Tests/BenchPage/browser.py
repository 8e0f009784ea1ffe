"""Headless Chromium over the pipe of its DevTools protocol, with tabs under remote control."""
import base64, fcntl, json, os, pathlib, select, shutil, subprocess, tempfile, time

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PAGE = os.environ.get("BENCH_PAGE")
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}


class Browser:
    def __init__(self, *more):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        self.reading, self.writing, self.rest, self.number, self.events = ours_in, ours_out, b"", 0, []
        # The program reads from its descriptor 3 and writes to 4, whatever the numbers of ours.
        high_in, high_out = (fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (theirs_in, theirs_out))
        command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                   "--disable-background-networking", "--disable-features=LocalNetworkAccessChecks", "--no-first-run", "--disable-dev-shm-usage", *more,
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
            if answer.get("method") == "Fetch.requestPaused":
                self.replace(answer)
            self.events.append(answer)

    def replace(self, paused):
        """Serves a file of the page from disk, under the server's own headers, also one that the server does not have."""
        members = paused["params"]
        name = members["request"]["url"].split("?")[0].rsplit("/", 1)[1] or "page.html"
        body = (pathlib.Path(PAGE) / name).read_bytes()
        headers = [h for h in members.get("responseHeaders", []) if h["name"].lower() not in ("content-length", "content-type")]
        headers.append({"name": "Content-Type", "value": TYPES[pathlib.Path(name).suffix] + "; charset=utf-8"})
        self.number += 1
        os.write(self.writing, json.dumps({
            "id": self.number, "method": "Fetch.fulfillRequest", "sessionId": paused["sessionId"],
            "params": {"requestId": members["requestId"], "responseCode": 200,
                       "responseHeaders": headers, "body": base64.b64encode(body).decode()}}).encode() + b"\0")

    def tab(self, url="about:blank", context=None):
        more = {"browserContextId": context} if context else {}
        target = self.call("Target.createTarget", url="about:blank", **more)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Tab(self, target, session, context, url)

    def context(self):
        return self.call("Target.createBrowserContext")["browserContextId"]


class Tab:
    CODES = {"Escape": 27, "Enter": 13, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}

    def __init__(self, browser, target, session, context, url):
        self.browser, self.target, self.session, self.context = browser, target, session, context
        for domain in ("Page", "Runtime", "Log", "Audits"):
            self.call(domain + ".enable")
        if PAGE:
            self.call("Fetch.enable", patterns=[{"urlPattern": "http://*/" + name, "requestStage": "Response"}
                                                for name in ("", *os.listdir(PAGE))])
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
        """Waits in the page itself until `expression` holds; returns whether it did."""
        return self.ask(f"""new Promise((done) => {{
            const look = () => {{ let held = false; try {{ held = Boolean({expression}); }} catch {{}} if (held) {{ end(true); }} }};
            const end = (value) => {{ watch.disconnect(); clearInterval(beat); clearTimeout(late); done(value); }};
            const watch = new MutationObserver(look), beat = setInterval(look, 200), late = setTimeout(() => end(false), {limit * 1000});
            watch.observe(document, {{ subtree: true, childList: true, attributes: true, characterData: true }});
            look();
        }})""")

    def click(self, selector, between=lambda: None):
        """Presses the mouse button there, runs what is to happen in between, and releases it."""
        place = self.ask(f"""(() => {{
            const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{ block: "nearest", behavior: "instant" }});
            const r = e.getBoundingClientRect(); return r.width && {{ x: r.left + r.width / 2, y: r.top + r.height / 2 }};
        }})()""")
        if not place:
            raise RuntimeError(f"{selector} is not seen")
        mouse = lambda kind, **more: self.call("Input.dispatchMouseEvent", type=kind, **place, **more)
        mouse("mouseMoved")
        mouse("mousePressed", button="left", buttons=1, clickCount=1)
        between()
        mouse("mouseReleased", button="left", clickCount=1)

    def key(self, key, repeats=0):
        """Presses a key; with `repeats` holds it down for so many repetitions."""
        more = {"windowsVirtualKeyCode": self.CODES[key]} if key in self.CODES else {}
        text = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
        for turn in range(1 + repeats):
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key, autoRepeat=turn > 0, **text, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, **more)

    def size(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 600)

    def prefer(self, **preferences):
        """Media features of the user, as `prefers_color_scheme="dark"`."""
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in preferences.items()])

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
