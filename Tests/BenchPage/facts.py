"""The words for facts: a fact is a function that raises if something does not hold, with the server and the page that it
needs."""
import contextlib, functools, json, sys, threading
from server import Server

FACTS = []
#: The browser of this thread: `LANE.browser`.
LANE = threading.local()


def fact(check):
    FACTS.append(check)
    return check


def hold(condition, *what):
    if not condition:
        raise AssertionError(" ".join(map(str, what)) or "it does not hold")


def browses(check):
    """Marks a fact that needs a browser."""
    check.browses = True
    return check


@contextlib.contextmanager
def serve(*arguments):
    server = Server(sys.argv[1], *arguments)
    try:
        yield server
    finally:
        server.close()


@contextlib.contextmanager
def visit(url, context=None):
    """A tab, in a browser without history unless one is given."""
    tab = LANE.browser.tab(url, context or LANE.browser.context())
    try:
        yield tab
    finally:
        tab.close()


def seen(selector):
    """In the page: whether it is visible."""
    return f"(document.querySelector({json.dumps(selector)}) || document.createElement('i')).getClientRects().length"


#: The name of the bench, where there is one.
BENCH = "line3-bench2"
LIVE = "document.getElementById('link').textContent === 'live' && document.querySelector('.tile, .card')"


def serving(scene="mixed", *arguments):
    def decorate(check):
        @functools.wraps(check)
        def run():
            with serve(scene, *arguments) as server:
                check(server)
        return run
    return decorate


def browsing(scene="mixed", role="operator", *arguments):
    """A page that is signed in as `role`; not signed in if that is None."""
    def decorate(check):
        @browses
        @functools.wraps(check)
        def run():
            with serve(scene, *arguments) as server, visit(server.sign_in(role) if role else server.address) as tab:
                hold(not role or tab.until(LIVE), "the page is not live")
                check(server, tab)
        return run
    return decorate
