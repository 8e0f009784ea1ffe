import Bytes

/// An image for MCUboot (docs/formats/mcuboot.md).
///
///     header | body | protected TLVs, if any | TLVs | padding, if any
///
/// Parsing throws if the structure is invalid; ``findings(key:entry:part:sendsTrailer:)`` checks whether
/// bootloaders accept the content.
package struct MCUbootImage: Hashable, Sendable {
    package let header: ImageHeader
    /// The whole file, with padding.
    package let bytes: [UInt8]
    package let protectedTLVs: [ImageTLV]
    package let unprotectedTLVs: [ImageTLV]
    /// Bytes from the start of the file to the end of the last TLV.
    package let end: Int
    package let padding: ImagePadding

    package init(parsing bytes: [UInt8]) throws(MCUbootImageError) {
        if let other = Self.otherFormat(bytes) { throw other }
        var reader = ByteReader(bytes)
        do { header = try ImageHeader(parsing: &reader) } catch { throw .truncated(error) }
        guard header.headerBytes >= ImageHeader.size else { throw .headerSize(header.headerBytes) }
        do {
            _ = try reader.bytes("header padding", Int(header.headerBytes - ImageHeader.size))
            _ = try reader.bytes("body", Int(header.bodyBytes))
        } catch { throw .truncated(error) }
        protectedTLVs =
            header.protectedBytes == 0
            ? [] : try ImageTLVArea.protected.parse(&reader, declared: header.protectedBytes)
        unprotectedTLVs = try ImageTLVArea.unprotected.parse(&reader)
        end = reader.offset
        padding = ImagePadding(reader.remainder())
        self.bytes = bytes
    }

    /// The error if `bytes` do not begin as an image of the supported format; nil if they do.
    private static func otherFormat(_ bytes: [UInt8]) -> MCUbootImageError? {
        switch bytes.prefix(4) {
        case [0x3D, 0xB8, 0xF3, 0x96]: nil
        case [0x3C, 0xB8, 0xF3, 0x96]: .format1
        case [0x96, 0xF3, 0xB8, 0x3D], [0x96, 0xF3, 0xB8, 0x3C]: .bigEndian
        default: .notAnImage
        }
    }

    /// Whether `bytes` begin as an image, perhaps of a format that is not supported.
    static func begins(_ bytes: [UInt8]) -> Bool { otherFormat(bytes) != .notAnImage }
}

extension MCUbootImage {
    /// All TLVs, protected ones first.
    package var tlvs: [ImageTLV] { protectedTLVs + unprotectedTLVs }

    /// The bytes that the hash covers: header, body and the protected TLV area.
    package var hashedBytes: [UInt8] {
        Array(bytes.prefix(Int(header.headerBytes) + Int(header.bodyBytes) + Int(header.protectedBytes)))
    }

    /// The hash TLV; nil if there is none of the right length.
    package var hashTLV: ImageTLV? { unprotectedTLVs.first { $0.kind?.digest?.count == $0.value.count } }

    /// The value of the hash TLV, by which devices name the image; nil if there is none.
    package var hash: [UInt8]? { hashTLV?.value }

    /// Whether hash and content agree; nil without a hash, and for an encrypted image, whose hash is of the plaintext.
    package var hashMatches: Bool? {
        guard !isEncrypted, let tlv = hashTLV, let digest = tlv.kind?.digest else { return nil }
        return digest.digest(hashedBytes) == tlv.value
    }

    package var isEncrypted: Bool { !header.flags.isDisjoint(with: .encrypted) }
    package var isCompressed: Bool { !header.flags.isDisjoint(with: .compressed) }

    /// The bytes of header and unpacked body; nil if the image is not compressed, or does not give that size.
    package var unpackedBytes: Int? {
        isCompressed ? protectedNumber(.unpackedSize).map { Int(header.headerBytes) + Int($0) } : nil
    }

    /// The security counter; nil if there is none in the protected area, where bootloaders look for it.
    package var securityCounter: UInt32? { protectedNumber(.securityCounter) }

    private func protectedNumber(_ kind: ImageTLV.Kind) -> UInt32? {
        guard let tlv = protectedTLVs.first(where: { $0.kind == kind }) else { return nil }
        var reader = ByteReader(tlv.value)
        return try? reader.integer("number")
    }

    package var dependencies: [ImageDependency] { protectedTLVs.compactMap(ImageDependency.init) }

    /// The type of software in the boot record; nil without one.
    package var softwareType: String? {
        guard let record = protectedTLVs.first(where: { $0.kind == .bootRecord })?.value,
            let head = record.first, (0xA0...0xAB).contains(head),
            // CBORValue drops keys that are numbers, so the map of n pairs is read as a list of 2n items.
            case .list(let items) = try? CBORValue(parsing: [0x80 | (head & 0x0F) << 1] + record.dropFirst())
        else { return nil }
        for pair in stride(from: 0, to: items.count - 1, by: 2) {
            if items[pair] == .integer(1), case .text(let name) = items[pair + 1] { return name }
        }
        return nil
    }
}

/// A requirement of an image: another image with at least this version.
///
///     0  u8  image      1  3 bytes of padding      4  version, 8 bytes
package struct ImageDependency: Hashable, Sendable {
    package let image: Int
    package let version: ImageVersion
    /// Bytes from the start of the image to its TLV.
    let offset: Int

    init?(_ tlv: ImageTLV) {
        var reader = ByteReader(tlv.value)
        guard tlv.kind == .dependency, let image: UInt8 = try? reader.integer("image_id"),
            (try? reader.bytes("padding", 3)) != nil, let version = try? ImageVersion(parsing: &reader)
        else { return nil }
        (self.image, self.version, offset) = (Int(image), version, tlv.offset)
    }
}
