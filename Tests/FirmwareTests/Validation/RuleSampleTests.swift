import Bytes
import MCUboot
import Nordic
import TestSupport
import Testing
import UpdateModel

@testable import Firmware

/// A file that breaks one rule, and the settings of the gate that reveal it.
struct RuleSample: CustomTestStringConvertible, Sendable {
    let rule: String
    let file: String
    var set: @Sendable (inout Gate) throws -> Void = { _ in }
    /// Additional findings that are due to the kind of file.
    var beside: Set<String> = []

    var testDescription: String { "\(rule): \(file)" }

    init(
        _ rule: String, _ file: String, beside: Set<String> = [],
        _ set: @escaping @Sendable (inout Gate) throws -> Void = { _ in }
    ) {
        self.rule = rule
        self.file = file
        self.beside = beside
        self.set = set
    }

    /// The key of all samples (firmware-samples/README.md).
    static let key =
        "b69ff2602e6269e66cfa613b92b849c0686d35c674eb61c9319d5a25bad4fe60"
        + "992246d494c2a377519f7e2d0cb2f1f264bc2856e9e91aa499bcb80810fe0379"

    static func target(_ text: String) -> @Sendable (inout Gate) throws -> Void {
        { $0.target = try TargetDevice(parsing: text) }
    }

    /// The key of the MCUboot samples, the P-256 key of RFC 6979, A.2.5.
    private static let imageKey = SignatureKey(
        der: [UInt8](
            hex: "3059301306072a8648ce3d020106082a8648ce3d030107034200 04"
                + "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"))

    /// The Ed25519 key of the MCUboot samples, that of RFC 8032, 7.1, test 1.
    private static let ed25519Key = SignatureKey(
        der: [UInt8](
            hex: "302a300506032b6570032100 d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"))

    private static func catalogue(_ text: String) -> @Sendable (inout Gate) throws -> Void {
        { $0.catalogue = try Catalogue(files: [("test.yaml", Array(text.utf8))]) }
    }

    private static let bp102 = """
        catalogue: 1
        models: [{model: BP102, kind: fbeacon, number: 21, firmware: [{version: 99999}]}]
        """

