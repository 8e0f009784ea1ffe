package import Bytes

/// The contents of an image for MCUboot. The same recipe gives the same bytes, which are those of imgtool
/// 2.5.0 (docs/formats/mcuboot.md, Writing).
package struct MCUbootRecipe: Sendable {
    package enum Header: Hashable, Sendable {
        /// Put before the program, with this many bytes; those after the fixed part are as in erased flash.
        case added(bytes: Int)
        /// Written over this many zeros at the program's start, which a build for MCUboot reserves.
        case included(bytes: Int)

        var bytes: Int {
            switch self {
            case .added(let bytes), .included(let bytes): bytes
            }
        }
    }

    package enum Address: Hashable, Sendable {
        /// In any slot: the header has no address.
        case anySlot
        /// Only in the slot at this address; the bootloader checks that.
        case fixed(UInt32)
        /// In RAM, where the bootloader copies it to this address.
        case ram(UInt32)
    }

    /// Another image that has to be installed, with this version or a higher one.
    package struct Dependency: Hashable, Sendable {
        package let image: UInt8
        package let version: ImageVersion

        package init(image: UInt8, version: ImageVersion) { (self.image, self.version) = (image, version) }
    }

    package struct VendorTLV: Hashable, Sendable {
        package let type: UInt16
        package let value: [UInt8]

        package init(type: UInt16, value: [UInt8]) { (self.type, self.value) = (type, value) }
    }

    /// The types that imgtool accepts for a vendor's TLVs.
    package static let vendorTypes: ClosedRange<UInt16> = 0xA0...0xFFFE
    /// The sizes of a header, in bytes.
    package static let headerSizes = 32...0xFFFF
    /// The largest program, in bytes: more than any beacon's flash.
    package static let programLimit = 8 << 20
    /// The maximum number of characters of the type in a boot record.
    package static let bootRecordLimit = 12

    package var program: [UInt8]
    package var version: ImageVersion
    package var header: Header
    package var address = Address.anySlot
    /// The number that bootloaders with protection against downgrades compare; nil for none.
    package var securityCounter: UInt32?
    /// The type of software, such as `CoFM`, for bootloaders that report what they have started; nil for no record.
    package var bootRecord: String?
    package var dependencies: [Dependency] = []
    package var vendorTLVs: [VendorTLV] = []
    /// The digest; nil for the signer's usual one: SHA-512 for pure Ed25519, otherwise SHA-256.
    package var digest: SHA2?
    /// Whether the image carries the whole public key instead of its digest.
    package var carriesKey = false
    /// The value of a byte in erased flash.
    package var erased: UInt8 = 0xFF
    /// The slot that the image has to fit into, or is padded to; nil for no check.
    package var slot: ImageSlot?

    package init(_ program: [UInt8], version: ImageVersion, header: Header) {
        (self.program, self.version, self.header) = (program, version, header)
    }

    package func image(signedBy signer: ImageSigner? = nil) throws(MCUbootRecipeError) -> [UInt8] {
        let method = try method(for: signer)
        let key = signer.map { ($0.publicKey, method.digest($0.publicKey)) }
        let protected = try protectedTLVs(method, keyDigest: key?.1)
        var image = try headerAndProgram(protectedBytes: protected.count) + protected
        var list = TLVList(.unprotected)
        let digest = method.digest(image)
        try list.add(method.hashType, digest)
        if let signer, let (publicKey, keyDigest) = key {
            if signer.isPure { try list.add(.pureSignature, [1]) }
            try list.add(carriesKey ? .publicKey : .keyHash, carriesKey ? publicKey : keyDigest)
            let signature: [UInt8]
            do { signature = try signer.signature(of: image, digest: digest) } catch {
                throw .signature(error)
            }
            try list.add(signer.signatureType, signature)
        }
        image += list.bytes
        return try slot?.filled(with: image, erased: erased) ?? image
    }

    private func method(for signer: ImageSigner?) throws(MCUbootRecipeError) -> SHA2 {
        guard let signer else { return digest ?? .sha256 }
        let method = digest ?? signer.digests[0]
        guard signer.digests.contains(method) else { throw .digest(method, allowed: signer.digests) }
        return method
    }

    private func headerAndProgram(protectedBytes: Int) throws(MCUbootRecipeError) -> [UInt8] {
        guard Self.headerSizes.contains(header.bytes) else { throw .headerSize(header.bytes) }
        guard program.count <= Self.programLimit else { throw .programTooLarge(bytes: program.count) }
        var image: [UInt8]
        switch header {
        case .added(let bytes): image = [UInt8](repeating: erased, count: bytes) + program
        case .included(let bytes):
            guard program.count > bytes, program.prefix(bytes).allSatisfy({ $0 == 0 }) else {
                throw .noRoomForHeader(bytes: bytes)
            }
            image = program
        }
        let body = image.count - header.bytes
        guard body > 0 else { throw .empty }
        // These zeros are room for a header: no processor starts from a vector table of zeros.
        let zeros = image[header.bytes...].prefix { $0 == 0 }.count
        guard zeros < Self.headerSizes.lowerBound else { throw .zerosAfterHeader(header, zeros: zeros) }
        let (address, flags) = try addressAndFlags
        let fields =
            ImageHeader.magic.bytes() + address.bytes() + UInt16(truncatingIfNeeded: header.bytes).bytes()
            + UInt16(truncatingIfNeeded: protectedBytes).bytes() + UInt32(truncatingIfNeeded: body).bytes()
            + flags.rawValue.bytes() + version.bytes + [0, 0, 0, 0]
        image.replaceSubrange(..<fields.count, with: fields)
        return image
    }

    private var addressAndFlags: (UInt32, ImageFlags) {
        get throws(MCUbootRecipeError) {
            // For address 0 imgtool leaves out the flag, so the image would count as one for any slot.
            switch address {
            case .anySlot: return (0, [])
            case .fixed(0), .ram(0): throw .addressZero
            case .fixed(let address): return (address, .romFixed)
            case .ram(let address): return (address, .ramLoad)
            }
        }
    }

    /// The protected TLV area; empty if it has no TLV.
    private func protectedTLVs(_ method: SHA2, keyDigest: [UInt8]?) throws(MCUbootRecipeError) -> [UInt8] {
        var list = TLVList(.protected)
        if let securityCounter { try list.add(.securityCounter, securityCounter.bytes()) }
        if let bootRecord { try list.add(.bootRecord, try record(bootRecord, method, keyDigest)) }
        for dependency in dependencies {
            try list.add(.dependency, [dependency.image, 0, 0, 0] + dependency.version.bytes)
        }
        var types: Set<UInt16> = []
        for own in vendorTLVs {
            guard Self.vendorTypes.contains(own.type) else { throw .vendorType(own.type) }
            guard types.insert(own.type).inserted else { throw .repeatedType(own.type) }
            try list.add(own.type, own.value)
        }
        return list.bytes
    }

    /// The boot record: a CBOR map with the keys of Arm's PSA Attestation API 1.0. The digest, its last
    /// member, is filled in by the bootloader.
    private func record(
        _ type: String, _ method: SHA2, _ keyDigest: [UInt8]?
    ) throws(MCUbootRecipeError) -> [UInt8] {
        guard (1...Self.bootRecordLimit).contains(type.utf8.count),
            type.utf8.allSatisfy({ 0x20..<0x7F ~= $0 })
        else { throw .bootRecord(type) }
        let members: [(UInt8, CBORValue)] = [
            (1, .text(type)), (4, .text("\(version.major).\(version.minor).\(version.revision)")),
            (5, .bytes(keyDigest ?? [UInt8](repeating: 0, count: SHA2.sha256.count))),
            (6, .text("SHA\(method.count * 8)")), (2, .bytes([UInt8](repeating: 0, count: method.count))),
        ]
        // A map of five members; the keys are numbers below 24, one byte each.
        return [0xA5] + members.flatMap { [$0] + $1.encoded }
    }
}

