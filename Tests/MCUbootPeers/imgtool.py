"""Compares `beacon-dfu build mcuboot` with imgtool, the tool of MCUboot itself.

    imgtool.py PROGRAM

For each row of the table both programs make an image of the same input with the same options. "same" says whether the bytes
are the same; signatures of P-256 are random in imgtool, so there everything but the signature is compared. "theirs" says
whether imgtool accepts the image of PROGRAM, "ours" whether PROGRAM accepts imgtool's with the public key, and refuses it with
another key. Exits with 1 if one of them fails. Run by the Python of an environment with imgtool (imgtool.txt).
"""
import os
import random
import struct
import subprocess
import sys
import tempfile

from intelhex import IntelHex

IMGTOOL = os.path.join(os.path.dirname(sys.executable), "imgtool")
KEYS = {"p256": "ecdsa-p256", "ed25519": "ed25519", "p384": "ecdsa-p384", "rsa2048": "rsa-2048", "rsa3072": "rsa-3072"}
SIGNED_BY_US = ["p256", "ed25519"]
#: Options of imgtool and, where they differ, ours.
HEADERS = [
    ("header 32", ["-H", "0x20", "--pad-header"], ["--header-size", "0x20", "--pad-header"], "code.bin"),
    ("header 512", ["-H", "0x200", "--pad-header"], ["--pad-header"], "code.bin"),
    ("room for 512", ["-H", "0x200"], [], "roomy.bin"),
    ("hex", ["-H", "0x200"], [], "roomy.hex"),
]
CONTENTS = [
    ("", [], []),
    ("counter", ["-s", "7"], ["--security-counter", "7"]),
    ("auto counter", ["-s", "auto"], ["--security-counter", "auto"]),
    ("dependencies", ["-d", "(1, 2.0.1+5), (2, 1.0.0)"], ["--dependency", "1=2.0.1+5", "--dependency", "2=1.0.0"]),
    ("boot record", ["--boot-record", "CoFM"], ["--boot-record", "CoFM"]),
    ("custom TLVs", ["--custom-tlv", "0xa0", "0xc0ffee", "--custom-tlv", "0x1fe", "0x00"],
     ["--custom-tlv", "0xa0=c0ffee", "--custom-tlv", "0x1fe=00"]),
    ("fixed", ["-F", "0xC000"], ["--rom-fixed", "0xC000"]),
    ("RAM", ["-L", "0x20000000"], ["--load-address", "0x20000000"]),
    ("everything",
     ["-s", "1", "-d", "(1, 1.0.0)", "--boot-record", "A", "--custom-tlv", "0xfffe", "0x01", "-F", "0x8000"],
     ["--security-counter", "1", "--dependency", "1=1.0.0", "--boot-record", "A", "--custom-tlv", "0xfffe=01",
      "--rom-fixed", "0x8000"]),
]
SIGNATURES = [
    ("unsigned", None, []), ("SHA-384", None, ["--sha", "384"]), ("SHA-512", None, ["--sha", "512"]),
    ("P-256", "p256", []), ("P-256, whole key", "p256", ["--public-key-format", "full"]),
    ("Ed25519", "ed25519", []), ("Ed25519, SHA-512", "ed25519", ["--sha", "512"]),
    ("Ed25519, whole key", "ed25519", ["--public-key-format", "full"]), ("pure Ed25519", "ed25519", ["--pure"]),
]
SLOTS = [("", [])]
SLOTS += [(f"{flag[2:]} {align}", ["--align", str(align), flag]) for align in (1, 2, 4, 8, 16, 32)
          for flag in ("--pad", "--confirm")]
SLOTS += [
    ("unlike writes", ["--align", "4", "--max-align", "32", "--confirm"]),
    ("overwritten", ["--overwrite-only", "--pad"]), ("overwritten, confirmed", ["--overwrite-only", "--confirm"]),
    ("few sectors", ["--max-sectors", "16", "--align", "8", "--pad"]),
    ("erased to 0", ["--pad", "--erased-val", "0"]),
]


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=120)


def parts(image):
    """The bytes that are hashed, the TLVs after them, and what follows."""
    header, protected, body = struct.unpack_from("<HHI", image, 8)
    start = header + body + protected
    magic, total = struct.unpack_from("<HH", image, start)
    assert magic == 0x6907, "no TLV area"
    place, end, tlvs = start + 4, start + total, []
    while place < end:
        kind, length = struct.unpack_from("<HH", image, place)
        tlvs.append((kind, image[place + 4:place + 4 + length]))
        place += 4 + length
    assert place == end, "a TLV leaves its area"
    return image[:start], tlvs, image[end:]


def same(ours, theirs, is_random):
    if not is_random:
        return ours == theirs
    (hashed, tlvs, rest), (hashed2, tlvs2, rest2) = parts(ours), parts(theirs)
    # A padded image fills its slot whatever the length of the signature; the trailer is at the end.
    shortest = min(len(rest), len(rest2))
    return (hashed == hashed2 and tlvs[:-1] == tlvs2[:-1] and tlvs[-1][0] == tlvs2[-1][0] == 0x22
            and bool(rest) == bool(rest2) and (not rest or len(ours) == len(theirs))
            and rest[len(rest) - shortest:] == rest2[len(rest2) - shortest:])


