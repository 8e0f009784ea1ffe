import Bytes

/// The version of an image: `1.2.3`, or `1.2.3.4` with a build number.
public struct MCUbootVersion: Hashable, Sendable, CustomStringConvertible {
    public let major, minor: UInt8
    public let revision: UInt16
    /// The build number; Zephyr and MCUboot do not compare it.
    public let build: UInt32

    /// The version in `text`; the build number can follow a dot or a plus. Nil if `text` is not a version.
    public init?(_ text: String) {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "+" }
        guard (2...4).contains(parts.count), let major = UInt8(parts[0]), let minor = UInt8(parts[1]),
            let revision = UInt16(parts.count > 2 ? parts[2] : "0"),
            let build = UInt32(parts.count > 3 ? parts[3] : "0")
        else { return nil }
        (self.major, self.minor, self.revision, self.build) = (major, minor, revision, build)
    }

    init(_ bytes: [UInt8]) {
        major = bytes.first ?? 0
        minor = bytes.dropFirst().first ?? 0
        revision = UInt16(truncatingIfNeeded: bytes.field(2, 2))
        build = UInt32(truncatingIfNeeded: bytes.field(4, 4))
    }

    var bytes: [UInt8] { [major, minor] + revision.bytes() + build.bytes() }

    /// The version in the form of the list of images.
    public var description: String { "\(major).\(minor).\(revision)" + (build == 0 ? "" : ".\(build)") }

    /// Whether it is older; the build number does not count.
    func isOlder(than other: MCUbootVersion) -> Bool {
        (major, minor, revision) < (other.major, other.minor, other.revision)
    }
}

/// An image in a slot: its header and its entries (mcuboot.md, Layout).
struct MCUbootImage: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        let type: Int
        let value: [UInt8]
    }

    struct Flags {
        static let encrypted = 0x0C
        static let nonBootable = 0x10
        static let ramLoad = 0x20
        static let romFixed = 0x100
    }

    static let headerSize = 32
    static let magic: [UInt8] = [0x3D, 0xB8, 0xF3, 0x96]
    private static let hashTypes = [0x10, 0x11, 0x12]
    private static let signatureTypes = [0x20, 0x22, 0x23, 0x24]

    let loadAddress: Int
    let headerLength: Int
    let bodyLength: Int
    let flags: Int
    let version: MCUbootVersion
    let entries: [Entry]
    /// The bytes that the hash covers: header, body and protected entries.
    let hashedLength: Int
    /// The offset of the image's end from the start of its slot, in bytes.
    let end: Int

    /// The image at the start of a slot of `size` bytes, whose bytes `read` returns; nil if there is none.
    init?(in size: Int, _ read: (Range<Int>) -> [UInt8]) {
        guard size > Self.headerSize else { return nil }
        let header = read(0..<Self.headerSize)
        guard header.starts(with: Self.magic) else { return nil }
        loadAddress = header.field(4, 4)
        headerLength = header.field(8, 2)
        bodyLength = header.field(12, 4)
        flags = header.field(16, 4)
        version = MCUbootVersion(Array(header[20..<28]))
        let protected = header.field(10, 2)
        let start = headerLength + bodyLength
        guard headerLength >= Self.headerSize, start + protected <= size else { return nil }
        var protectedEntries: [Entry] = []
        if protected > 0 {
            guard let area = Self.area(0x6908, at: start, in: size, read), area.end == start + protected
            else { return nil }
            protectedEntries = area.entries
        }
        guard let area = Self.area(0x6907, at: start + protected, in: size, read) else { return nil }
        entries = protectedEntries + area.entries
        hashedLength = start + protected
        end = area.end
        guard entries.count(where: { Self.hashTypes.contains($0.type) }) == 1 else { return nil }
    }

    private static func area(
        _ magic: Int, at start: Int, in size: Int, _ read: (Range<Int>) -> [UInt8]
    ) -> (entries: [Entry], end: Int)? {
        guard start + 4 <= size else { return nil }
        let info = read(start..<start + 4)
        let end = start + info.field(2, 2)
        guard info.field(0, 2) == magic, end >= start + 4, end <= size else { return nil }
        var reader = ByteReader(read(start + 4..<end))
        var entries: [Entry] = []
        while reader.remaining > 0 {
            guard let type: UInt16 = try? reader.integer("type"),
                let count: UInt16 = try? reader.integer("length"),
                let value = try? reader.bytes("value", Int(count))
            else { return nil }
            entries.append(Entry(type: Int(type), value: Array(value)))
        }
        return (entries, end)
    }

    private func values(_ type: Int) -> [[UInt8]] { entries.filter { $0.type == type }.map(\.value) }

    /// The value of the hash entry, by which clients identify the image.
    var hash: [UInt8] { entries.first { Self.hashTypes.contains($0.type) }?.value ?? [] }
    var hashType: Int { entries.first { Self.hashTypes.contains($0.type) }?.type ?? 0 }
    var keyHashes: [[UInt8]] { values(0x01) }
    var isSigned: Bool { entries.contains { Self.signatureTypes.contains($0.type) } }
    /// The numbers of other images that this one needs, each with the lowest version.
    var dependencies: [(image: Int, version: MCUbootVersion)] {
        values(0x40).filter { $0.count == 12 }.map { (Int($0[0]), MCUbootVersion(Array($0[4...]))) }
    }
    var securityCounter: Int? { values(0x50).first.map { $0.field(0, 4) } }
    func has(_ flag: Int) -> Bool { flags & flag != 0 }
}