    static let all: [RuleSample] =
        sameName + named + legacy + images + [
            RuleSample("signed-with-default-key", "malformed/signed-with-default-key.zip") {
                $0.options[NordicOptions.self].key = NordicPublicKey.defaultKey
            },
            RuleSample("unauthenticated", "dialog/58x.img"),
            RuleSample("archive-damaged", "malformed/entry-longer-than-declared.zip"),
            RuleSample("archive-too-large", "malformed/zip-bomb.zip"),
            RuleSample("archive-truncated", "malformed/truncated-zip.zip"),
            RuleSample("manifest-missing", "malformed/no-manifest.zip"),
            RuleSample("file-not-found", "malformed/no-such-file.zip"),
            RuleSample("signature-missing", "malformed/unsigned.zip"),
            RuleSample("unsigned", "malformed/unsigned.zip") { $0.options[NordicOptions.self].key = nil },
            RuleSample("key-not-given", "nordic/tiny.zip") { $0.options[NordicOptions.self].key = nil },
            RuleSample("file-name-pattern", "nordic/tiny.zip") {
                $0.rules = try RuleSet(parsing: Array("file-name: blinker-*.zip".utf8))
            },
            RuleSample("version-not-newer", "feasycom/bp102.fbu", Self.catalogue(Self.bp102)),
            RuleSample("target-model-unknown", "nordic/tiny.zip") {
                try catalogue(Self.bp102)(&$0)
                try target("model=BP1O2,hardware=52,softdevice=0x98,version=0")(&$0)
            },
            RuleSample("catalogue-model-unknown", "nordic/tiny.zip", Self.catalogue(Self.bp102)),
            RuleSample(
                "firmware-version-too-low", "nordic/tiny.zip", target("hardware=52,softdevice=0x98,version=2")
            ),
            RuleSample("hardware-version-mismatch", "nordic/tiny.zip", target("hardware=51")),
            RuleSample("softdevice-mismatch", "nordic/tiny.zip", target("hardware=52,softdevice=s132_6.1.1")),
            RuleSample(
                "insufficient-space", "nordic/tiny.zip",
                target("hardware=52,softdevice=0x98,version=0,room=63")),
            RuleSample("debug-refused", "malformed/debug.zip", beside: ["debug"], target("sdk=14.2")),
            RuleSample(
                "init-packet-invalid", "malformed/type-missing.zip", beside: ["type-missing"],
                target("hardware=52")),
            RuleSample("wrong-device", "feasycom/bp102.fbu", target("model=BP101")),
            RuleSample("wrong-family", "dialog/58x.img", target("chip=69x")),
            RuleSample(
                "bootloader-version-too-low", "feasycom/bp102.fbu",
                target("model=BP102,bootloader=1,version=0")),
            RuleSample(
                "target-up-to-date", "feasycom/bp102.fbu", target("model=BP102,bootloader=9999,version=840")
            ),
            RuleSample("downgrade", "feasycom/bp102.fbu", target("model=BP102,bootloader=9999,version=841")),
            RuleSample(
                "installed-version-too-low", "feasycom/bp102.fbu",
                target("model=BP102,bootloader=9999,version=799")),
            RuleSample("catalogue-mismatch", "nordic/tiny.zip") {
                try Self.catalogue(
                    "{catalogue: 1, models: [{model: B, kind: nordic-secure, hardware: 51}]}")(&$0)
                // A model alone does not describe a device.
                $0.target = try TargetDevice(parsing: "model=B,hardware=52,version=0,softdevice=0x98")
            },
            RuleSample("target-undecided", "nordic/tiny.zip", target("hardware=52")),
        ]

    /// Samples with the name of the rule that they break.
    private static let sameName: [RuleSample] = [
        "boot-validation-bytes.zip", "boot-validation-invalid.zip", "boot-validation-length-wrong.zip",
        "application-is-softdevice.zip", "softdevice-not-listed.zip", "softdevice-unrecognised.zip",
        "boot-validation-unknown.zip", "hash-length-wrong.zip", "op-code-unusual.zip",
        "sd-req-leading-zero.zip",
        "sd-req-none.zip", "sd-req-wildcard.zip", "boot-validation-too-long.zip", "debug.zip",
        "firmware-version-final.zip",
        "firmware-version-missing.zip",
        "hardware-version-missing.zip", "hash-missing.zip", "image-not-aligned.zip", "init-command-long.zip",
        "metadata-mismatch.zip", "sd-req-missing.zip", "sd-req-unknown.zip", "signature-type-unsupported.zip",
        "stray-entries.zip", "type-missing.zip", "unknown-field.zip", "file-empty.bin",
        "file-name-extension.bin",
        "image-encrypted.img", "image-exceeds-flash.img", "image-fills-bank.img", "payload-encrypted.dfu",
        "timestamp-future.img", "unknown-flags.img", "valid-flag-unusual.img",
        "hash-mismatch.zip", "manifest-not-json.zip",
        "manifest-without-parts.zip", "role-mismatch.zip", "size-mismatch.zip",
    ].map { file in RuleSample(String(file.prefix { $0 != "." }), "malformed/\(file)") }

