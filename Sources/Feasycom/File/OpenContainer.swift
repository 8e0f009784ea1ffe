import Bytes
import UpdateModel

/// The content of an open container; the same fields give the same bytes (fbeacon.md, Writing).
package struct OpenContainer: Hashable, Sendable {
    /// The lowest bootloader version required; 0 for any.
    package var bootloader: UInt16
    /// From the lowest installed version that may be updated to the version of the payload.
    package var versions: ClosedRange<UInt16>
    /// The model's number; 0 if only the extension names the model.
    package var modelNumber: UInt16
    /// Whether the author requests the default settings to be restored after the update.
    package var restoresDefaults: Bool
    package var records: [ExtensionRecord]
    package var payload: [UInt8]

    package init(
        bootloader: UInt16 = 0, versions: ClosedRange<UInt16>, modelNumber: UInt16,
        restoresDefaults: Bool = false, records: [ExtensionRecord] = [], payload: [UInt8]
    ) {
        (self.bootloader, self.versions, self.modelNumber) = (bootloader, versions, modelNumber)
        (self.restoresDefaults, self.records, self.payload) = (restoresDefaults, records, payload)
    }

    /// The content of a valid open container; nil for a vendor's file and for one with errors.
    package init?(_ file: FBeaconFile) {
        let header = file.header
        guard let open = header.openFields, file.findings().firstError == nil else { return nil }
        self.init(
            bootloader: header.bootloader, versions: header.versionStart...header.versionEnd,
            modelNumber: header.modelNumber, restoresDefaults: open.flags & 1 != 0, records: file.records,
            payload: Array(file.payload))
    }

    /// The largest payload, in bytes.
    package static let payloadLimit = 16 << 20

    package func file() throws(OpenContainerError) -> FBeaconFile {
        guard !payload.isEmpty else { throw .emptyPayload }
        guard payload.count <= Self.payloadLimit else {
            throw .payloadTooLarge(bytes: payload.count, limit: Self.payloadLimit)
        }
        for (index, record) in records.enumerated() {
            guard !record.kind.isPrivate else { throw .privateRecord(record.kind) }
            guard !records[..<index].contains(where: { $0.kind == record.kind }) else {
                throw .repeatedRecord(record.kind)
            }
        }
        let content = records.flatMap(\.bytes)
        guard content.count <= ExtensionRecord.limit else {
            throw .extensionTooLarge(bytes: content.count, limit: ExtensionRecord.limit)
        }
        let body = content + payload
        let header = header(bodyCRC: CRC32.checksum(body), extensionLength: UInt16(content.count))
        return FBeaconFile(bytes: header.bytes + body, header: header, records: records, extensionFlaw: nil)
    }

    private func header(bodyCRC: UInt32, extensionLength: UInt16) -> FBeaconHeader {
        var fields = ByteWriter()
        fields.integer(bootloader)
        fields.integer(CRC16.checksum(payload))
        fields.integer(UInt32(payload.count))
        fields.integer(versions.lowerBound)
        fields.integer(versions.upperBound)
        fields.integer(modelNumber)
        // uploadModel 1 stands for an application; then follow container version 1 and the flags.
        fields.integer(1 as UInt16)
        fields.append([1, restoresDefaults ? 1 : 0])
        fields.integer(bodyCRC)
        fields.integer(extensionLength)
        fields.integer(0 as UInt16)
        return FBeaconHeader(openWith: fields.bytes)
    }
}

package enum OpenContainerError: Error, Equatable, Sendable, CustomStringConvertible {
    case emptyPayload
    case payloadTooLarge(bytes: Int, limit: Int)
    case extensionTooLarge(bytes: Int, limit: Int)
    /// A type of records occurs more than once.
    case repeatedRecord(ExtensionRecord.Kind)
    /// Types from 0x80 on are private, and never written.
    case privateRecord(ExtensionRecord.Kind)

    package var description: String {
        switch self {
        case .emptyPayload: "the payload is empty"
        case .payloadTooLarge(let bytes, let limit):
            "the payload has \(bytes) bytes, at most \(limit) allowed"
        case .extensionTooLarge(let bytes, let limit):
            "the extension has \(bytes) bytes, at most \(limit) allowed"
        case .repeatedRecord(let kind): "extension type \(kind.rawValue) occurs twice"
        case .privateRecord(let kind): "extension type \(kind.rawValue) is private"
        }
    }
}
