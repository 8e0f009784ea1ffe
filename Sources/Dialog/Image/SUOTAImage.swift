package import Bytes
package import UpdateModel

/// A single image for Dialog's SUOTA service: header, on some chips extension sections and padding, payload.
///
/// Parsing throws if the structure is invalid; ``findings()`` checks whether a device would accept and start it.
package struct SUOTAImage: Hashable, Sendable {
    package let bytes: [UInt8]
    package let header: SUOTAHeader
    /// The CRC-32 of the payload in the file.
    package let payloadCRC: UInt32
}

extension SUOTAImage {
    package init(parsing bytes: [UInt8]) throws(SUOTAImageError) {
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

    package var payload: ArraySlice<UInt8> { bytes[payloadRange] }

    /// The bytes between header and payload: extension sections and padding.
    package var gap: ArraySlice<UInt8> { bytes[header.family.headerBytes..<header.payloadOffset] }

    package var trailing: ArraySlice<UInt8> { bytes[payloadRange.upperBound...] }

    /// Whether the payload has the CRC-32 in the header; nil if encrypted, because the check needs the key.
    package var crcMatches: Bool? { header.isEncrypted ? nil : payloadCRC == header.crc }

    /// The XOR of all bytes of the file, which is sent after them.
    package var trailer: UInt8 { XORChecksum.checksum(bytes[...]) }

    private var payloadRange: Range<Int> {
        header.payloadOffset..<header.payloadOffset + Int(header.codeSize)
    }
}

package enum SUOTAImageError: Error, Equatable, Sendable, CustomStringConvertible {
    case unknownSignature
    case bytes(ByteError)
    /// The field at `offset` places the payload at `found`, inside the header of `minimum` bytes.
    case payloadInsideHeader(field: String, offset: Int, found: Int, minimum: Int)

    package var code: FailureCode { facts.code }
    package var offset: Int { facts.offset }
    package var description: String { facts.description }

    private var facts: (code: FailureCode, offset: Int, description: String) {
        switch self {
        case .unknownSignature: return (.dialogFile.notSUOTA, 0, "the file does not begin like a SUOTA image")
        case .bytes(let error): return (.file.fileTruncated, error.offset, "SUOTA image: \(error)")
        case .payloadInsideHeader(let field, let offset, let found, let minimum):
            let words =
                "SUOTA image: \(field) at offset \(offset): places the payload at \(found), "
                + "inside the header of \(minimum) bytes"
            return (.dialogFile.payloadOffsetInvalid, offset, words)
        }
    }
}