    /// Samples with the name of their defect.
    private static let named: [RuleSample] =
        [
            ("archive-stray-bytes", "zip-two-faced.zip"), ("archive-split", "zip-disk.zip"),
            ("entry-header-mismatch", "zip-local-name.zip"), ("entry-overlap", "zip-overlap.zip"),
            ("entry-two-names", "zip-second-name.zip"), ("entry-not-a-file", "zip-link.zip"),
            ("manifest-encoding", "manifest-encoding.zip"),
            ("manifest-key-repeated", "manifest-key-repeated.zip"),
            ("entry-crc-mismatch", "bad-entry-crc.zip"), ("entry-name-unsafe", "path-escapes.zip"),
            ("entry-name-backslash", "backslash-name.zip"),
            ("entry-duplicate", "duplicate-entry.zip"), ("entry-encrypted", "encrypted-entry.zip"),
            ("entry-method-unsupported", "method-bzip2.zip"), ("entry-missing", "missing-bin.zip"),
            ("entry-empty", "empty-bin.zip"), ("manifest-field-invalid", "manifest-wrong-type.zip"),
            ("init-packet-malformed", "init-truncated.zip"), ("hash-type-unsupported", "hash-type-crc.zip"),
            ("sd-req-too-long", "sd-req-17-entries.zip"), ("signature-length-wrong", "signature-short.zip"),
            ("signature-invalid", "signature-wrong.zip"), ("parts-conflict", "two-system-parts.zip"),
            ("unsupported-file", "web-page.zip"),
            ("file-truncated", "suota-truncated.img"), ("trailing-bytes", "suota-trailing-bytes.img"),
            ("empty-payload", "suota-empty-payload.img"),
            ("payload-offset-invalid", "suota-offset-inside-header.img"),
            ("image-crc-mismatch", "suota-crc-mismatch.img"),
            ("header-crc-mismatch", "fbeacon-header-crc.fbu"), ("body-crc-mismatch", "fbeacon-body-crc.fbu"),
            ("image-hash-mismatch", "fbeacon-image-hash.fbu"),
            ("extension-malformed", "fbeacon-record-too-long.fbu"),
            ("version-range-reversed", "fbeacon-version-range.fbu"),
            ("reserved-field-set", "fbeacon-flags.fbu"),
            ("unsupported-container-version", "fbeacon-container-version.fbu"),
            ("file-name-version", "file-name-version-2.0.0.img"),
            ("timestamp-missing", "suota-timestamp-missing.img"),
            ("timestamp-implausible", "suota-timestamp-implausible.img"),
            ("version-missing", "suota-version-missing.img"),
            ("version-not-text", "suota-version-not-text.img"),
            ("section-truncated", "suota-section-truncated.img"),
            ("section-repeated", "suota-section-repeated.img"),
            ("extension-unknown", "suota-extension-unknown.img"),
            ("signature-unchecked", "suota-signature-unchecked.img"),
            ("image-exceeds-small-flash", "suota-exceeds-small-flash.img"),
            ("model-missing", "fbeacon-model-missing.fbu"), ("model-unknown", "fbeacon-model-unknown.fbu"),
            ("model-ambiguous", "fbeacon-model-ambiguous.fbu"),
            ("model-mismatch", "fbeacon-model-mismatch.fbu"),
        ].map { RuleSample($0.0, "malformed/\($0.1)") } + [
            RuleSample("sd-req-too-large", "malformed/sd-req-too-large.zip", beside: ["sd-req-unknown"]),
            RuleSample(
                "boot-validation-misplaced", "malformed/boot-validation-misplaced.zip",
                beside: ["init-command-long"]),
            RuleSample("file-short", "malformed/file-short.dfu", beside: ["payload-encrypted"]),
        ]

