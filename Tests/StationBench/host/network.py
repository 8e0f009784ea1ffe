"""Machines in a network of their own: namespaces, joined by a bridge in a namespace that is the work server's machine."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess

from host.room import Room

PREFIX = "sb-"


def ip(*words, check=True) -> str:
    done = subprocess.run(["ip", *map(str, words)], capture_output=True, text=True)
    if check and done.returncode != 0:
        raise OSError(f"ip {' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def namespaces_flaw() -> str | None:
    """Why there can be no namespaces; None if there can."""
    if not shutil.which("ip"):
        return "there is no ip (iproute2)"
    if os.geteuid() != 0:
        return "network namespaces need root"
    name = f"{PREFIX}{os.getpid()}-probe"
    try:
        ip("netns", "add", name)
        ip("netns", "del", name)
    except OSError as error:
        return f"no network namespaces here: {error}"
    return None


def root_flaw() -> str | None:
    return None if os.geteuid() == 0 else "a file system of its own needs root"


def compiler_flaw() -> str | None:
    return None if shutil.which("cc") else "there is no cc, which compiles the wrong clock"


def openssl_flaw() -> str | None:
    return None if shutil.which("openssl") else "there is no openssl, which makes certificates"


NEEDS = {"namespaces": namespaces_flaw, "root": root_flaw, "clock": compiler_flaw, "openssl": openssl_flaw}


def sweep():
    """Deletes the remains of a bench that was killed with -9."""
    with contextlib.suppress(OSError):
        for line in ip("netns", "list", check=False).splitlines():
            found = re.match(rf"{PREFIX}(\d+)-", line)
            if found and not pathlib.Path(f"/proc/{found[1]}").exists():
                ip("netns", "del", line.split()[0], check=False)


class Host:
    """A machine: its namespace and its address."""

    def __init__(self, network, number):
        self.network = network
        self.number = number
        self.namespace = f"{network.prefix}-h{number}"
        self.address = f"10.9.0.{10 + number}"
        self.port = f"p{number}"


class Network:
    """The work server's machine with a bridge, and stations on it."""

    count = 0

    def __init__(self, room: Room, doors=1):
        Network.count += 1
        self.room = room
        self.prefix = f"{PREFIX}{os.getpid()}-{Network.count}"
        self.hub = f"{self.prefix}-hub"
        # The work server's machine can have several addresses: benches that share a machine are cut off one by one.
        self.doors = [f"10.9.0.{1 + door}" for door in range(doors)]
        self.address = self.doors[0]
        self.hosts = []
        self._namespace(self.hub)
        ip("-n", self.hub, "link", "add", "b0", "type", "bridge")
        for door in self.doors:
            ip("-n", self.hub, "addr", "add", f"{door}/24", "dev", "b0")
        ip("-n", self.hub, "link", "set", "b0", "up")

    def _namespace(self, name):
        ip("netns", "add", name)
        self.room.callback(ip, "netns", "del", name, check=False)
        ip("-n", name, "link", "set", "lo", "up")

    def host(self) -> Host:
        """Another machine."""
        host = Host(self, len(self.hosts) + 1)
        self.hosts.append(host)
        self._namespace(host.namespace)
        ip("-n", self.hub, "link", "add", host.port, "type", "veth", "peer", "name", "eth0", "netns", host.namespace)
        ip("-n", self.hub, "link", "set", host.port, "master", "b0", "up")
        ip("-n", host.namespace, "addr", "add", f"{host.address}/24", "dev", "eth0")
        ip("-n", host.namespace, "link", "set", "eth0", "up")
        return host

    def cut(self, host):
        """Drops all packets, in both directions."""
        ip("-n", self.hub, "link", "set", host.port, "down")

    def deafen(self, host):
        """The host's packets arrive; the answers to it do not."""
        # To an address that no card has. (A route to nowhere would also let the packets from there be dropped as martian.)
        ip("-n", self.hub, "neigh", "replace", host.address, "lladdr", "02:00:00:00:00:99", "dev", "b0", "nud", "permanent")

    def shut(self, host, door):
        """The host's packets to one address of the work server are dropped."""
        ip("-n", host.namespace, "neigh", "replace", door, "lladdr", "02:00:00:00:00:99", "dev", "eth0", "nud", "permanent")

    def open(self, host, door):
        """They arrive again."""
        ip("-n", host.namespace, "neigh", "del", door, "dev", "eth0", check=False)

    def mend(self, host):
        """Restores the network."""
        ip("-n", self.hub, "link", "set", host.port, "up")
        ip("-n", self.hub, "neigh", "del", host.address, "dev", "b0", check=False)

    def traffic(self, host) -> tuple[int, int]:
        """Bytes that the host has sent and received, Ethernet headers included."""
        link = json.loads(ip("-n", self.hub, "-s", "-j", "link", "show", host.port))[0]["stats64"]
        return link["rx"]["bytes"], link["tx"]["bytes"]
