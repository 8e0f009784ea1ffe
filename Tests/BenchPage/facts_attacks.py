"""Attacks: by other sites, by guessing, and by names from the air."""
import http.client, json, os, random, re, socket, ssl, subprocess, sys, tempfile
from client import Client, certificate
from facts import browsing, browses, fact, hold, serve, serving, visit


@fact
@browsing("hostile")
def names_from_the_air_stay_text(server, tab):
    hold(tab.ask("document.title") == "</title><script>")
    hold(tab.ask("document.querySelectorAll('main img, main style, main script, h1 *').length") == 0)
    text = tab.ask("document.body.innerText")
    hold("</script><script>document.title='owned'</script>" in text and "\\u{202e}gpj.exe" in text and "\\u{1b}[2J" in text)
    hold(not any(c in text for c in "\u202e\u2028\u2029\x1b\x07"), "something invisible is shown")
    hold(tab.ask("({}).polluted === undefined && document.querySelectorAll('.tile').length") == 16, "a slot named __proto__ is lost")
    hold(not tab.problems(), tab.problems())


@fact
@browsing()
def another_site_can_neither_read_nor_act_nor_frame(server, tab):
    with tempfile.TemporaryDirectory() as folder:
        other = subprocess.Popen([sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "-d", folder],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            # Python prints the port once it serves.
            port = int(os.read(other.stdout.fileno(), 200).split(b"port ")[1].split()[0])
            # Another site; and the same host, whose other port gets the cookies of all its ports.
            for host in ("localhost", "127.0.0.1"):
                tab.open(f"http://{host}:{port}/")
                hold(tab.until(f"document.readyState === 'complete' && location.host === '{host}:{port}'"))
                read = "fetch(URL, {credentials: 'include'}).then((r) => r.text()).then(() => 'read', () => 'refused')"
                for path in ("state", "history", "session", "events"):
                    hold(tab.ask(read.replace("URL", repr(server.address + path))) == "refused", path, "was read from", host)
                # Such a page can send requests, whether or not it may read the answer.
                act = ("fetch(URL, {method: 'POST', credentials: 'include', mode: 'no-cors', headers: {'Content-Type': 'text/plain'}, "
                       "body: '{\"bench\":\"line3-bench2\"}'}).then(() => 'sent', () => 'refused')")
                tab.ask(act.replace("URL", repr(server.address + "actions/hold")))
                tab.ask(f"(() => {{ const f = document.createElement('iframe'); f.src = {server.address!r}; document.body.append(f); return new Promise((d) => f.onload = d); }})()")
                hold(not server.acted(), server.acted())
                status, _, body = Client(server, "viewer").get("/state")
                hold(status == 200 and "hold" not in next(iter(body["benches"].values())), "another page has acted")
            frames = [problem for problem in tab.problems() if "frame-ancestors" in problem or "frame" in problem.lower()]
            hold(len(frames) >= 2, "the page was framed", tab.problems())
        finally:
            other.kill()
            other.wait()


@fact
@serving()
def another_port_of_this_host_is_another_site(server):
    client = Client(server, "approver")
    other = {"Sec-Fetch-Site": "same-site"}
    for path in ("/state", "/events", "/orders", "/history", "/session"):
        hold(client.get(path, more=other)[0] == 403, path)
    origin = {"Origin": f"http://127.0.0.1:{server.port + 1}"}
    for more in (other, origin, origin | other):
        hold(client.post("/actions/hold", {"bench": "line3-bench2"}, more=more)[2]["code"] == "origin-foreign", more)
        hold(client.post("/session", {"token": "0" * 40}, more=more)[2]["code"] == "origin-foreign", more)
    hold(not server.acted(), server.acted())


@fact
@serving()
def every_answer_has_strict_headers_and_no_cors_headers(server):
    client = Client(server, "viewer")
    for path in ("/", "/page.css", "/page.js", "/words.js", "/state", "/orders", "/history", "/session", "/nowhere", "/.git/config", "/../etc/passwd"):
        status, headers, _ = client.get(path)
        policy = headers["Content-Security-Policy"]
        hold(policy == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
             "form-action 'self'; base-uri 'none'; frame-ancestors 'none'", path, policy)
        hold(headers["X-Content-Type-Options"] == "nosniff" and headers["Cache-Control"] == "no-store" and headers["Referrer-Policy"] == "no-referrer", path)
        hold(not [name for name in headers if name.lower().startswith("access-control")], path)
    hold(client.get("/nowhere")[0] == 404 and client.get("/../etc/passwd")[0] == 404)
    hold(client.ask("OPTIONS", "/actions/hold")[0] in (404, 405))


@fact
@serving()
def an_unknown_host_name_that_resolves_here_is_refused(server):
    client = Client(server, "viewer")
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1.evil.example", ""):
        for path in ("/", "/state", "/events"):
            status, _, body = client.get(path, more={"Host": host})
            hold(status in (421, 400), host, path, status)
    hold(client.get("/state", without=("Host",))[0] in (400, 421))


@fact
@serving()
def two_names_in_one_request_are_refused(server):
    ours = f"127.0.0.1:{server.port}"
    cookie = Client(server, "viewer").cookie
    for names in ((ours, "evil.example"), ("evil.example", ours), (ours, ours)):
        plug = socket.create_connection(("127.0.0.1", server.port), timeout=20)
        heads = "".join(f"Host: {name}\r\n" for name in names)
        plug.sendall(f"GET /state HTTP/1.1\r\n{heads}Cookie: {cookie}\r\nConnection: close\r\n\r\n".encode())
        hold(plug.recv(64).split(b" ")[1] == b"400", names)


@fact
@serving()
def a_change_needs_origin_csrf_type_session_and_role(server):
    client, body = Client(server, "operator"), {"bench": "line3-bench2"}
    refused = lambda **more: client.post("/actions/hold", body, **more)
    for code, more in {
        "origin-foreign": {"more": {"Origin": "http://evil.example"}}, "csrf-missing": {"without": ("X-CSRF-Token",)},
        "not-json": {"more": {"Content-Type": "text/plain"}}, "session-missing": {"without": ("Cookie",)},
        "request-malformed": {"without": ("Idempotency-Key",)},
    }.items():
        status, _, answer = refused(**more)
        hold(status >= 400 and answer["code"] == code, code, status, answer)
    hold(refused(without=("Origin",))[2]["code"] == "origin-foreign")
    hold(refused(more={"Sec-Fetch-Site": "cross-site"})[2]["code"] == "origin-foreign")
    hold(client.post("/actions/release", body)[2]["code"] == "role-missing")
    hold(Client(server, "viewer").post("/actions/hold", body)[2]["code"] == "role-missing")
    hold(client.post("/actions/retry", body)[0] == 400 and client.post("/actions/explode", body)[0] == 404)
    hold(client.post("/actions/hold", b"{")[0] == 400 and client.post("/actions/hold", b"[" * 3000)[0] == 400)
    hold(not server.acted(), server.acted())
    hold(client.post("/actions/hold", body)[0] == 202)
    server.wait("action hold")


@fact
@serving()
def a_code_is_valid_once_and_guessing_is_limited(server):
    client, token = Client(server), server.tokens["approver"]
    hold(client.post("/session", {"token": token})[0] == 200 and client.post("/session", {"token": token})[0] == 401)
    answers = [client.post("/session", {"token": f"{n:040x}"})[0] for n in range(12)]
    hold(answers[0] == 401 and answers[-1] == 429, answers)
    hold(client.post("/session", {"token": token}, more={"Origin": "http://evil.example"})[0] == 403)


@fact
@serving()
def nothing_is_read_without_a_session(server):
    client = Client(server)
    hold({client.get(path)[0] for path in ("/state", "/events", "/orders", "/history", "/session")} == {401})
    hold({client.get(path)[0] for path in ("/", "/page.css")} == {200})


@fact
@serving()
def every_module_that_the_page_imports_is_served(server):
    client, seen, wanted = Client(server), set(), ["page.js"]
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        status, headers, text = client.get("/" + name)
        hold(status == 200 and headers["Content-Type"] == "text/javascript; charset=utf-8", name, status)
        wanted += re.findall(r'from "\./([a-z]+\.js)"', text.decode())
    hold(len(seen) > 5, seen)


@fact
@serving()
def a_body_that_is_too_large_is_refused_announced_or_not(server):
    client = Client(server, "operator")
    hold(client.post("/actions/hold", b" " * 65537)[0] == 413)
    plug = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    plug.sendall((f"POST /actions/hold HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: http://127.0.0.1:{server.port}\r\n"
                  f"Content-Type: application/json\r\nCookie: {client.cookie}\r\nX-CSRF-Token: {client.csrf}\r\n"
                  "Transfer-Encoding: chunked\r\n\r\n").encode())
    # If the server keeps reading without an answer, the socket times out, which is not the end of the connection.
    plug.settimeout(10)
    try:
        for _ in range(2000):
            plug.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
        answer = plug.recv(4096)
    except ConnectionError:
        answer = b""
    hold(not answer or b" 413 " in answer, answer[:60])
    hold(client.post("/actions/hold", b" " * 65536)[0] == 400, "a permitted amount is refused")
    hold(client.get("/page.js", more={"X-Much": "x" * 40000})[0] in (400, 431))
    hold(client.get("/state")[0] == 200)


@fact
@browses
@serving("mixed", "--listen", "0.0.0.0", "--insecure-network", "--name", "wall.lan")
def a_wall_display_shows_the_benches_and_accepts_no_action(server):
    client = Client(server)
    status, _, body = client.get("/session")
    hold(status == 200 and body["wall"] is True and client.get("/state", more={"Host": "wall.lan"})[0] == 200)
    hold(client.post("/session", {"token": server.tokens["approver"]})[2]["code"] == "watching-only")
    hold(client.post("/actions/hold", {"bench": "line3-bench2"})[2]["code"] == "watching-only")
    with visit(f"http://127.0.0.1:{server.port}/") as tab:
        hold(tab.until("document.querySelectorAll('.tile').length === 48"))
        hold(tab.ask("document.getElementById('who').textContent") == "wall screen")
        hold(tab.ask("[...document.querySelectorAll('#do-hold, #do-end, #sign-out')].every((b) => b.hidden)"), "a wall offers to act")


@fact
def a_network_needs_tls_or_the_insecure_option():
    run = subprocess.run([sys.argv[1], "mixed", "--listen", "0.0.0.0"], capture_output=True, text=True, timeout=20)
    hold(run.returncode != 0 and "network-insecure" in run.stderr, run.stderr)


@fact
def with_tls_a_sign_in_over_a_network_sets_a_secure_cookie():
    with certificate() as (files, context), serve("mixed", "--listen", "0.0.0.0", "--certificate", files[0], "--key", files[1]) as server:
        connection = http.client.HTTPSConnection("localhost", server.port, context=context, timeout=20)
        origin = f"https://localhost:{server.port}"
        connection.request("POST", "/session", json.dumps({"token": server.tokens["operator"]}),
                           {"Content-Type": "application/json", "Origin": origin})
        answer = connection.getresponse()
        cookie = answer.headers["Set-Cookie"]
        hold(answer.status == 200 and cookie.startswith("__Host-") and cookie.endswith("; Secure"), answer.status, cookie)
        hold(answer.headers["Strict-Transport-Security"] == "max-age=2592000", answer.headers)


@fact
@serving()
def without_tls_no_browser_is_told_to_use_tls(server):
    hold("Strict-Transport-Security" not in Client(server).get("/")[1])


@fact
def tls_has_forward_secrecy_only():
    with certificate() as (files, context), serve("mixed", "--listen", "127.0.0.1", "--certificate", files[0], "--key", files[1]) as server, \
            certificate("rsa:2048") as (own, _), serve("mixed", "--listen", "127.0.0.1", "--certificate", own[0], "--key", own[1]) as other:
        for port in server.port, other.port:
            taken = {}
            for version in "-tls1_2", "-tls1_3", "-tls1_1":
                for cipher in ["ECDHE+AESGCM:ECDHE+CHACHA20", "ECDHE+AES:!AESGCM:!AESCCM", "kRSA", "AES128-SHA", "DHE"] if version == "-tls1_2" else [""]:
                    # @SECLEVEL=0: also protocols that this client would refuse by default.
                    words = ["-cipher", cipher + ":@SECLEVEL=0"] if cipher else []
                    run = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{port}", version, *words],
                                         input=b"", capture_output=True, timeout=20)
                    taken[version, cipher] = b"Verify return code" in run.stdout and b"Cipher is (NONE)" not in run.stdout and b"Cipher    : 0000" not in run.stdout
            good = {key for key, is_taken in taken.items() if is_taken}
            hold(good == {("-tls1_2", "ECDHE+AESGCM:ECDHE+CHACHA20"), ("-tls1_3", "")}, port, taken)


