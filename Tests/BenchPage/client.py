"""Requests to the server without a browser: one request, and a stream of events."""
import contextlib, http.client, itertools, json, socket, ssl, subprocess, tempfile, time
from facts import hold

KEYS = itertools.count()


class Client:
    """A client that sends requests as a browser of this origin would."""

    def __init__(self, server, role=None, tls=None):
        self.server, self.tls, self.cookie, self.csrf = server, tls, None, None
        if role:
            self.sign_in(role)

    def sign_in(self, role):
        status, headers, body = self.post("/session", {"token": self.server.token(role)})
        hold(status == 200, "sign-in", status, body)
        self.cookie, self.csrf = headers["Set-Cookie"].split(";")[0], body["csrf"]

    def ask(self, method, path, body=None, more={}, without=()):
        if self.tls:
            connection = http.client.HTTPSConnection("127.0.0.1", self.server.port, timeout=20, context=self.tls)
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        headers = {"Host": f"127.0.0.1:{self.server.port}"}
        if self.cookie:
            headers["Cookie"] = self.cookie
        if method == "POST":
            headers |= {"Content-Type": "application/json", "Origin": f"http{'s' if self.tls else ''}://127.0.0.1:{self.server.port}",
                        "Sec-Fetch-Site": "same-origin", "Idempotency-Key": f"key-of-test-{next(KEYS)}"}
            if self.csrf:
                headers["X-CSRF-Token"] = self.csrf
        headers |= more
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            if name not in without:
                connection.putheader(name, value)
        data = json.dumps(body).encode() if isinstance(body, dict) else body
        if data is not None:
            connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        is_json = text and answer.headers.get("Content-Type", "").startswith("application/json")
        return answer.status, answer.headers, json.loads(text) if is_json else text

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def post(self, path, body, **more):
        return self.ask("POST", path, body, **more)

    def head(self, method, path, more=""):
        """The head of a request, as bytes for a socket."""
        host = f"127.0.0.1:{self.server.port}"
        own = f"Origin: http://{host}\r\nContent-Type: application/json\r\n" if method == "POST" else ""
        own += f"X-CSRF-Token: {self.csrf}\r\n" if self.csrf and method == "POST" else ""
        own += f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{own}{more}\r\n".encode()

    def stream(self, after=None, buffer=None, query="", segment=None):
        """A socket at the beginning of a stream's body."""
        plug = socket.socket()
        if segment:
            plug.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, segment)
        if buffer:
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        plug.settimeout(20)
        plug.connect(("127.0.0.1", self.server.port))
        plug.sendall(self.head("GET", "/events" + query, f"Last-Event-ID: {after}\r\n" if after else ""))
        return plug


@contextlib.contextmanager
def certificate(key="ec"):
    """A certificate and its key for this machine, and a context that trusts it."""
    with tempfile.TemporaryDirectory() as folder:
        files = [f"{folder}/certificate.pem", f"{folder}/key.pem"]
        subprocess.run(["openssl", "req", "-x509", "-newkey", key, *(["-pkeyopt", "ec_paramgen_curve:P-256"] if key == "ec" else []), "-nodes", "-days", "2",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", files[0], "-keyout", files[1]],
                       check=True, capture_output=True)
        yield files, ssl.create_default_context(cafile=files[0])


class Events:
    """Events of a stream, read as they come."""

    def __init__(self, plug):
        self.plug, self.rest = plug, b""
        while b"\r\n\r\n" not in self.rest:
            self.more()
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        self.status = int(head.split()[1])
        self.body, self.seen = b"", []

    def more(self):
        piece = self.plug.recv(1 << 16)
        if not piece:
            raise EOFError("the stream has ended")
        self.rest += piece

    def chunk(self):
        while b"\r\n" not in self.rest:
            self.more()
        size, _, rest = self.rest.partition(b"\r\n")
        count = int(size, 16)
        while len(rest) < count + 2:
            self.more()
            rest = self.rest.partition(b"\r\n")[2]
        self.rest = rest[count + 2:]
        return rest[:count]

    def next(self, *names, limit=60):
        """The next event with one of these names: id, name, value. Heartbeats never end, so there is a limit to all of
        them."""
        deadline = time.monotonic() + limit
        while True:
            if time.monotonic() > deadline:
                raise TimeoutError(f"no {' or '.join(names)} came within {limit} s; before: {self.seen[-20:]}")
            while b"\n\n" not in self.body:
                self.body += self.chunk()
            text, _, self.body = self.body.partition(b"\n\n")
            members = dict(line.split(": ", 1) for line in text.decode().split("\n") if not line.startswith(":"))
            self.seen.append(f"{members.get('event')} {members.get('id')} at {time.monotonic() - deadline + limit:.1f} s")
            if members.get("event") in names:
                return members.get("id"), members["event"], json.loads(members["data"])


def merge(value, patch):
    if not isinstance(patch, dict):
        return patch
    result = dict(value) if isinstance(value, dict) else {}
    for name, change in patch.items():
        if change is None:
            result.pop(name, None)
        else:
            result[name] = merge(result.get(name), change)
    return result
