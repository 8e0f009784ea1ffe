import Bytes

/// A single image for Dialog's SUOTA service: header, perhaps extension sections, payload.
///
/// Parsing throws if the structure is invalid. ``findings()`` checks whether a device would accept and start the
/// content.
public struct SUOTAImage: Hashable, Sendable {
    /// The whole file.
    public let bytes: [UInt8]
    /// The parsed header.
    public let header: SUOTAHeader
    /// The CRC-32 of the payload in the file.
    public let payloadCRC: UInt32

    init(bytes: [UInt8], header: SUOTAHeader, payloadCRC: UInt32) {
        self.bytes = bytes
        self.header = header
        self.payloadCRC = payloadCRC
    }

    /// Parses an image from the bytes of its file.
    public init(parsing bytes: [UInt8]) throws(SUOTAImageError) {
        guard let family = HeaderFamily(signatureOf: bytes) else { throw .unknownSignature }
        var reader = ByteReader(bytes)
        do throws(ByteError) { header = try SUOTAHeader(family, parsing: &reader) } catch {
            throw .bytes(error)
        }
        if let field = family.payloadOffsetField, header.payloadOffset < family.headerBytes {
            throw .payloadInsideHeader(
                field: field.name, offset: field.offset, found: header.payloadOffset,
                minimum: family.headerBytes)
        }
        let payload: ArraySlice<UInt8>
        do throws(ByteError) {
            _ = try reader.bytes("header extension", header.payloadOffset - family.headerBytes)
            payload = try reader.bytes("payload", Int(header.codeSize))
        } catch { throw .bytes(error) }
        self.bytes = bytes
        payloadCRC = CRC32.checksum(payload)
    }

    /// The program.
    public var payload: ArraySlice<UInt8> { bytes[payloadRange] }

    /// The bytes between header and payload: extension sections and padding.
    public var gap: ArraySlice<UInt8> { bytes[header.family.headerBytes..<header.payloadOffset] }

    /// Extra bytes after the payload.
    public var trailing: ArraySlice<UInt8> { bytes[payloadRange.upperBound...] }

    /// Whether the payload has the CRC-32 in the header; nil if it is encrypted, because the check needs the key.
    public var crcMatches: Bool? { header.isEncrypted ? nil : payloadCRC == header.crc }

    /// The XOR of the whole file: the byte sent after it.
    public var trailer: UInt8 { XORChecksum.checksum(bytes[...]) }

    private var payloadRange: Range<Int> {
        header.payloadOffset..<header.payloadOffset + Int(header.codeSize)
    }
}