@fact
def garbage_instead_of_tls_ends_only_its_own_connection():
    hello = bytes.fromhex("16030100c8010000c40303") + bytes(range(32))
    seed = random.Random(6979)
    with certificate() as (files, context), serve("mixed", "--listen", "127.0.0.1", "--certificate", files[0], "--key", files[1]) as server:
        client = Client(server, tls=context)
        client.sign_in("operator")
        for text in [b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", hello, hello + b"\0" * 600, b"\x16\x03\x03\xff\xff" + b"\xff" * 70000,
                     b"\x15\x03\x03\0\x02\x02\x28", b"\x17\x03\x03\0\x20" + b"x" * 32, *(seed.randbytes(n) for n in (1, 5, 100, 5000) * 5)]:
            plug = socket.create_connection(("127.0.0.1", server.port), timeout=20)
            try:
                plug.sendall(text)
                plug.shutdown(socket.SHUT_WR)
                while plug.recv(4096):
                    pass
            except ConnectionError:
                pass
            plug.close()
            hold(client.get("/state")[0] == 200, text[:20])
        # A handshake that is cut at any place.
        for size in 1, 5, 60, 150, 300:
            plug, ours, theirs = socket.create_connection(("127.0.0.1", server.port), timeout=20), ssl.MemoryBIO(), ssl.MemoryBIO()
            tunnel = context.wrap_bio(theirs, ours, server_hostname="localhost")
            try:
                tunnel.do_handshake()
            except ssl.SSLWantReadError:
                plug.sendall(ours.read()[:size])
            plug.close()
        hold(client.get("/state")[0] == 200)


