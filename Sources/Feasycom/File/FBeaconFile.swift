import Bytes
package import UpdateModel

/// A Feasycom upgrade file, or an open container with the same fields (fbeacon.md).
///
/// Parsing throws if the structure is broken; ``findings()`` reports all other errors. The encrypted payload of a
/// vendor's file is never decrypted.
package struct FBeaconFile: Hashable, Sendable {
    package let bytes: [UInt8]
    package let header: FBeaconHeader
    /// The extension's records; none in a vendor's file.
    package let records: [ExtensionRecord]
    let extensionFlaw: ExtensionError?
}

extension FBeaconFile {
    package init(parsing bytes: [UInt8]) throws(FBeaconFileError) {
        guard let header = FBeaconHeader(of: bytes) else { throw .notFBeacon }
        var reader = ByteReader(bytes[FBeaconHeader.length...], startingAt: FBeaconHeader.length)
        let content: ArraySlice<UInt8>
        if let version = header.openFields?.containerVersion, version != 1 {
            throw Self.unreadable(.containerVersion(version), header)
        }
        do throws(ByteError) {
            content = try reader.bytes("extension", header.extensionLength)
            _ = try reader.bytes("payload", Int(header.length))
        } catch { throw Self.unreadable(.bytes(error), header) }
        self.bytes = bytes
        self.header = header
        (records, extensionFlaw) = ExtensionRecord.all(in: content, startingAt: FBeaconHeader.length)
    }

    /// The error to report: a damaged header, if there is one, because it causes the other structural errors.
    private static func unreadable(_ error: FBeaconFileError, _ header: FBeaconHeader) -> FBeaconFileError {
        header.crcMatches ? error : .headerCRC(expected: header.computedCRC, found: header.crc)
    }

    /// The program; encrypted in a vendor's file.
    package var payload: ArraySlice<UInt8> { bytes[payloadRange] }
    package var trailing: ArraySlice<UInt8> { bytes[payloadRange.upperBound...] }
    package var isEncrypted: Bool { header.container == .vendor }

    /// Whether the payload matches the CRC-16 of the header; nil if it is encrypted.
    package var binCRCMatches: Bool? { isEncrypted ? nil : CRC16.checksum(payload) == header.binCRC }
    package var modelType: String? { records.lazy.compactMap(\.modelType).first }

    /// Extension and payload, which the open container's CRC-32 covers.
    var body: ArraySlice<UInt8> { bytes[FBeaconHeader.length..<payloadRange.upperBound] }

    private var payloadRange: Range<Int> {
        let start = FBeaconHeader.length + header.extensionLength
        return start..<start + Int(header.length)
    }

    /// The finding if the model is missing, unknown or ambiguous, or its number and name disagree (fbeacon.md, Checks).
    private var modelFinding: Finding? {
        func finding(_ code: FailureCode, _ level: FindingLevel, _ message: String) -> Finding {
            Finding(code, level, offset: 14, field: "modelTypeNum", message)
        }
        let model = ModelNumber(rawValue: header.modelNumber)
        if let modelType {
            guard model.rawValue != 0, !model.names.contains(modelType),
                let other = ModelNumber.named(modelType)
            else { return nil }
            return finding(
                .fbeacon.modelMismatch, .warning,
                "is \(model.rawValue), but the number of \(modelType) is \(other.rawValue)")
        }
        if model.rawValue == 0 {
            return finding(
                .fbeacon.modelMissing, .warning, "is 0 and there is no modelType, so every beacon matches")
        }
        return switch model.names.count {
        case 0: finding(.fbeacon.modelUnknown, .note, "\(model.rawValue) is in no public table")
        case 1: nil
        default:
            finding(
                .fbeacon.modelAmbiguous, .note,
                "\(model.rawValue) is \(model.names.joined(separator: " or "))")
        }
    }

    /// The finding that nothing authenticates the file; nil for a vendor's file, whose encryption is not public.
    private var authenticityFinding: Finding? {
        guard !isEncrypted else { return nil }
        return Finding(
            .finding.unauthenticated, .note, offset: 0, field: "container",
            "has no signature: its checksums protect against damage, not against forgery")
    }

