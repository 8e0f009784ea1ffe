#!/usr/bin/env python3
"""Unauthenticated clients of the page: crowd.py PORT COUNT ADDRESSES KIND [PAUSE]

Keeps COUNT connections to 127.0.0.1:PORT, from as many addresses of the loopback, that never finish a request: KIND `idle` sends nothing, `slow`
a byte of a head each second, `tls` the beginning of a handshake. A connection that the server closes is opened again after PAUSE seconds (1). Prints
`standing` when each was opened once, until it is killed.
"""
import errno, heapq, resource, selectors, socket, sys, time

HEAD = b"GET /state HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: " + b"x" * 4000
#: The head of a TLS record of 512 bytes, none of which follow.
HELLO = b"\x16\x03\x01\x02\x00"


def main():
    port, count, addresses, kind = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    pause = float(sys.argv[5]) if len(sys.argv) > 5 else 1.0
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, count + 100) if hard != resource.RLIM_INFINITY else count + 100, hard))
    selector, plugs, opened = selectors.DefaultSelector(), {}, 0
    due = [(0.0, number) for number in range(count)]
    beat = time.monotonic() + 1
    while True:
        now = time.monotonic()
        while due and due[0][0] <= now:
            number = heapq.heappop(due)[1]
            plug = socket.socket()
            plug.setblocking(False)
            try:
                plug.bind((f"127.0.0.{number % addresses + 1}", 0))
                plug.connect_ex(("127.0.0.1", port))
            except OSError:
                plug.close()
                heapq.heappush(due, (now + pause, number))
                continue
            plugs[plug] = [number, 0]
            selector.register(plug, selectors.EVENT_READ | (selectors.EVENT_WRITE if kind == "tls" else 0))
            opened += 1
            if opened == count:
                print("standing", flush=True)
        for key, events in selector.select(max(0, min(beat, due[0][0] if due else beat) - time.monotonic())):
            plug = key.fileobj
            try:
                if events & selectors.EVENT_WRITE:
                    plug.send(HELLO)
                    selector.modify(plug, selectors.EVENT_READ)
                    continue
                if plug.recv(4096):
                    continue
            except BlockingIOError:
                continue
            except OSError:
                pass
            selector.unregister(plug)
            heapq.heappush(due, (time.monotonic() + pause, plugs.pop(plug)[0]))
            plug.close()
        if kind == "slow" and time.monotonic() >= beat:
            for plug, entry in plugs.items():
                try:
                    plug.send(HEAD[entry[1]:entry[1] + 1])
                    entry[1] += 1
                except OSError as error:
                    if error.errno not in (errno.EAGAIN, errno.ENOTCONN, errno.EPIPE, errno.ECONNRESET, errno.ECONNREFUSED):
                        raise
        if time.monotonic() >= beat:
            beat = time.monotonic() + 1


main()
