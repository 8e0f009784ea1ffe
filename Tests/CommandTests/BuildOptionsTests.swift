import ArgumentParser
import MCUboot
import Testing
import UpdateModel

@testable import CommandKit
@testable import FileCommands

private let suota = ["in.bin", "out.img"]
private let fbeacon = ["in.bin", "out.fbu", "--model", "BP102", "--version-end", "2"]
private let key = "00112233445566778899aabbccddeeff"
private let vector = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"

/// Why a command line is refused, as printed; nil if it is accepted.
private func refusal(_ command: (some RunningCommand).Type, _ arguments: [String]) -> String? {
    do {
        _ = try command.parse(arguments)
        return nil
    } catch {
        return command.exitCode(for: error).rawValue == 64 ? command.fullMessage(for: error) : "\(error)"
    }
}

@Suite struct `The options of build suota` {
    /// Invalid options, with the error.
    static let wrong: [([String], String)] = [
        ([], "--header"), (["--header", "58x"], "--version"), (["--version", "1"], "--header"),
        (["--header", "57x", "--version", "1"], "57x"),
        (["--header", "58x", "--version", "1234567890123456"], "1 to 15 characters"),
        (["--header", "58x", "--version", ""], "1 to 15 characters"),
        (["--header", "58x", "--version", "1.ü"], "printable ASCII"),
        (["--header", "58x", "--version", "1\n"], "printable ASCII"),
        (["--header", "58x", "--version", "1", "--timestamp", "4294967296"], "--timestamp"),
        (["--header", "58x", "--version", "1", "--timestamp", "2023-02-30T00:00:00Z"], "--timestamp"),
        (["--header", "58x", "--version", "1", "--timestamp", "1969-12-31T23:59:59Z"], "--timestamp"),
        (["--header", "58x", "--version", "1", "--timestamp", "2023-11-14T22:13:20+01:00"], "--timestamp"),
        (["--header", "58x", "--version", "1", "--timestamp", "yesterday"], "--timestamp"),
        (["--header", "58x", "--version", "1", "--timestamp", ""], "--timestamp"),
        (["--header", "58x", "--version", "1", "--image-id", "256"], "--image-id"),
        (["--header", "58x", "--version", "1", "--image-id", "+1"], "--image-id"),
        (["--header", "58x", "--version", "1", "--image-id", "0x"], "--image-id"),
        (["--header", "58x", "--version", "1", "--image-id", "010"], "without a leading 0"),
        (["--header", "58x", "--version", "1", "--payload-offset", "64"], "always 64"),
        (["--header", "68x", "--version", "1", "--image-id", "1"], "for 58x"),
        (["--header", "68x", "--version", "1", "--payload-offset", "35"], "36 to 65536"),
        (["--header", "69x", "--version", "1", "--payload-offset", "65537"], "34 to 65536"),
        (["--header", "69x", "--version", "1", "--key", key, "--iv", vector], "only 58x"),
        (["--header", "58x", "--version", "1", "--iv", vector], "belong together"),
        (["--header", "58x", "--version", "1", "--key", key], "belong together"),
        (
            ["--header", "58x", "--version", "1", "--key", key, "--key-file", "x", "--iv", vector],
            "not both"
        ),
    ]

    @Test(arguments: wrong) func `are refused with the reason`(_ options: [String], _ words: String) {
        let message = refusal(BuildSUOTA.self, suota + options)
        #expect(message?.contains(words) == true, "\(message ?? "taken")")
        #expect(message?.contains("Usage: ") == true)
        #expect(message?.contains(key) == false)
    }

    @Test func `are accepted up to their limits`() {
        for options in [
            ["--header", "58x", "--version", "123456789012345", "--image-id", "255"],
            ["--header", "531", "--version", " ~", "--image-id", "0xff", "--timestamp", "4294967295"],
            ["--header", "68x", "--version", "1", "--payload-offset", "36", "--timestamp", "0"],
            ["--header", "69x", "--version", "1", "--payload-offset", "0x10000"],
            ["--header", "58x", "--version", "1", "--timestamp", "1970-01-01T00:00:00Z"],
            ["--header", "58x", "--version", "1", "--timestamp", "2106-02-07T06:28:15Z"],
        ] {
            #expect(refusal(BuildSUOTA.self, suota + options) == nil)
        }
    }
}

@Suite struct `The options of build mcuboot` {
    private static let image = ["in.bin", "out.bin", "--version", "1.2.3"]
    private static let package = ["in.bin", "out.zip", "--version", "1.2.3"]

