"""Network behaviour: connections end, come back, are slow, and carry unexpected data."""
import contextlib, json, os, pathlib, re, socket, ssl, subprocess, sys, threading, time
from client import Client, Events, certificate, merge
from facts import browsing, browses, fact, hold, serve, serving, visit, LIVE
from wire import Wire, quiet_port

SENT = "window.sent = 0; (() => { const real = window.fetch; window.fetch = (path, o = {}) => { window.sent += o.method ? 1 : 0; return real(path, o); }; })()"


# ---- The page -----------------------------------------------------------------------------------------------------------


@fact
@browsing("mixed", "operator", "--port", str(quiet_port()))
def a_missing_server_greys_the_page_and_a_returning_one_revives_it(server, tab):
    port = server.port
    server.close()
    hold(tab.until("document.body.classList.contains('offline') && /^Offline since \\d\\d:/.test(document.getElementById('offline').textContent)"))
    hold(tab.ask("document.querySelectorAll('.tile').length") == 48, "what was known is gone")
    with serve("mixed", "--port", str(port)) as again:
        hold(tab.until("document.getElementById('sign-in').open"), "a new server has no session, and the page does not ask for a code")
        tab.ask(f"document.getElementById('code').value = {again.tokens['viewer']!r}; document.querySelector('#sign-in-form button').click()")
        hold(tab.until("document.getElementById('link').textContent === 'live' && !document.body.classList.contains('offline')"))


@fact
@browses
@serving()
def a_page_without_a_stream_reports_that_too_many_are_open(server):
    streams = [Events(one.stream()) for one in [Client(server, "viewer") for _ in range(8)] for _ in range(4)]
    hold(all(s.status == 200 for s in streams))
    with visit(server.sign_in("operator")) as tab:
        hold(tab.until("document.getElementById('offline').textContent.includes('too many open pages?')"), "the page does not say why")
        for stream in streams:
            stream.plug.close()
        server.tell("step")
        hold(tab.until(LIVE, 30), "the page does not come to life when there is room")


@fact
@browses
@serving()
def a_page_that_was_cut_off_sends_nothing_and_catches_up(server):
    wire = Wire(server.port)
    with visit(f"{wire.address}#token={server.tokens['operator']}") as tab:
        hold(tab.until(LIVE), "the page is not live")
        wire.cut()
        hold(tab.until("document.body.classList.contains('offline')"))

        # The text for screen readers changes once, whatever counts on the screen.
        read = ("(() => { const n = document.getElementById('offline').cloneNode(true); "
                "n.querySelectorAll('[aria-hidden=true]').forEach((e) => e.remove()); return n.textContent; })()")
        before, age = tab.ask(read), tab.ask("document.getElementById('offline').textContent")
        tab.ask(SENT)
        for act in (lambda: tab.click("#do-hold"), lambda: tab.key("p")):
            act()
        hold(tab.ask("window.sent") == 0, "something was sent")
        hold(tab.ask("document.getElementById('do-hold').matches(':disabled, [aria-disabled=true]')"), "the button looks as if it could")
        hold(tab.until(f"document.getElementById('offline').textContent !== {json.dumps(age)}"), "nothing counts")
        hold(tab.ask(read) == before, "it is read out repeatedly")

        server.tell("hold")
        wire.heads.clear()
        wire.mend()
        hold(tab.until("document.getElementById('link').textContent === 'live' && !document.getElementById('hold').hidden", 20), "the page does not come back")
        asked = [head for head in wire.heads if head.startswith("GET /events")]
        after = re.match(r"GET /events\?after=([^ ]+) ", asked[-1])
        hold(after, asked)
        client = Client(server, "viewer")
        _, name, patch = Events(client.stream(query="?after=" + after[1])).next("snapshot", "patch")
        hold(name == "patch" and "order" not in patch, name, "instead of the missed patches")
        hold(tab.ask("document.querySelectorAll('.tile').length") == 48)


@fact
@browsing()
def eight_tabs_share_one_stream_and_each_is_live(server, tab):
    tabs = [tab.browser.tab(server.address, tab.context) for _ in range(7)]
    try:
        for other in tabs:
            hold(other.until("document.getElementById('link').textContent === 'live' && document.querySelector('.tile')", 20), "a tab hangs")
        server.tell("hold")
        for other in [tab, *tabs]:
            hold(other.until("!document.getElementById('hold').hidden"), "a tab did not receive the hold")
        tab.open("about:blank")
        server.tell("silence")
        for other in tabs:
            hold(other.until("!document.querySelector('.banner.silent').hidden", 20), "no tab took the stream over")
    finally:
        for other in tabs:
            other.close()


