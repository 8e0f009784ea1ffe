import Bytes
import Feasycom
import TestSupport
import Testing
import UpdateModel

@Suite struct `A damaged FBeacon file` {
    static func files() throws -> [[UInt8]] {
        let records = [
            ExtensionRecord(.modelType, Array("BP102".utf8)), ExtensionRecord(.builtAt, [1, 2, 3, 4]),
        ].compactMap(\.self)
        let container = OpenContainer(
            versions: 1...2, modelNumber: 21, records: records, payload: Array(0..<24))
        return [
            try container.file().bytes,
            Array(try Samples.bytes("feasycom/vendor-like.dfu").prefix(32)) + tail,
        ]
    }

    /// The payload that the vendor-like sample announces.
    private static let tail = [UInt8](repeating: 0x5A, count: 2048)

    @Test func `is refused at every length, with an offset`() throws {
        for bytes in try Self.files() {
            for prefix in Corruption.prefixes(of: bytes) {
                let error = refusal(of: prefix)
                #expect(error?.code == (prefix.count < 33 ? "not-fbeacon" : "file-truncated"))
                #expect((0...prefix.count).contains(error?.offset ?? -1), "\(prefix.count) bytes")
            }
        }
    }

    @Test func `of the open kind with any byte changed is refused or has an error`() throws {
        let bytes = try Self.files()[0]
        for (index, changed) in Corruption.flips(of: bytes) {
            do throws(FBeaconFileError) {
                let findings = try FBeaconFile(parsing: changed).findings()
                #expect(findings.first?.level == .error, "byte \(index)")
                for finding in findings { #expect((0...changed.count).contains(finding.place.offset ?? -1)) }
                if (2..<30).contains(index) { #expect(findings.first?.id == "header-crc-mismatch") }
            } catch {
                #expect((0..<2).contains(index) || (2..<32).contains(index), "byte \(index): \(error)")
                let isMark = index < 2 || index >= 30
                #expect(error.code == (isMark ? "not-fbeacon" : "header-crc-mismatch"), "byte \(index)")
            }
        }
    }

    @Test func `of the vendor with any byte of its header changed is refused or has an error`() throws {
        let bytes = try Self.files()[1]
        for (index, changed) in Corruption.flips(of: Array(bytes.prefix(32))) {
            do throws(FBeaconFileError) {
                let file = try FBeaconFile(parsing: changed + Self.tail)
                #expect(file.findings().first?.id == "header-crc-mismatch", "byte \(index)")
                #expect(!file.header.crcMatches)
            } catch {
                let isMark = index < 2 || index >= 30
                #expect(error.code == (isMark ? "not-fbeacon" : "header-crc-mismatch"), "byte \(index)")
            }
        }
    }

    @Test func `with bytes after its end has an error there`() throws {
        for bytes in try Self.files() {
            for count in 1..<4 {
                let file = try FBeaconFile(parsing: bytes + [UInt8](repeating: 0, count: count))
                #expect(file.findings().first?.id == "trailing-bytes")
                #expect(file.findings().first?.place.offset == bytes.count)
            }
        }
    }

    /// Samples, and the error of reading them.
    static let unreadable: [(String, FBeaconFileError)] = [
        (
            "fbeacon-truncated.fbu",
            .bytes(ByteError(offset: 32, field: "payload", reason: .truncated(needed: 64, available: 63)))
        ),
        ("fbeacon-container-version.fbu", .containerVersion(2)),
        ("fbeacon-end-mark.dfu", .notFBeacon),
    ]

    @Test(arguments: unreadable)
    func `is refused for its one defect`(_ name: String, _ expected: FBeaconFileError) throws {
        #expect(refusal(of: try Samples.bytes("malformed/\(name)")) == expected)
    }

    /// Samples that can be shown, with their one error.
    static let flawed: [(String, String, Int)] = [
        ("header-crc.fbu", "header-crc-mismatch", 28), ("trailing-bytes.fbu", "trailing-bytes", 96),
        ("upload-model.fbu", "reserved-field-set", 16), ("flags.fbu", "reserved-field-set", 19),
        ("reserved.fbu", "reserved-field-set", 26), ("body-crc.fbu", "body-crc-mismatch", 20),
        ("image-crc.fbu", "image-crc-mismatch", 4), ("record-too-long.fbu", "extension-malformed", 32),
        ("record-twice.fbu", "extension-malformed", 35),
        ("version-range.fbu", "version-range-reversed", 10),
        ("image-hash.fbu", "image-hash-mismatch", 32), ("empty-payload.fbu", "empty-payload", 6),
        ("vendor-header-crc.dfu", "header-crc-mismatch", 28),
    ]

    @Test(arguments: flawed)
    func `can be shown with its one error`(_ name: String, _ id: String, _ offset: Int) throws {
        let file = try FBeaconFile(parsing: try Samples.bytes("malformed/fbeacon-\(name)"))
        let errors = file.findings().filter { $0.level == .error }
        #expect(errors.map(\.id) == [id])
        #expect(errors.map(\.place.offset) == [offset])
    }

    @Test func `with a wrong header CRC has that as its first error`() throws {
        var bytes = try Self.files()[0]
        bytes[18] = 2
        #expect(refusal(of: bytes)?.code == "header-crc-mismatch")
        bytes[18] = 1
        bytes[6] = 0xFF
        #expect(refusal(of: bytes)?.code == "header-crc-mismatch")
    }

    @Test func `of the vendor has a warning if it is short or odd`() throws {
        var short = Array(try Samples.bytes("feasycom/vendor-like.dfu").prefix(32))
        (short[6], short[7], short[18]) = (16, 0, 9)
        let findings = try FBeaconFile(parsing: short + Self.tail.prefix(16)).findings()
        #expect(
            findings.map(\.id) == [
                "header-crc-mismatch", "file-short", "payload-encrypted", "unknown-flags",
            ])
    }

    private func refusal(of bytes: [UInt8]) -> FBeaconFileError? {
        do throws(FBeaconFileError) {
            _ = try FBeaconFile(parsing: bytes)
            return nil
        } catch { return error }
    }
}