    /// Invalid options, with the error.
    static let wrong: [([String], String)] = [
        (["in.bin", "out.bin"], "--version"), (["in.bin", "out.bin", "--version", "1.2.3-4"], "1.2.3-4"),
        (["in.bin", "out.bin", "--version", "256.0.0"], "256.0.0"),
        (image + ["--header-size", "31"], "at least 32"),
        (image + ["--header-size", "65536"], "--header-size"),
        (image + ["--load-address", "1", "--rom-fixed", "2"], "not both"),
        (image + ["--load-address", "0"], "cannot be 0"), (image + ["--rom-fixed", "0x0"], "cannot be 0"),
        (image + ["--security-counter=-1"], "or auto"),
        (image + ["--dependency", "1"], "1=2.0.1"), (image + ["--dependency", "256=1.0.0"], "256=1.0.0"),
        (image + ["--custom-tlv", "0x40=00"], "from 0xa0"), (image + ["--custom-tlv", "0xa0=0"], "0xa0=0"),
        (image + ["--pad"], "--pad needs --slot-size"),
        (image + ["--confirm"], "--confirm needs --slot-size"),
        (image + ["--align", "4"], "--align needs"), (image + ["--max-align", "8"], "--max-align needs"),
        (image + ["--max-sectors", "4"], "--max-sectors needs"),
        (image + ["--overwrite-only"], "--overwrite-only needs"),
        (image + ["--slot-size", "0x1000", "--max-align", "4"], "8, 16, 32"),
        (image + ["--slot-size", "0x1000", "--align", "3"], "1, 2, 4, 8, 16, 32"),
        (image + ["--slot-size", "0x1000", "--align", "16", "--max-align", "8"], "16, 32 with --align 16"),
        (["in.bin", "out.hex", "--version", "1.2.3"], "ends with .bin"),
        (image + ["--slot-size", "0x1000", "--pad", "--confirm"], "without --pad"),
        (image + ["--erased-val", "1"], "0xff or 0"), (image + ["--pure"], "--key-file"),
        (image + ["--public-key-format", "full"], "--key-file"),
        (image + ["--key-file", "k", "--pure", "--sha", "256"], "--sha 512"),
        (image + ["--key-file", "k", "--pure", "--sha", "384"], "--sha 512"),
        (image + ["--add-image", "1=net.bin"], ".zip"), (image + ["--board", "b"], ".zip"),
        (image + ["--name", "n"], ".zip"), (image + ["--soc", "s"], ".zip"),
        (image + ["--slot", "0"], ".zip"), (package + ["--slot", "2"], "0 or 1"),
        (package + ["--add-image", "net.bin"], "1=network.bin"), (package + ["--add-image", "8=n"], "8=n"),
        (package + ["--add-image", "0/2=n"], "0/2=n"), (package + ["--add-image", "1="], "'1='"),
        (package + ["--slot-size", "0x1000", "--confirm"], "with a programmer"),
        (package + ["--slot-size", "0x1000", "--pad"], "with a programmer"),
        (["in.bin", "out.HEX", "--version", "1.2.3"], "ends with .bin"),
        (
            ["in.bin", "out.ZIP", "--version", "1.2.3", "--add-image", "0=app.bin"],
            "the same slot of image 0"
        ),
        (
            package + ["--add-image", "0=app.bin"],
            "--add-image 0=app.bin and the program are for the same slot"
        ),
        (
            package + ["--add-image", "0/1=app.bin", "--slot", "1"],
            "--add-image 0/1=app.bin and the program with --slot 1 are for"
        ),
        (
            package + ["--add-image", "1=a.bin", "--add-image", "1/0=b.bin"],
            "--add-image 1/0=b.bin and --add-image 1=a.bin are for the same slot of image 1"
        ),
        (
            package + ["--add-image", "1/0=a.bin", "--add-image", "1=b.bin"],
            "--add-image 1=b.bin and --add-image 1/0=a.bin are for the same slot of image 1"
        ),
        (package + ["--add-image", "1=x/a.bin", "--add-image", "2=y/a.bin"], "would both be a.bin"),
        (package + ["--add-image", #"1=x\a.bin"#], "cannot be the name"),
        (package + ["--add-image", "1=in.signed.bin"], "would both be in.signed.bin"),
        (package + ["--add-image", "1=we..ird.bin"], "'we..ird.bin' cannot be the name"),
        (package + ["--add-image", "1=x/manifest.json"], "give the file another name"),
        (["we..ird.bin", "out.zip", "--version", "1.2.3"], "give the program another name"),
    ]

    @Test(arguments: wrong) func `are refused with the reason`(_ options: [String], _ words: String) {
        let message = refusal(BuildMCUboot.self, options)
        #expect(message?.contains(words) == true, "\(message ?? "taken")")
    }

    @Test func `are accepted up to their limits`() {
        for options in [
            Self.image, Self.package, Self.image + ["--header-size", "32", "--pad-header"],
            Self.image + [
                "--security-counter", "auto", "--dependency", "1=2.0.1+5", "--dependency", "255=1",
            ],
            Self.image + [
                "--slot-size", "0xffffffff", "--align", "32", "--max-sectors", "65535", "--confirm",
            ],
            Self.image + ["--custom-tlv", "0xa0=", "--custom-tlv", "0xfffe=ff", "--boot-record", "CoFM"],
            Self.image + ["--key-file", "k", "--pure", "--sha", "512", "--public-key-format", "full"],
            Self.package + ["--add-image", "7=net.bin", "--add-image", "0/1=a=b.bin", "--slot", "0"],
        ] {
            #expect(refusal(BuildMCUboot.self, options) == nil, "\(options)")
        }
    }

    @Test func `are all in the recipe of the image`() throws {
        let plain = try BuildMCUboot.parse(Self.image)
        let usual = try plain.image.recipe([1])
        #expect(
            usual.header == .included(bytes: 0x200) && usual.address == .anySlot && plain.slot.slot == nil)
        #expect(plain.slot.erased == 0xFF && usual.securityCounter == nil)
        let command = try BuildMCUboot.parse(
            Self.image + [
                "--header-size", "0x40", "--pad-header", "--security-counter", "auto", "--dependency",
                "1=2.0.1",
                "--load-address", "0x20000000", "--custom-tlv", "0xa0=c0ffee", "--boot-record", "CoFM",
                "--slot-size", "0x8000", "--align", "16", "--max-align", "32", "--max-sectors", "64",
                "--overwrite-only", "--pad", "--erased-val", "0",
            ])
        let recipe = try command.image.recipe([1])
        #expect(recipe.header == .added(bytes: 0x40) && recipe.address == .ram(0x2000_0000))
        #expect(recipe.securityCounter == recipe.version.securityCounter)
        #expect(recipe.dependencies.map(\.image) == [1] && recipe.bootRecord == "CoFM")
        #expect(recipe.vendorTLVs.map(\.value) == [[0xC0, 0xFF, 0xEE]])
        let slot = try #require(command.slot.slot)
        #expect(slot.bytes == 0x8000 && slot.alignment == 16 && slot.maximumAlignment == 32)
        #expect(slot.sectors == 64 && slot.isOverwritten && slot.filling == .trailer)
        #expect(command.slot.erased == 0)
        let fixed = try BuildMCUboot.parse(
            Self.image + ["--rom-fixed", "0x8000", "--slot-size", "0x8000", "--confirm"])
        #expect(try fixed.image.recipe([1]).address == .fixed(0x8000))
        #expect(fixed.slot.slot?.filling == .confirmed)
    }
}

@Suite struct `The options of build fbeacon` {
    /// Invalid options, with the error.
    static let wrong: [([String], String)] = [
        (["in.bin", "out.fbu"], "--version-end"),
        (["in.bin", "out.fbu", "--version-end", "2"], "give the model"),
        (["in.bin", "out.fbu", "--model", "BP999", "--version-end", "2"], "BP999"),
        (["in.bin", "out.fbu", "--model", "65536", "--version-end", "2"], "65536"),
        (["in.bin", "out.fbu", "--model", "-1", "--version-end", "2"], "--model"),
        (["in.bin", "out.fbu", "--model", "21", "--version-end", "65536"], "--version-end"),
        (
            ["in.bin", "out.fbu", "--model", "21", "--version-start", "3", "--version-end", "2"],
            "above --version-end"
        ),
        (
            ["in.bin", "out.fbu", "--model", "21", "--version-end", "2", "--bootloader", "70000"],
            "--bootloader"
        ),
        (
            ["in.bin", "out.fbu", "--model", "BP102", "--model-type", "BP109", "--version-end", "2"],
            "different models"
        ),
        (["in.bin", "out.fbu", "--model-type", "", "--version-end", "2"], "1 to 32 characters"),
        (["in.bin", "out.fbu", "--model-type", "Ä", "--version-end", "2"], "printable ASCII"),
        (
            ["in.bin", "out.fbu", "--model-type", String(repeating: "a", count: 33), "--version-end", "2"],
            "33 bytes"
        ),
        (fbeacon + ["--version-text", String(repeating: "ü", count: 17)], "34 bytes"),
        (fbeacon + ["--version-text", ""], "--version-text"),
        (fbeacon + ["--note", String(repeating: "n", count: 256)], "256 bytes"),
        (fbeacon + ["--built-at", "noon"], "--built-at"),
    ]

    @Test(arguments: wrong) func `are refused with the reason`(_ arguments: [String], _ words: String) {
        let message = refusal(BuildFBeacon.self, arguments)
        #expect(message?.contains(words) == true, "\(message ?? "taken")")
        #expect(message?.contains("Usage: ") == true)
    }
}

@Suite struct `An encryption key` {
    @Test(arguments: [String(key.dropLast(2)), key + "00", String(key.dropLast()), "0x" + key, ""])
    func `has 32 hexadecimal digits`(_ text: String) {
        #expect(throws: CommandFailure.self) { try EncryptionOptions.block(text, of: "it", exit: .usage) }
    }
}

@Suite struct `The time of a build` {
    @Test(arguments: ["", "now", "-1", "4294967296", "+1", "1.5", "\u{0661}"])
    func `is not taken from a variable that is not a number`(_ text: String) {
        #expect(throws: (any Error).self) { try TimeArgument.reproducible(["SOURCE_DATE_EPOCH": text]) }
    }

    @Test func `is that of the variable, or 0`() throws {
        #expect(try TimeArgument.reproducible(["SOURCE_DATE_EPOCH": "1700000000"]).seconds == 1_700_000_000)
        #expect(try TimeArgument.reproducible([:]).seconds == 0)
    }
}
