import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import MCUboot

/// The samples are written by a script that shares no code with the program (firmware-samples/README.md).
@Suite struct `A sample of an MCUboot file` {
    /// The P-256 key of the samples, as SubjectPublicKeyInfo.
    private static let key =
        "3059301306072a8648ce3d020106082a8648ce3d030107034200" + "04"
        + "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
        + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"

    private static func file(_ name: String) throws -> MCUbootFile {
        guard case .firmware(let file as MCUbootFile) = try MCUbootVendor().recognise(Samples.bytes(name))
        else {
            throw FirmwareFileError(.file.unsupportedKind, "\(name) is not recognised")
        }
        return file
    }

    private static func codes(_ name: String) throws -> [String] {
        let key = try SignatureKey(der: HexText.decode(key))
        let file = try file(name)
        return (file.findings(key: key) + file.releaseFindings(key: key)).map(\.id)
    }

    /// Samples that cannot be read, named after the code.
    @Test(arguments: [
        "big-endian.bin", "format-1.bin", "format-version.zip", "header-invalid.bin", "image-missing.zip",
        "manifest-invalid.zip", "package-empty.zip", "slot-twice.zip", "tlv-malformed.bin",
    ])
    func `that is unreadable is refused with the code in its name`(name: String) {
        let error = #expect(throws: FirmwareFileError.self) { try Self.file("malformed/mcuboot-\(name)") }
        #expect(error?.code.rawValue == "mcuboot-\(name.prefix { $0 != "." })")
    }

    @Test(arguments: [
        ("header-truncated.bin", "file-truncated"), ("body-truncated.bin", "file-truncated"),
        ("tlvs-truncated.bin", "file-truncated"), ("tlv-magic.bin", "mcuboot-tlv-malformed"),
        ("entry-missing.zip", "entry-missing"), ("suit-package.zip", "suit-package"),
    ])
    func `that is unreadable is refused with a general code`(name: String, code: String) {
        let error = #expect(throws: FirmwareFileError.self) { try Self.file("malformed/mcuboot-\(name)") }
        #expect(error?.code.rawValue == code)
    }

    /// Samples with one finding, named after it.
    @Test(arguments: [
        "bootloader-package.zip", "compressed.bin", "dependency-open.zip", "dependency-unmet.zip",
        "encrypted.bin",
        "hash-repeated.bin", "hash-wrong.bin", "hex-other-regions.hex", "image-key-missing.bin",
        "network-core-missing.zip", "not-bootable.bin", "other-key.bin", "padded.bin", "signature-wrong.bin",
        "size-differs.zip", "slot-missing.zip", "tlv-not-allowed.bin", "tlv-unknown.bin",
        "tlvs-contradict.bin", "trailing-bytes.bin", "type-unknown.zip", "variants-differ.zip",
        "unlisted-files.zip", "unsigned.bin", "version-differs.zip", "version-zero.bin",
    ])
    func `that is damaged has the finding in its name, and no other`(name: String) throws {
        #expect(try Self.codes("malformed/mcuboot-\(name)") == ["mcuboot-\(name.prefix { $0 != "." })"])
    }

    @Test(arguments: [
        ("empty-payload.bin", ["empty-payload"]), ("unknown-flags.bin", ["unknown-flags"]),
        ("tlv-length.bin", ["mcuboot-tlv-malformed"]), ("image-damaged.zip", ["mcuboot-hash-wrong"]),
        ("ed25519-signature-wrong.bin", ["mcuboot-other-key"]),
        ("hash-missing.bin", ["mcuboot-hash-missing", "mcuboot-signature-uncheckable"]),
        ("default-key.bin", ["mcuboot-other-key", "mcuboot-default-key"]),
        ("hash-not-listed.bin", ["mcuboot-unsigned", "mcuboot-hash-not-listed"]),
        ("signature-uncheckable.bin", ["mcuboot-other-key", "mcuboot-encrypted"]),
        ("key-not-named.bin", ["mcuboot-other-key", "mcuboot-key-not-named"]),
    ])
    func `that is damaged has these findings`(name: String, codes: [String]) throws {
        #expect(try Self.codes("malformed/mcuboot-\(name)") == codes)
    }

    @Test func `that is valid has no finding that is an error`() throws {
        for name in try Samples.names(in: "mcuboot") {
            #expect(try Self.file(name).findings(key: nil).allSatisfy { $0.level != .error }, "\(name)")
        }
    }

    @Test(arguments: [
        "lantern-1.0.0.bin", "lantern-1.1.0.bin", "lantern-1.1.0.zip", "two-cores.zip", "direct-xip.zip",
    ])
    func `that is signed with the samples' key has no finding`(name: String) throws {
        #expect(try Self.codes("mcuboot/\(name)") == [])
    }

    /// A test of each damage belongs to a new sample.
    @Test func `is in one of these lists`() throws {
        let samples = try Samples.names(in: "malformed").filter { $0.hasPrefix("malformed/mcuboot-") }
        #expect(samples.count == 9 + 6 + 26 + 10)
    }
}