private struct TLVList {
    private let area: ImageTLVArea
    private var entries: [UInt8] = []

    init(_ area: ImageTLVArea) { self.area = area }

    /// Magic and length, then the entries; empty if there is no entry.
    var bytes: [UInt8] {
        entries.isEmpty
            ? [] : area.rawValue.bytes() + UInt16(truncatingIfNeeded: entries.count + 4).bytes() + entries
    }

    mutating func add(_ kind: ImageTLV.Kind, _ value: [UInt8]) throws(MCUbootRecipeError) {
        try add(kind.rawValue, value)
    }

    mutating func add(_ type: UInt16, _ value: [UInt8]) throws(MCUbootRecipeError) {
        guard value.count + entries.count + 8 <= Int(UInt16.max) else { throw .tlvsTooLong }
        entries += type.bytes() + UInt16(truncatingIfNeeded: value.count).bytes() + value
    }
}

package enum MCUbootRecipeError: Error, Equatable, Sendable {
    case empty
    case programTooLarge(bytes: Int)
    case headerSize(Int)
    case noRoomForHeader(bytes: Int)
    /// The program has more room for a header than the header takes.
    case zerosAfterHeader(MCUbootRecipe.Header, zeros: Int)
    case addressZero
    case digest(SHA2, allowed: [SHA2])
    case bootRecord(String)
    case vendorType(UInt16)
    case repeatedType(UInt16)
    case tlvsTooLong
    case alignment(Int)
    case slotTooSmall(image: Int, trailer: Int, slot: Int)
    case signature(SignatureError)
}