# ---- The server ---------------------------------------------------------------------------------------------------------

@fact
@serving()
def a_request_that_is_sent_twice_happens_once(server):
    client = Client(server, "operator")
    wish = lambda slot: client.post("/actions/retry", {"bench": "line3-bench2", "slot": slot}, more={"Idempotency-Key": "the-same-key"})
    hold([wish("A6")[0] for _ in range(3)] == [202] * 3)
    hold(wish("B5")[0] == 422)
    hold(len(server.acted()) == 1, server.acted())


@fact
@serving()
def of_fifty_streams_each_runs_or_is_refused_at_once_and_the_rest_is_served(server):
    client = Client(server, "operator")
    # A session has at most four.
    streams = [Events(one.stream()) for one in [client] + [Client(server, "viewer") for _ in range(12)] for _ in range(4)][:50]
    hold(sorted(s.status for s in streams) == [200] * 32 + [503] * 18, [s.status for s in streams])
    server.tell("step")
    for stream in streams[:32]:
        hold(stream.next("patch"), "no patch")
    hold(client.get("/state")[0] == 200 and client.post("/actions/hold", {"bench": "line3-bench2"})[0] == 202)
    for stream in streams:
        stream.plug.close()
    deadline = time.monotonic() + 20
    while Events(client.stream()).status != 200:
        server.tell("step")
        hold(time.monotonic() < deadline, "places of closed streams are not free again")


@fact
@serving("many")
def a_stalled_reader_delays_no_other_and_costs_no_memory(server):
    client = Client(server, "viewer")
    lazy = [Client(server, "viewer").stream(buffer=4096) for _ in range(8)]
    quick = Events(client.stream())
    quick.next("snapshot")
    resident = lambda: int(next(line for line in open(f"/proc/{server.process.pid}/status") if line.startswith("VmRSS")).split()[1])
    # The number of patches depends on the load of the machine, because changes are merged: each of these brings at least one.
    for _ in range(3):
        server.tell("churn 7")
        quick.next("patch", "snapshot")
    before = resident()
    server.tell("churn 100")
    end, seen = time.monotonic() + 25, 0
    while time.monotonic() < end:
        quick.next("patch", "snapshot", "beat")
        seen += 1
    hold(seen > 15, "the quick reader got", seen)
    hold(resident() - before < 40000, "grew by", resident() - before, "kB")
    for plug in lazy:
        plug.close()


@fact
@serving()
def a_returning_reader_gets_what_it_missed(server):
    client = Client(server, "viewer")
    stream = Events(client.stream())
    position, name, state = stream.next("snapshot")
    hold(name == "snapshot")
    stream.plug.close()
    reference = Events(client.stream())
    reference.next("snapshot")
    for _ in range(3):
        server.tell("step")
        last, _, _ = reference.next("patch")
    again = Events(client.stream(after=position))
    while position != last:
        position, name, patch = again.next("snapshot", "patch")
        hold(name == "patch", "a snapshot instead of three patches")
        state = merge(state, patch)
    hold(state == client.get("/state")[2], "the patches do not lead to the state")
    stranger = Events(client.stream(after="0123456789ab.7"))
    hold(stranger.next("snapshot", "patch")[1] == "snapshot")


@fact
@serving()
def a_stream_has_heartbeats(server):
    stream = Events(Client(server, "viewer").stream())
    stream.next("snapshot")
    begin = time.monotonic()
    hold(abs(stream.next("beat")[2] / 1000 - time.time()) < 5 and time.monotonic() - begin < 25)


@fact
@serving("many")
def a_reader_that_stalls_for_half_a_minute_is_closed(server):
    # With small segments the kernel keeps little for a reader: the first state is more than that.
    lazy = Client(server, "viewer").stream(buffer=4096, segment=536)
    threading.Thread(target=server.tell, args=("churn 200",), daemon=True).start()
    time.sleep(34)
    lazy.settimeout(5)
    count, end = 0, time.monotonic() + 5
    try:
        while piece := lazy.recv(1 << 16):
            count += len(piece)
            hold(time.monotonic() < end, "the stream goes on after", count, "bytes")
    except ConnectionError:
        pass
    except TimeoutError:
        raise AssertionError("the stream is left open")