    /// MCUboot images and packages.
    private static let images: [RuleSample] =
        [
            "big-endian.bin", "bootloader-package.zip", "compressed.bin", "default-key.bin",
            "dependency-open.zip", "dependency-unmet.zip", "encrypted.bin", "format-1.bin",
            "format-version.zip", "hash-missing.bin", "hash-repeated.bin", "hash-wrong.bin",
            "header-invalid.bin", "hex-other-regions.hex", "image-key-missing.bin", "image-missing.zip",
            "key-not-named.bin", "manifest-invalid.zip", "network-core-missing.zip", "not-bootable.bin",
            "package-empty.zip", "padded.bin", "size-differs.zip", "slot-missing.zip", "slot-twice.zip",
            "tlv-malformed.bin", "tlv-not-allowed.bin", "tlv-unknown.bin", "tlvs-contradict.bin",
            "trailing-bytes.bin", "type-unknown.zip", "unlisted-files.zip", "unsigned.bin",
            "variants-differ.zip", "version-differs.zip", "version-zero.bin",
        ].map { RuleSample("mcuboot-\($0.dropLast(4))", "malformed/mcuboot-\($0)") } + [
            RuleSample("suit-package", "malformed/mcuboot-suit-package.zip"),
            RuleSample("mcuboot-signature-unchecked", "mcuboot/tiny.bin"),
            RuleSample("mcuboot-other-key", "malformed/mcuboot-other-key.bin") {
                $0.options[MCUbootOptions.self].key = imageKey
            },
            RuleSample("mcuboot-signature-wrong", "malformed/mcuboot-signature-wrong.bin") {
                $0.options[MCUbootOptions.self].key = imageKey
            },
            RuleSample(
                "mcuboot-hash-not-listed", "malformed/mcuboot-hash-not-listed.bin",
                beside: ["mcuboot-unsigned"]),
            RuleSample(
                "mcuboot-signature-uncheckable", "malformed/mcuboot-signature-uncheckable.bin",
                beside: ["mcuboot-encrypted"]
            ) { $0.options[MCUbootOptions.self].key = ed25519Key },
            RuleSample("mcuboot-security-counter", "mcuboot/tiny.bin", target("security_counter=1")),
            RuleSample("mcuboot-mode-unfit", "mcuboot/tiny.bin", target("mode=ram-load")),
        ]

    /// Nothing in these formats can authenticate a file, or no key was given to do it, so all of them have this finding.
    private static let alwaysSaid: Set = ["unauthenticated", "mcuboot-signature-unchecked"]

    /// The gate's findings, without those due to the sample's kind of file.
    func found() throws -> Set<String> {
        Set(try report().findings.map(\.id)).subtracting(beside)
            .subtracting(Self.alwaysSaid.subtracting([rule]))
    }

    /// The gate's report on the file.
    func report() throws -> FileReport {
        var gate = Gate()
        gate.options[NordicOptions.self].key = NordicPublicKey(hex: Self.key)
        gate.now = 1_790_000_000
        try set(&gate)
        guard let bytes = try? Samples.bytes(file) else {
            return gate.report(unreadable: file, code: .file.fileNotFound, "\(file) cannot be opened")
        }
        return gate.report(on: bytes, named: file)
    }
}

@Suite struct `A rule` {
    @Test(arguments: RuleSample.all)
    func `is broken by its sample, and no other is`(sample: RuleSample) throws {
        let report = try sample.report()
        #expect(try sample.found() == [sample.rule])
        let rule = try #require(Rule.named(sample.rule))
        #expect(report.findings.first { $0.id == sample.rule }?.level == rule.level)
    }

    @Test func `has a sample that breaks it`() {
        // Only a program with the vendor for Nordic alone reports `mcuboot-package`.
        // No sample can be a folder, a link or a file without permissions; `FileNameTests` has those.
        let shown = Set(RuleSample.all.map(\.rule)).union([
            "mcuboot-package", "same-image", "file-is-directory", "file-not-readable", "link-not-followed",
        ])
        #expect(Rule.all.map(\.id).filter { !shown.contains($0) } == [])
    }

    @Test(arguments: [
        "nordic/tiny.zip", "nordic/blinker-1.0.0.zip", "dialog/58x.img", "dialog/69x.img",
        "feasycom/bp102.fbu", "mcuboot/lantern-1.1.0.zip", "mcuboot/two-cores.zip", "mcuboot/direct-xip.zip",
        "mcuboot/hexadecimal-address.zip", "mcuboot/ed25519-pure.bin", "mcuboot/lantern-1.1.0.hex",
    ])
    func `is kept by a valid sample`(file: String) throws {
        #expect(try RuleSample("none", file).found() == [])
    }

