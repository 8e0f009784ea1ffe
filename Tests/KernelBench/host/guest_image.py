"""The initramfs of the guest, kept in the cache, and the folder of programs that it mounts."""

import hashlib
import pathlib
import re
import shutil
import subprocess

from host.pieces import DEBIAN_PYTHON, Pieces

GUEST = pathlib.Path(__file__).parent.parent / "guest"


def initramfs(pieces: Pieces) -> pathlib.Path:
    sources = sorted(GUEST.iterdir()) + [pathlib.Path(__file__)]
    digest = hashlib.sha256(pieces.modules.name.encode())
    for source in sources:
        digest.update(source.read_bytes())
    image = pieces.cache / f"initramfs-{digest.hexdigest()[:16]}"
    if image.exists():
        return image
    for old in pieces.cache.glob("initramfs-*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    root = pieces.cache / "initramfs-root"
    (root / "bin").mkdir(parents=True)
    (root / "modules").mkdir()
    (root / "etc").mkdir()
    (root / "lib64").mkdir()
    shutil.copy2(pieces.busybox, root / "bin/busybox")
    shutil.copy2(GUEST / "init", root / "init")
    (root / "init").chmod(0o755)
    (root / "etc/passwd").write_text("root:x:0:0::/tmp:/bin/sh\nuser:x:1000:1000::/tmp:/bin/sh\n")
    (root / "etc/group").write_text("root:x:0:\nuser:x:1000:\n")
    (root / "lib64/ld-linux-x86-64.so.2").symlink_to("/bench/lib/ld-linux-x86-64.so.2")
    for program in ["vhci-bridge", "probe", "connectors", "autoconnect"]:
        subprocess.run(["gcc", "-static", "-O1", "-Wall", "-Werror", "-o", root / "bin" / program,
                        GUEST / f"{program}.c"], check=True)
    order = _load_order(pieces.modules)
    for module in order:
        shutil.copy2(pieces.modules / module, root / "modules" / pathlib.Path(module).name)
    (root / "modules/order").write_text("".join(pathlib.Path(module).name + "\n" for module in order))
    files = "\n".join(str(path.relative_to(root)) for path in sorted(root.rglob("*")))
    with open(image.with_suffix(".partial"), "wb") as out:
        subprocess.run(["cpio", "-o", "-H", "newc", "--quiet", "-R", "0:0"], cwd=root, input=files.encode(),
                       stdout=out, check=True)
    image.with_suffix(".partial").rename(image)
    shutil.rmtree(root)
    return image


def _load_order(modules: pathlib.Path) -> list[str]:
    """The requested modules, each after its dependencies. modules.dep lists them, but in no useful order."""
    depends, paths = {}, {}
    for line in (modules / "modules.dep").read_text().splitlines():
        path, _, rest = line.partition(":")
        paths[_name(path)] = path
        depends[_name(path)] = [_name(other) for other in rest.split()]
    order: list[str] = []

    def add(name: str):
        for other in depends[name]:
            if paths[other] not in order:
                add(other)
        if paths[name] not in order:
            order.append(paths[name])

    built_in = {_name(line) for line in (modules / "modules.builtin").read_text().splitlines()}
    for line in (GUEST / "modules.txt").read_text().splitlines():
        name = line.strip()
        # busybox depmod also writes lines for modules that do not exist, so built-in ones are checked first.
        if name and not name.startswith("#") and name not in built_in:
            add(name)
    return order


def _name(path: str) -> str:
    return pathlib.Path(path).name.split(".")[0].replace("-", "_")


def stage(program: pathlib.Path, folder: pathlib.Path):
    """Copies a program and its shared libraries to where the guest finds them."""
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    (folder / "lib").mkdir(exist_ok=True)
    shutil.copy2(program, folder / "bin" / program.name)
    listed = subprocess.run(["ldd", str(program)], capture_output=True, text=True).stdout
    if "not found" in listed:
        raise SystemExit(f"bench: {program} lacks a library:\n{listed}")
    for path in re.findall(r"(/\S+) \(0x", listed):
        shutil.copy2(path, folder / "lib" / pathlib.Path(path).name)


def stage_python(packages: list[pathlib.Path], folder: pathlib.Path):
    """Copies Debian's Python, with packages, to where the guest finds it as `python`. Others may lack Bluetooth sockets."""
    home = folder / "python"
    library = pathlib.Path("/usr/lib") / DEBIAN_PYTHON.name
    for source, place in [(library, home / "lib" / library.name)] + [(one, home / "packages") for one in packages]:
        shutil.copytree(source, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns(
            "__pycache__", "test", "rootcanal", "pip", "idlelib", "dist-packages", "config-*"))
    # The guest cannot write its bytecode here, and would compile it again in each run.
    subprocess.run([DEBIAN_PYTHON, "-m", "compileall", "-q", "-j", "0", home], check=True, stdout=subprocess.DEVNULL)
    stage(DEBIAN_PYTHON, folder)
    for extension in home.rglob("*.so"):
        stage(extension, home / "unused")
    for found in (home / "unused/lib").iterdir():
        shutil.copy2(found, folder / "lib" / found.name)
    shutil.rmtree(home / "unused")
    wrapper = folder / "bin/python"
    wrapper.write_text("#!/bin/sh\nexport PYTHONHOME=/bench/python PYTHONPATH=/bench/python/packages\n"
                       f"exec {DEBIAN_PYTHON.name} \"$@\"\n")
    wrapper.chmod(0o755)