def closing(plug, limit):
    """The bytes until the connection is closed, and the time; None if it stays open."""
    begin, text = time.monotonic(), b""
    plug.settimeout(limit)
    try:
        while piece := plug.recv(1 << 16):
            text += piece
            plug.settimeout(max(0.1, limit - (time.monotonic() - begin)))
    except ConnectionError:
        pass
    except TimeoutError:
        return None, text
    return time.monotonic() - begin, text


@fact
@serving()
def a_connection_without_a_request_is_closed(server):
    # An unauthenticated client's head has five seconds, however its bytes come; a session's has twenty from the previous
    # answer.
    client, begin = Client(server, "viewer"), time.monotonic()
    known = socket.create_connection(("127.0.0.1", server.port))
    known.sendall(client.head("GET", "/session"))
    plug = socket.create_connection(("127.0.0.1", server.port))
    for byte in b"GET / HTTP/1.1\r\nHost: 127.0.0.1":
        try:
            plug.sendall(bytes([byte]))
        except OSError:
            break
        time.sleep(0.25)
    seconds, text = closing(plug, 10)
    hold(seconds is not None and 4 < time.monotonic() - begin < 15 and not text, time.monotonic() - begin, text[:80])
    seconds, text = closing(known, 30)
    hold(seconds and time.monotonic() - begin > 15 and text.startswith(b"HTTP/1.1 200"), time.monotonic() - begin, text[:80])


@contextlib.contextmanager
def crowd(server, addresses, kind, count=1000, pause=1):
    """A crowd of unauthenticated clients of the server, each of which was connected once."""
    program = pathlib.Path(__file__).with_name("crowd.py")
    process = subprocess.Popen([sys.executable, program, str(server.port), str(count), str(addresses), kind, str(pause)], stdout=subprocess.PIPE)
    try:
        hold(process.stdout.readline() == b"standing\n", "there is no crowd")
        yield
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


class Asking:
    """Requests during a crowd. On a busy machine a connection may be cut off before it is read: the request is repeated
    once, which is counted."""

    def __init__(self):
        self.slowest, self.lost = 0, []

    def answer(self, question, *where):
        try:
            return self.timed(question)
        except (ConnectionError, ssl.SSLError, TimeoutError) as error:
            self.lost.append(f"{error!r} {' '.join(map(str, where))}")
            hold(len(self.lost) <= 4, "requests are cut off repeatedly:", self.lost)
            return self.timed(question)

    def timed(self, question):
        begin = time.monotonic()
        answer = question()
        self.slowest = max(self.slowest, time.monotonic() - begin)
        return answer


def served_beside_crowds(server, client, kinds, meanwhile=lambda asking, *crowd: None):
    """A signed-in client gets answers on new connections while crowds of these kinds are connected."""
    asking = Asking()
    for kind in kinds:
        for addresses in 1, 250:
            with crowd(server, addresses, kind):
                for turn in range(8):
                    status = asking.answer(lambda: client.get("/state")[0], kind, addresses, "turn", turn)
                    hold(status == 200, kind, addresses, "turn", turn, status)
                    time.sleep(0.05)
                meanwhile(asking, kind, addresses)
    hold(asking.slowest < 15, "an answer took", asking.slowest, "s")


@fact
@serving()
def a_signed_in_user_is_served_during_a_thousand_other_connections(server):
    client = Client(server, "operator")
    stream = Events(client.stream())
    stream.next("snapshot")

    def meanwhile(asking, kind, addresses):
        server.tell("step")
        hold(stream.next("patch", limit=20), "the stream has ended during", kind, addresses)
        # A second person signs in.
        status = asking.answer(lambda: Client(server, "viewer").get("/state")[0], kind, addresses, "signing in")
        hold(status == 200, "sign-in fails during", kind, addresses)
        descriptors = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        hold(descriptors < 600, descriptors, "descriptors")

    served_beside_crowds(server, client, ("idle", "slow"), meanwhile)


@fact
def a_signed_in_user_is_served_by_tls_during_a_thousand_other_connections():
    with certificate() as (files, context), serve("mixed", "--listen", "127.0.0.1", "--certificate", files[0], "--key", files[1]) as server:
        client = Client(server, tls=context)
        client.sign_in("operator")
        served_beside_crowds(server, client, ("idle", "tls"))