    @Test func `exists for every finding in any sample`() throws {
        for folder in ["nordic", "legacy", "dialog", "feasycom", "mcuboot", "hex", "malformed"] {
            for name in try Samples.names(in: folder) {
                let report = try RuleSample("any", name).report()
                #expect(report.bytes != nil)
                for finding in report.findings {
                    #expect(Rule.named(finding.id) != nil, "\(finding.id) of \(name)")
                }
            }
        }
    }

    @Test func `about an image that receivers cannot distinguish from an earlier one needs that one`() throws
    {
        var earlier = EarlierImages()
        let first = try RuleSample("none", "malformed/file-name-extension.bin").report()
        var again = first
        var second = try RuleSample("none", "malformed/same-image.img").report()
        var otherChip = try RuleSample("none", "dialog/68x.img").report()
        earlier.review(&second, by: RuleSet())
        #expect(second.isPassed)
        earlier.add(first)
        earlier.add(otherChip)
        for file in ["dialog/68x.img", "dialog/68x-filled.img"] {
            earlier.add(try RuleSample("none", file).report())
        }
        earlier.review(&again, by: RuleSet())
        earlier.review(&second, by: RuleSet())
        earlier.review(&otherChip, by: RuleSet())
        #expect(again.isPassed && otherChip.isPassed)
        #expect(second.findings.map(\.id) == ["same-image", "unauthenticated"])
    }

    @Test(arguments: ["unsigned", "signature-missing"])
    func `that is off does not affect the device's verdict`(rule: String) throws {
        let report = try RuleSample("", "malformed/unsigned.zip") {
            $0.rules = try RuleSet(parsing: Array("rules: {unsigned: off, signature-missing: off}".utf8))
            $0.target = try TargetDevice(parsing: "hardware=52,softdevice=0x98,version=0")
        }.report()
        #expect(!report.isPassed)
        #expect(report.findings.map(\.isAboutTarget) == [true])
    }

    @Test func `about reading cannot be off`() throws {
        let report = try RuleSample("", "malformed/truncated-zip.zip") {
            $0.rules = try RuleSet(parsing: Array("rules: {archive-truncated: off}".utf8))
        }.report()
        #expect(report.findings.map(\.id) == ["archive-truncated"])
        #expect(!report.isPassed)
    }

    @Test func `about the vendor's layouts gives way to a known bank`() throws {
        let report = try RuleSample(
            "", "malformed/image-exceeds-flash.img", RuleSample.target("chip=58x,bank=524288")
        )
        .report()
        #expect(report.isPassed)
        #expect(report.verdict == .accepted)
    }
}

@Suite struct `A finding of the gate` {
    @Test func `has its place in the file`() throws {
        let inArchive = try #require(try RuleSample("", "malformed/debug.zip").report().findings.first)
        #expect(inArchive.place == Finding.Place(entry: "blinker.dat", field: "InitCommand.is_debug"))
        let inImage = try #require(
            try RuleSample("", "malformed/timestamp-future.img").report().findings.first)
        #expect(inImage.place == Finding.Place(offset: 28, field: "timestamp"))
        #expect("\(inImage)".hasPrefix("timestamp at offset 28: is "))
    }

    @Test func `is reported once, although file and target agree on it`() throws {
        let report = try RuleSample(
            "", "malformed/hash-mismatch.zip", RuleSample.target("hardware=52,softdevice=0x98,version=0")
        )
        .report()
        #expect(report.findings.map(\.id) == ["hash-mismatch"])
        #expect(report.verdict?.word == "refused")
    }

    @Test func `of the target has the device's own code`() throws {
        let report = try RuleSample("", "nordic/tiny.zip", RuleSample.target("hardware=51")).report()
        #expect(
            report.verdict
                == .refused(
                    id: .device.hardwareVersionMismatch, code: "0B 06",
                    cause: "the package is for hardware 52, the target is 51"))
    }
}