    /// The smallest file that the vendor's programs accept, in bytes.
    static let vendorMinimum = 0x406

    /// All findings; the first error is the reason for refusing the file (fbeacon.md, Checks).
    package func findings() -> [Finding] { allFindings.errorsFirst }

    @ListBuilder<Finding> private var allFindings: [Finding] {
        if !header.crcMatches {
            error(
                .file.headerCRCMismatch, 28, "header CRC",
                "is \(HexText.digits(header.crc)), but the header gives \(HexText.digits(header.computedCRC))"
            )
        }
        openFieldFindings
        bodyFindings
        if let versionFinding { versionFinding }
        if let digestFinding { digestFinding }
        vendorFindings
        if let modelFinding { modelFinding }
        if let authenticityFinding { authenticityFinding }
    }

    @ListBuilder<Finding> private var openFieldFindings: [Finding] {
        if let open = header.openFields {
            if header.uploadModel != 1 {
                error(.fbeacon.reservedFieldSet, 16, "uploadModel", "is \(header.uploadModel), not 1")
            }
            if open.flags & 0xFE != 0 {
                let words = "\(HexText.number(open.flags)) has reserved bits"
                error(.fbeacon.reservedFieldSet, 19, "flags", words)
            }
            if open.reserved != 0 {
                error(.fbeacon.reservedFieldSet, 26, "reserved", "is \(open.reserved), not 0")
            }
        }
    }

    @ListBuilder<Finding> private var bodyFindings: [Finding] {
        if !trailing.isEmpty {
            let words = "\(trailing.count) bytes follow"
            error(.file.trailingBytes, trailing.startIndex, "end of the payload", words)
        }
        if let open = header.openFields {
            let crc = CRC32.checksum(body)
            if crc != open.bodyCRC {
                error(
                    .fbeacon.bodyCRCMismatch, 20, "bodyCrc32",
                    "is \(HexText.digits(open.bodyCRC)), but extension and payload give \(HexText.digits(crc))"
                )
            }
            if binCRCMatches == false {
                error(.device.imageCRCMismatch, 4, "binCrc", "is not the CRC-16 of the payload")
            }
        }
        if let extensionFlaw {
            error(.fbeacon.extensionMalformed, extensionFlaw.offset, "extension record", "\(extensionFlaw)")
        }
        if payload.isEmpty { error(.file.emptyPayload, 6, "length", "is 0: there is nothing to install") }
    }

    private var versionFinding: Finding? {
        guard header.versionStart > header.versionEnd else { return nil }
        // In a vendor's file only a warning: the meaning of its two fields is inferred, not documented.
        return Finding(
            .fbeacon.versionRangeReversed, isEncrypted ? .warning : .error, offset: 10, field: "versionStart",
            "\(header.versionStart) is above versionEnd \(header.versionEnd)")
    }

    private var digestFinding: Finding? {
        guard let record = records.first(where: { $0.kind == .payloadSHA256 }),
            record.value != SHA256Digest.digest(payload)
        else { return nil }
        let before = records.prefix { $0 != record }.reduce(0) { $0 + $1.bytes.count }
        return error(
            .device.imageHashMismatch, FBeaconHeader.length + before, "payloadSha256",
            "is not the SHA-256 of the payload")
    }

    @ListBuilder<Finding> private var vendorFindings: [Finding] {
        if isEncrypted {
            Finding(
                .fbeacon.payloadEncrypted, .note, offset: FBeaconHeader.length, field: "payload",
                "is encrypted by the vendor, so binCrc cannot be checked")
            if bytes.count < Self.vendorMinimum {
                Finding(
                    .fbeacon.fileShort, .warning, offset: bytes.count, field: "file",
                    "the vendor's programs accept files of \(Self.vendorMinimum) bytes or more")
            }
            if header.uploadModel != 1 || header.tail.contains(where: { $0 != 0 }) {
                Finding(
                    .finding.unknownFlags, .note, offset: 16, field: "bytes 16 to 27",
                    "differ from those of known files (1, then zeros)")
            }
        }
    }

    private func error(_ code: FailureCode, _ offset: Int, _ field: String, _ message: String) -> Finding {
        Finding(code, .error, offset: offset, field: field, message)
    }
}
