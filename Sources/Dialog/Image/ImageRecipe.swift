package import Bytes

/// The contents of a SUOTA image; the same recipe gives the same bytes (suota-image.md, Writing).
package struct ImageRecipe: Hashable, Sendable {
    package enum Header: Hashable, Sendable {
        /// DA1458x, DA1453x. The vendor's tool writes image id FF in single images, 1 and 0 in multi-part images.
        case da1458x(imageID: UInt8 = 0xFF)
        case da1468x(payloadOffset: Int = 36)
        /// DA1469x; the payload's vector table is at `payloadOffset`.
        case da1469x(payloadOffset: Int = 0x400)
    }

    package var header: Header
    package var version: ImageVersion
    /// Build time, in seconds since 1970 in UTC.
    package var timestamp: UInt32
    package var payload: [UInt8]

    package init(_ header: Header, version: ImageVersion, timestamp: UInt32, payload: [UInt8]) {
        (self.header, self.version, self.timestamp, self.payload) = (header, version, timestamp, payload)
    }

    /// The largest payload allowed, in bytes: more than any chip's flash.
    package static let payloadLimit = 8 << 20
    /// The largest offset of the payload allowed, in bytes.
    package static let offsetLimit = 64 << 10

    /// Makes the image, with an encrypted payload if `cipher` is given (suota-image.md, Layout).
    package func image(encryptedWith cipher: AES128CBC? = nil) throws(ImageRecipeError) -> SUOTAImage {
        guard !payload.isEmpty else { throw .emptyPayload }
        guard payload.count <= Self.payloadLimit else {
            throw .payloadTooLarge(bytes: payload.count, limit: Self.payloadLimit)
        }
        let (plain, stored) = try cipher.map(encrypted) ?? (payload, payload)
        let header = SUOTAHeader(
            codeSize: UInt32(stored.count), crc: CRC32.checksum(plain), version: version,
            timestamp: timestamp, particulars: try particulars(isEncrypted: cipher != nil))
        let gap = [UInt8](repeating: 0xFF, count: header.payloadOffset - header.family.headerBytes)
        return SUOTAImage(
            bytes: header.bytes + gap + stored, header: header, payloadCRC: CRC32.checksum(stored))
    }

    /// The payload in the form covered by the CRC-32, and in the stored form.
    private func encrypted(_ cipher: AES128CBC) throws(ImageRecipeError) -> (plain: [UInt8], stored: [UInt8])
    {
        guard case .da1458x = header else { throw .encryptionUnsupported }
        let filling = -payload.count & (AES128CBC.blockBytes - 1)
        let plain = payload + [UInt8](repeating: 0, count: filling)
        guard let stored = cipher.encrypted(plain) else { throw .encryptionUnsupported }
        return (plain, stored)
    }

    private func particulars(isEncrypted: Bool) throws(ImageRecipeError) -> SUOTAHeader.Particulars {
        switch header {
        case .da1458x(let imageID):
            let reserved = [UInt8](repeating: 0xFF, count: 31)
            return .da1458x(validFlag: 0xAA, imageID: imageID, flags: isEncrypted ? 1 : 0, reserved: reserved)
        case .da1468x(let offset): return .da1468x(flags: 0, execLocation: try checked(offset, .da1468x))
        case .da1469x(let offset): return .da1469x(vectorTable: try checked(offset, .da1469x))
        }
    }

    private func checked(_ offset: Int, _ family: HeaderFamily) throws(ImageRecipeError) -> UInt32 {
        let allowed = family.headerBytes...Self.offsetLimit
        guard allowed.contains(offset) else { throw .payloadOffset(offset, allowed: allowed) }
        return UInt32(offset)
    }
}

package enum ImageRecipeError: Error, Equatable, Sendable, CustomStringConvertible {
    case emptyPayload
    case payloadTooLarge(bytes: Int, limit: Int)
    case payloadOffset(Int, allowed: ClosedRange<Int>)
    case encryptionUnsupported

    package var description: String {
        switch self {
        case .emptyPayload: "the payload is empty"
        case .payloadTooLarge(let bytes, let limit):
            "the payload has \(bytes) bytes, at most \(limit) allowed"
        case .payloadOffset(let offset, let allowed):
            "payload offset \(offset): \(allowed.lowerBound) to \(allowed.upperBound) allowed"
        case .encryptionUnsupported: "only 58x images can be encrypted"
        }
    }
}

/// The version of a SUOTA image: 16 bytes, ASCII up to the first 00 or FF.
package struct ImageVersion: Hashable, Sendable {
    package static let length = 16

    package let bytes: [UInt8]

    package init(parsing reader: inout ByteReader) throws(ByteError) {
        bytes = Array(try reader.bytes("version", Self.length))
    }

    /// `text` as the vendor's tool writes it: then 00, then FF. Nil unless it has 1 to 15 printable ASCII characters.
    package init?(_ text: String) {
        let characters = Array(text.utf8)
        guard (1..<Self.length).contains(characters.count), characters.allSatisfy(Self.isPrintable) else {
            return nil
        }
        let filling = [UInt8](repeating: 0xFF, count: Self.length - characters.count - 1)
        bytes = characters + [0] + filling
    }

    /// The version in a vendor's version file, by the rule of the vendor's tool: a leading `v_` is dropped, and at
    /// most 15 characters are kept.
    package init?(definition: String) {
        self.init(String((definition.hasPrefix("v_") ? definition.dropFirst(2) : definition[...]).prefix(15)))
    }

    /// The version for people: bytes other than printable ASCII are shown as U+FFFD. Empty if there is no version.
    package var text: String {
        String(String.UnicodeScalarView(used.map { Self.isPrintable($0) ? Unicode.Scalar($0) : "\u{FFFD}" }))
    }

    package var isText: Bool { used.allSatisfy(Self.isPrintable) }

    private var used: ArraySlice<UInt8> { bytes.prefix { $0 != 0 && $0 != 0xFF } }

    private static func isPrintable(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) }
}
