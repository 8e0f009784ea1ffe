"""The tools of the bench: installs or fetches missing ones, and returns where each is."""

import os
import pathlib
import shutil
import subprocess

# qemu and similar tools are small and useful; the kernel and bluez are only unpacked: a machine that runs tests should not
# get a boot loader entry or a Bluetooth daemon.
INSTALLED = ["qemu-system-x86", "busybox-static", "cpio", "python3-venv", "gcc", "libc6-dev",
             "libglib2.0-0", "libreadline8"]
WHEELS = pathlib.Path(__file__).with_name("wheels.txt")

# Only for the central on bleak: the libraries of its daemons, and its packages.
DAEMON_LIBRARIES = ["libapparmor1", "libasound2", "libaudit1", "libcap-ng0", "libdbus-1-3", "libdw1", "libexpat1",
                    "libselinux1", "libsystemd0"]
BLEAK = pathlib.Path(__file__).with_name("bleak.txt")

DEBIAN_PYTHON = pathlib.Path("/usr/bin/python3").resolve()


class Pieces:
    def __init__(self, cache: pathlib.Path):
        self.cache = cache
        cache.mkdir(parents=True, exist_ok=True)
        self.install(INSTALLED)
        self.kernel, self.modules = self._kernel()
        self.tools = self._unpacked("bluez") / "usr/bin"
        self.python = self._venv()
        wheel = next(self.cache.glob("venv/lib/python3*/site-packages/rootcanal/bin/linux-x86_64"))
        self.rootcanal = wheel / "rootcanal"
        self.busybox = pathlib.Path(shutil.which("busybox") or "/bin/busybox")
        self.qemu = pathlib.Path("/usr/bin/qemu-system-x86_64")

    def daemons(self) -> list[pathlib.Path]:
        """dbus-daemon, bluetoothd, and the tool that queries the version of the latter."""
        self.install(DAEMON_LIBRARIES)
        bluez = self._unpacked("bluez")
        return [self._unpacked("dbus-daemon") / "usr/bin/dbus-daemon", bluez / "usr/libexec/bluetooth/bluetoothd",
                bluez / "usr/bin/bluetoothctl"]

    def bleak(self) -> pathlib.Path:
        return self.python_packages("bleak", BLEAK)

    def python_packages(self, name: str, listed: pathlib.Path) -> pathlib.Path:
        """A folder of packages for Debian's Python."""
        folder = self.cache / name
        stamp = folder / "wheels"
        if not stamp.exists() or stamp.read_text() != listed.read_text():
            print("fetching", name, flush=True)
            shutil.rmtree(folder, ignore_errors=True)
            version = DEBIAN_PYTHON.name.removeprefix("python")
            _quiet([str(self.python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps",
                    "--only-binary", ":all:", "--python-version", version, "--target", str(folder),
                    "--require-hashes", "-r", str(listed)], self.cache)
            stamp.write_text(listed.read_text())
        return folder

    def install(self, names: list[str]):
        missing = [name for name in names if not _is_installed(name)]
        if not missing:
            return
        print("installing", *missing, flush=True)
        as_root = [] if os.geteuid() == 0 else ["sudo"]
        _quiet(as_root + ["apt-get", "update", "-q"], self.cache)
        _quiet(as_root + ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-q", "-y",
                          "--no-install-recommends"] + missing, self.cache)

    def _unpacked(self, package: str) -> pathlib.Path:
        """A Debian package, downloaded and unpacked into the cache."""
        folder = self.cache / "debian" / package
        if folder.exists():
            return folder
        print("fetching", package, flush=True)
        partial = self.cache / "debian" / f"{package}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        (partial / "root").mkdir(parents=True)
        if not _can_download(package):
            _quiet(([] if os.geteuid() == 0 else ["sudo"]) + ["apt-get", "update", "-q"], self.cache)
        _quiet(["apt-get", "download", "-q", package], partial)
        _quiet(["dpkg", "-x", str(next(partial.glob("*.deb"))), str(partial / "root")], self.cache)
        (partial / "root").rename(folder)
        shutil.rmtree(partial)
        return folder

    def _kernel(self):
        """The image and the folder of modules of Debian's current kernel, kept until the cache is removed."""
        found = sorted((self.cache / "debian").glob("linux-image-*-amd64"))
        folder = found[-1] if found else self._unpacked(_kernel_package(self.cache))
        version = next((folder / "lib/modules").iterdir())
        if not (version / "modules.dep").exists():
            _quiet(["busybox", "depmod", "-b", str(folder.resolve()), version.name], self.cache)
        return folder / "boot" / f"vmlinuz-{version.name}", version

    def _venv(self) -> pathlib.Path:
        venv = self.cache / "venv"
        stamp = venv / "wheels"
        if not stamp.exists() or stamp.read_text() != WHEELS.read_text():
            print("fetching rootcanal and bumble", flush=True)
            shutil.rmtree(venv, ignore_errors=True)
            _quiet(["python3", "-m", "venv", str(venv)], self.cache)
            _quiet([str(venv / "bin/pip"), "install", "-q", "--disable-pip-version-check", "--require-hashes",
                    "-r", str(WHEELS)], self.cache)
            stamp.write_text(WHEELS.read_text())
        return venv / "bin/python"


def _is_installed(package: str) -> bool:
    status = subprocess.run(["dpkg-query", "-W", "-f", "${Status}", package], capture_output=True, text=True)
    return status.stdout == "install ok installed"


def _can_download(package: str) -> bool:
    return subprocess.run(["apt-cache", "show", package], capture_output=True).returncode == 0


def _kernel_package(cache: pathlib.Path) -> str:
    """linux-image-amd64 is empty; it depends on the package of the current version."""
    if not _can_download("linux-image-amd64"):
        _quiet(([] if os.geteuid() == 0 else ["sudo"]) + ["apt-get", "update", "-q"], cache)
    depends = subprocess.run(["apt-cache", "depends", "linux-image-amd64"], capture_output=True, text=True)
    names = [word for word in depends.stdout.split() if word.startswith("linux-image-") and word[12].isdigit()]
    return names[0]


def _quiet(command: list[str], folder: pathlib.Path):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise SystemExit(f"bench: {' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