@fact
def an_unusable_certificate_is_refused():
    with certificate() as (files, _), certificate() as (other, _):
        for one, key in ((files[0], other[1]), (files[1], files[1]), (files[0], "/nowhere"), ("/dev/null", files[1])):
            run = subprocess.run([sys.argv[1], "mixed", "--listen", "127.0.0.1", "--certificate", one, "--key", key], capture_output=True, text=True, timeout=20)
            hold(run.returncode != 0 and "certificate-unusable" in run.stderr, one, key, run.stderr)


@fact
@serving()
def both_addresses_of_the_loopback_answer_and_no_other(server):
    for host in ("127.0.0.1", "::1"):
        socket.create_connection((host, server.port), timeout=5).close()
    other = subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split()
    for host in other[:1]:
        try:
            socket.create_connection((host, server.port), timeout=3).close()
        except OSError:
            continue
        raise AssertionError(f"{host} answers")


@fact
def a_socket_is_accessible_to_its_owner_only():
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/page.sock"
        with serve("mixed", "--socket", path):
            hold(os.stat(path).st_mode & 0o077 == 0, oct(os.stat(path).st_mode))
            plug = socket.socket(socket.AF_UNIX)
            plug.settimeout(10)
            plug.connect(path)
            plug.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            hold(plug.recv(64).startswith(b"HTTP/1.1 200"))


