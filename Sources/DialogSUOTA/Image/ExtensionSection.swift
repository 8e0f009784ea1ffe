import ByteCoding

/// One of the sections between the header of a 68x or 69x image and its payload: u16 type, u16 length, content.
public struct ExtensionSection: Hashable, Sendable {
    /// Bytes from the start of the file.
    public let offset: Int
    /// The type, one of those in ``names``.
    public let type: UInt16
    /// The content.
    public let content: [UInt8]

    /// The types that public headers name.
    public static let names: [UInt16: String] = [
        0x22AA: "security", 0x33AA: "signature", 0x44AA: "device administration",
        0x55AA: "key revocation", 0x66AA: "firmware version", 0x77AA: "rollback",
    ]

    /// What it is for.
    public var name: String { Self.names[type] ?? "unknown" }
}

extension SUOTAImage {
    /// The sections, as far as they can be told from filling.
    public var sections: [ExtensionSection] {
        var found: [ExtensionSection] = []
        var reader = ByteReader(gap, startingAt: header.family.headerBytes)
        while let section = try? Self.section(&reader) { found.append(section) }
        return found
    }

    private static func section(_ reader: inout ByteReader) throws(ByteError) -> ExtensionSection? {
        let offset = reader.offset
        let type: UInt16 = try reader.integer("section type")
        guard ExtensionSection.names[type] != nil else { return nil }
        let length: UInt16 = try reader.integer("section length")
        return ExtensionSection(
            offset: offset, type: type, content: Array(try reader.bytes("section", Int(length))))
    }
}
