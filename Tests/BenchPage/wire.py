"""A connection to the server that can be cut and restored, and records the requests."""
import random, socket, threading


def quiet_port():
    """A free port below the range from which the kernel gives ports to programs that ask for any: nobody gets it while its server is
    away."""
    while True:
        port = random.randrange(20_000, 32_000)
        try:
            socket.create_server(("127.0.0.1", port)).close()
            return port
        except OSError:
            continue


class Wire:
    def __init__(self, port):
        self.there, self.plugs, self.heads = port, [], []
        self.place = ("127.0.0.1", quiet_port())
        self.mend()

    def mend(self):
        self.listener = socket.create_server(self.place)
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def cut(self):
        # A thread that waits in `accept` keeps a socket that is only closed.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        plugs, self.plugs = self.plugs, []
        for plug in plugs:
            try:
                plug.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def accept(self, listener):
        while True:
            try:
                near = listener.accept()[0]
                far = socket.create_connection(("127.0.0.1", self.there))
            except OSError:
                return
            self.plugs += [near, far]
            threading.Thread(target=self.carry, args=(near, far, self.heads), daemon=True).start()
            threading.Thread(target=self.carry, args=(far, near, []), daemon=True).start()

    @staticmethod
    def carry(source, sink, heads):
        try:
            while piece := source.recv(1 << 16):
                heads.append(piece.split(b"\r\n")[0].decode(errors="replace"))
                sink.sendall(piece)
        except OSError:
            pass
        for plug in (source, sink):
            try:
                plug.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    @property
    def address(self):
        return f"http://127.0.0.1:{self.place[1]}/"