@fact
@serving()
def pipelined_requests_are_answered_in_order(server):
    client = Client(server, "operator")
    body = b'{"bench":"line3-bench2"}'
    plug = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    plug.sendall(client.head("GET", "/session") + client.head("POST", "/actions/hold", f"Content-Length: {len(body)}\r\nIdempotency-Key: piped-key-1\r\n") + body
                 + client.head("GET", "/page.css") + client.head("GET", "/nowhere", "Connection: close\r\n"))
    _, text = closing(plug, 10)
    answers = re.findall(rb"HTTP/1\.1 (\d+)", text)
    hold(answers == [b"200", b"202", b"200", b"404"], answers)
    hold(len(server.acted()) == 1)
    # The bytes after a refused body are not a request.
    plug = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    hidden = client.head("POST", "/actions/release", "Content-Length: 0\r\n")
    plug.sendall(client.head("POST", "/actions/hold", f"Content-Length: {len(hidden)}\r\nIdempotency-Key: piped-key-2\r\n") + hidden
                 + client.head("GET", "/session", "Connection: close\r\n"))
    _, text = closing(plug, 10)
    hold(re.findall(rb"HTTP/1\.1 (\d+)", text)[:2] in ([b"400", b"200"], [b"400"]), text[:200])
    for head in ("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "Content-Length: 2\r\nContent-Length: 3\r\n"):
        plug = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        plug.sendall(client.head("POST", "/actions/hold", head + "Idempotency-Key: piped-key-3\r\n") + b"0\r\n\r\n" + client.head("GET", "/session"))
        _, text = closing(plug, 3)
        hold(re.findall(rb"HTTP/1\.1 (\d+)", text)[:1] == [b"400"] and text.count(b"HTTP/1.1") == 1, head, text[:200])


@fact
@serving()
def a_body_that_comes_a_byte_at_a_time_is_refused(server):
    client = Client(server, "operator")
    plug = socket.create_connection(("127.0.0.1", server.port))
    plug.sendall(client.head("POST", "/actions/hold", "Content-Length: 1000\r\nIdempotency-Key: slow-body-1\r\n"))

    def drip():
        try:
            for _ in range(60):
                plug.sendall(b" ")
                time.sleep(0.5)
        except OSError:
            pass

    threading.Thread(target=drip, daemon=True).start()
    seconds, text = closing(plug, 28)
    hold(seconds and seconds > 10, "the server waits for it" if seconds is None else seconds)
    hold(not text or b" 408 " in text.split(b"\r\n")[0] or b" 400 " in text.split(b"\r\n")[0], text[:80])
    hold(client.get("/state")[0] == 200 and not server.acted())


@fact
@serving()
def a_head_is_answered_like_its_get_and_other_methods_are_named(server):
    client = Client(server, "viewer")
    for path in ("/", "/page.css", "/page.js", "/state"):
        status, headers, text = client.ask("HEAD", path)
        full = client.get(path)
        hold(status == full[0] == 200 and not text, path, status, text[:20])
        hold(headers["Content-Length"] == full[1]["Content-Length"] and headers["Content-Type"] == full[1]["Content-Type"], path)
        hold(headers["Content-Security-Policy"] == full[1]["Content-Security-Policy"], path)
    for method, path in (("PUT", "/state"), ("DELETE", "/page.css"), ("OPTIONS", "/actions/hold"), ("GET", "/actions/hold")):
        status, headers, _ = client.ask(method, path)
        hold(status == 405 and headers["Allow"], method, path, status)


@fact
@serving("held")
def a_release_of_a_hold_that_is_over_is_refused(server):
    client = Client(server, "approver")
    bench = next(iter(client.get("/state")[2]["benches"].values()))
    wish = lambda since: client.post("/actions/release", {"bench": bench["id"], "since": since})
    status, _, body = wish(bench["hold"]["since"] - 1)
    hold(status == 409 and body["code"] == "hold-changed", status, body)
    hold("hold" in next(iter(client.get("/state")[2]["benches"].values())), "it was released")
    for nothing in (None, "now", 1.5):
        hold(wish(nothing)[0] == 400, nothing, "names a hold")
    hold(wish(bench["hold"]["since"])[0] == 202)
    hold(wish(bench["hold"]["since"])[0] == 409, "what is not held was released")
