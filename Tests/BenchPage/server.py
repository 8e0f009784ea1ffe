"""The program that serves the page."""
import os, select, subprocess, time


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

    def sign_in(self, role):
        """The address that signs in as `role`, once."""
        return f"{self.address}#token={self.tokens.pop(role)}"

    def acted(self):
        """The actions so far, a line each."""
        self.token("viewer")
        return [line for line in self.lines if line.startswith("action ")]

    @property
    def port(self):
        return int(self.address.rstrip("/").rsplit(":", 1)[1])

    def wait(self, beginning, limit=20):
        """The next line with this beginning."""
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
        """Ends it; a second call does nothing."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()