extension MCUbootRecipeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "the program is empty"
        case .programTooLarge(let bytes):
            "the program has \(bytes) bytes, at most \(MCUbootRecipe.programLimit) allowed"
        case .headerSize(let bytes):
            "a header of \(bytes) bytes: \(MCUbootRecipe.headerSizes.lowerBound) to "
                + "\(MCUbootRecipe.headerSizes.upperBound) allowed"
        case .noRoomForHeader(let bytes):
            "the program does not begin with \(bytes) zeros for the header, followed by code"
        case .zerosAfterHeader(.included(let bytes), let zeros):
            "the program begins with \(bytes + zeros) zeros, which are room for a header of that size; "
                + "a header of \(bytes) bytes would leave it without its first instructions"
        case .zerosAfterHeader(.added, let zeros):
            "the program begins with \(zeros) zeros, which are room for a header; another header before them "
                + "would leave it without its first instructions"
        case .addressZero: "address 0 means that there is none"
        case .digest(let method, let allowed):
            "\(method) does not go with this signature; it needs "
                + allowed.map(\.description).joined(separator: " or ")
        case .bootRecord(let type):
            "the type of the boot record is 1 to \(MCUbootRecipe.bootRecordLimit) characters of printable ASCII; it "
                + "has \(type.utf8.count) bytes"
        case .vendorType(let type):
            "TLV type \(HexText.number(type)): \(HexText.number(MCUbootRecipe.vendorTypes.lowerBound)) to "
                + "\(HexText.number(MCUbootRecipe.vendorTypes.upperBound)) are free for vendors"
        case .repeatedType(let type): "TLV type \(HexText.number(type)) is given twice"
        case .tlvsTooLong: "the TLVs have more than 65535 bytes"
        case .alignment(let bytes):
            "an alignment of \(bytes) bytes: \(ImageSlot.alignments.map(String.init).joined(separator: ", ")) allowed, "
                + "and no maximum below it"
        case .slotTooSmall(let image, let trailer, let slot):
            "the image has \(image) bytes and the trailer \(trailer), together more than the slot's \(slot)"
        case .signature(let error): "\(error)"
        }
    }
}