@fact
def a_socket_replaces_only_an_unserved_socket():
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/page.sock"
        begin = lambda: subprocess.run([sys.argv[1], "mixed", "--socket", path], capture_output=True, text=True, timeout=20)
        with open(path, "w") as other:
            other.write("mine")
        run = begin()
        hold(run.returncode != 0 and "not a socket" in run.stderr and open(path).read() == "mine", run.stderr)
        os.unlink(path)
        with serve("mixed", "--socket", path):
            run = begin()
            hold(run.returncode != 0 and "another program" in run.stderr, run.stderr)
            hold(os.listdir(folder) == ["page.sock"], os.listdir(folder))
        # The killed server has left it.
        with serve("mixed", "--socket", path) as server:
            hold(os.listdir(folder) == ["page.sock"], os.listdir(folder))


@fact
@serving()
def no_secret_is_on_stdout_or_stderr(server):
    client = Client(server, "operator")
    token = server.tokens["operator"]
    client.get("/state")
    client.post("/actions/hold", {"bench": "line3-bench2"})
    server.wait("action hold")
    said = "\n".join(line for line in server.lines if not line.startswith("token "))
    server.process.terminate()
    said += server.process.stderr.read().decode()
    for secret in (token, client.csrf, client.cookie.split("=")[1]):
        hold(secret not in said, "a secret is said")