class Bench:
    def __init__(self, program, folder):
        self.program, self.folder, self.rows, self.failures = program, folder, [], 0
        code = random.Random(1).randbytes(5003)
        self.write("code.bin", code)
        self.write("roomy.bin", bytes(0x200) + code)
        text = IntelHex()
        text.frombytes(bytes(0x200) + code, offset=0xC000)
        text.write_hex_file(self.path("roomy.hex"))
        for name, kind in KEYS.items():
            for key in (name, name + "-other"):
                self.must(run(IMGTOOL, "keygen", "-k", self.path(key + ".pem"), "-t", kind))
                self.write(key + ".pub", run(IMGTOOL, "getpub", "-e", "pem", "-k", self.path(key + ".pem")).stdout.encode())
                os.chmod(self.path(key + ".pem"), 0o600)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    @staticmethod
    def must(result):
        if result.returncode:
            raise SystemExit(f"imgtool.py: {' '.join(result.args)} failed\n{result.stdout}{result.stderr}")

    def theirs(self, source, options, key, target="theirs.bin"):
        words = ["sign", "-v", "1.2.3+4", "-S", "0x20000", *options]
        words += ["-k", self.path(key + ".pem")] if key else []
        self.must(run(IMGTOOL, *words, self.path(source), self.path(target)))
        return self.read(target)

    def ours(self, source, options, key):
        words = [self.program, "build", "mcuboot", self.path(source), self.path("ours.bin"), "--version", "1.2.3+4",
                 "--slot-size", "0x20000", "--overwrite", *options]
        words += ["--key-file", self.path(key + ".pem")] if key else []
        return run(*words)

    def validate(self, name, key):
        """The exit code of `validate`: 0 for an image that may be released, 1 for another one."""
        words = [self.program, "validate", self.path(name)]
        return run(*words, *(["--public-key", self.path(key)] if key else [])).returncode

    def accepts(self, name, key):
        """Whether the program accepts the image with its key, in both forms, and refuses it with another. An image
        without a signature is nothing to release."""
        if not key:
            return self.validate(name, None) == 1
        return (self.validate(name, key + ".pub") == 0 and self.validate(name, key + ".pem") == 0
                and self.validate(name, key + "-other.pub") == 1)

    def row(self, title, *verdicts):
        self.rows.append((title, ["-" if verdict is None else "yes" if verdict is True else "NO" for verdict in verdicts]))
        self.failures += sum(verdict is False for verdict in verdicts)

    def compare(self, title, header, contents, signature, slot):
        _, theirs, ours, source = header
        _, their_contents, our_contents = contents
        _, key, options = signature
        rest = options + slot[1]
        expected = self.theirs(source, theirs + their_contents + rest, key)
        made = self.ours(source, ours + our_contents + rest, key)
        if made.returncode:
            self.row(title + ": " + (made.stderr.strip().splitlines() or [""])[0], False, None, None)
            return
        image = self.read("ours.bin")
        verify = run(IMGTOOL, "verify", *(["-k", self.path(key + ".pub")] if key else []), self.path("ours.bin"))
        self.row(
            title, same(image, expected, key == "p256"), verify.returncode == 0,
            self.accepts("theirs.bin", key))

    def all(self):
        for header in HEADERS:
            for signature in SIGNATURES:
                self.compare(f"{header[0]}, {signature[0]}", header, CONTENTS[0], signature, SLOTS[0])
        for contents in CONTENTS[1:]:
            for signature in (SIGNATURES[0], SIGNATURES[3], SIGNATURES[5], SIGNATURES[8]):
                self.compare(f"{contents[0]}, {signature[0]}", HEADERS[0], contents, signature, SLOTS[0])
        for slot in SLOTS[1:]:
            for signature in (SIGNATURES[3], SIGNATURES[5]):
                self.compare(f"{slot[0]}, {signature[0]}", HEADERS[1], CONTENTS[0], signature, slot)
        # Keys with which this program only checks.
        for key in KEYS:
            if key not in SIGNED_BY_US:
                self.theirs("code.bin", HEADERS[0][1], key)
                self.row(f"signed by imgtool with {key}", None, None, self.accepts("theirs.bin", key))
        self.damaged()
        self.own_keys()

    def damaged(self):
        """One bit in each part of an image is noticed, whichever key signed it."""
        for key in KEYS:
            image = self.theirs("code.bin", HEADERS[0][1] + ["-s", "3"], key)
            hashed, tlvs, _ = parts(image)
            places = {"header": 20, "body": 40, "protected": len(hashed) - 1, "hash": len(hashed) + 8, "signature": len(image) - 1}
            for place, offset in places.items():
                changed = bytearray(image)
                changed[offset] ^= 1
                self.write("damaged.bin", changed)
                self.row(f"{key}, bit in {place}: refused", None, None, self.validate("damaged.bin", key + ".pub") in (1, 65))

    def own_keys(self):
        """imgtool reads the keys that this program makes."""
        for kind in SIGNED_BY_US:
            name = "made-" + kind
            self.must(run(self.program, "keys", "generate", self.path(name + ".pem"), "--type", kind))
            self.theirs("code.bin", HEADERS[0][1], name)
            self.row(f"our key of {kind}", None, True, self.validate("theirs.bin", name + ".pem") == 0)

    def table(self):
        width = max(len(title) for title, _ in self.rows)
        print(f"{'image':{width}}  same  theirs  ours")
        for title, (same_bytes, theirs, ours) in self.rows:
            print(f"{title:{width}}  {same_bytes:4}  {theirs:6}  {ours}")
        print(f"{len(self.rows)} rows, {self.failures} failed")


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(sys.argv[1]), folder)
        bench.all()
    bench.table()
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