/// An image that a simulated device leaves the factory with.
public struct MCUbootFirmware: Sendable {
    /// Its version: `1.2.3` or `1.2.3+4`.
    public var version: String
    public var payload: [UInt8]
    /// The hash of the signing key; the file gets a dummy signature. Nil for an unsigned image.
    public var keyHash: [UInt8]?
    /// The number and the lowest version of another image that it needs.
    public var dependency: (image: UInt8, version: String)?
    public var securityCounter: UInt32?
    /// The flags of the header: 0x20 for RAM load, 0x100 for an image linked for `loadAddress`.
    public var flags: UInt32 = 0
    /// The flash address of its slot (flag 0x100), or the RAM address to load it to (flag 0x20).
    public var loadAddress: UInt32 = 0

    public init(
        version: String = "1.0.0", payload: [UInt8] = [UInt8](repeating: 0xA5, count: 1024),
        keyHash: [UInt8]? = nil
    ) {
        (self.version, self.payload, self.keyHash) = (version, payload, keyHash)
    }

    /// The bytes of its file: header, code, hash, key hash and signature. An invalid version text counts as 0.0.0.
    public var file: [UInt8] {
        var protected: [UInt8] = []
        if let dependency, let needed = MCUbootVersion(dependency.version) {
            protected += Self.entry(0x40, [dependency.image, 0, 0, 0] + needed.bytes)
        }
        if let securityCounter { protected += Self.entry(0x50, securityCounter.bytes()) }
        if !protected.isEmpty { protected = Self.area(0x6908, protected) }
        var bytes = MCUbootImage.magic + loadAddress.bytes() + UInt16(MCUbootImage.headerSize).bytes()
        bytes += UInt16(clamping: protected.count).bytes() + UInt32(clamping: payload.count).bytes()
        bytes += flags.bytes() + (MCUbootVersion(version)?.bytes ?? [UInt8](repeating: 0, count: 8))
        bytes += [0, 0, 0, 0] + payload + protected
        var entries = Self.entry(0x10, SHA256Digest.digest(bytes))
        if let keyHash {
            entries += Self.entry(0x01, keyHash) + Self.entry(0x22, [UInt8](repeating: 0x30, count: 70))
        }
        return bytes + Self.area(0x6907, entries)
    }

    private static func entry(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        type.bytes() + UInt16(clamping: value.count).bytes() + value
    }

    private static func area(_ magic: UInt16, _ entries: [UInt8]) -> [UInt8] {
        magic.bytes() + UInt16(clamping: entries.count + 4).bytes() + entries
    }
}
