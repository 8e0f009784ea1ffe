import Bytes

/// A Feasycom upgrade file, or an open container with the same fields (fbeacon.md).
///
/// Parsing throws if the structure is broken. Other errors are ``findings()``. A vendor's payload is encrypted
/// and stays encrypted.
public struct FBeaconFile: Hashable, Sendable {
    /// The whole file.
    public let bytes: [UInt8]
    /// The parsed header.
    public let header: FBeaconHeader
    /// The extension's records; none in a vendor's file.
    public let records: [ExtensionRecord]
    /// Why the extension could not be parsed completely.
    public let extensionFlaw: ExtensionError?

    /// Parses a file.
    public init(parsing bytes: [UInt8]) throws(FBeaconFileError) {
        guard let container = FBeaconHeader.container(of: bytes) else { throw .notFBeacon }
        var reader = ByteReader(bytes)
        let header: FBeaconHeader
        let content: ArraySlice<UInt8>
        do throws(ByteError) { header = try FBeaconHeader(container, parsing: &reader) } catch {
            throw .bytes(error)
        }
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

    init(bytes: [UInt8], header: FBeaconHeader, records: [ExtensionRecord]) {
        self.bytes = bytes
        self.header = header
        self.records = records
        extensionFlaw = nil
    }

    /// A damaged header explains all other structural errors.
    private static func unreadable(_ error: FBeaconFileError, _ header: FBeaconHeader) -> FBeaconFileError {
        header.crcMatches ? error : .headerCRC(expected: header.computedCRC, found: header.crc)
    }

    /// The program; encrypted in a vendor's file.
    public var payload: ArraySlice<UInt8> { bytes[payloadRange] }

    /// Bytes after the payload, which should not be there.
    public var trailing: ArraySlice<UInt8> { bytes[payloadRange.upperBound...] }

    /// Whether the payload is encrypted by the vendor.
    public var isEncrypted: Bool { header.container == .vendor }

    /// Whether the payload matches the CRC-16 of the header; nil if it is encrypted.
    public var binCRCMatches: Bool? { isEncrypted ? nil : CRC16.checksum(payload) == header.binCRC }

    /// The model as text; nil if the file does not name it.
    public var modelType: String? { records.lazy.compactMap(\.modelType).first }

    /// Extension and payload, which the open container's CRC-32 covers.
    var body: ArraySlice<UInt8> { bytes[FBeaconHeader.length..<payloadRange.upperBound] }

    private var payloadRange: Range<Int> {
        let start = FBeaconHeader.length + header.extensionLength
        return start..<start + Int(header.length)
    }
}
