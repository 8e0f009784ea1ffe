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

extension ExtensionSection {
    /// The type that says who made the image.
    static let signature: UInt16 = 0x33AA
}

extension SUOTAImage {
    /// The sections, as far as they can be told from filling.
    public var sections: [ExtensionSection] { headerExtension.sections }

    /// What stands between header and payload, taken apart.
    var headerExtension: HeaderExtension {
        HeaderExtension(ByteReader(gap, startingAt: header.family.headerBytes))
    }
}

/// The sections after a header, and what follows them.
struct HeaderExtension {
    /// Six types are known; what has many more sections than that is not an extension.
    private static let sectionLimit = 64

    /// Those that are whole.
    private(set) var sections: [ExtensionSection] = []
    /// Bytes from the start of the file to what follows them.
    let restOffset: Int
    /// What follows them: filling, as a rule.
    let rest: ArraySlice<UInt8>
    /// Whether what follows begins like a section and has no room for it.
    private(set) var isCutOff = false

    init(_ reader: ByteReader) {
        var reader = reader
        var known = reader
        do throws(ByteError) {
            while sections.count < Self.sectionLimit, let section = try Self.section(&known) {
                sections.append(section)
                reader = known
            }
        } catch {
            // An end inside a type is the end of filling.
            isCutOff = error.field != "section type"
        }
        restOffset = reader.offset
        rest = reader.remainder()
    }

    /// Whether what follows is one byte again and again.
    var endsWithFilling: Bool { rest.allSatisfy { $0 == rest.first } }

    private static func section(_ reader: inout ByteReader) throws(ByteError) -> ExtensionSection? {
        let offset = reader.offset
        let type: UInt16 = try reader.integer("section type")
        guard ExtensionSection.names[type] != nil else { return nil }
        let length: UInt16 = try reader.integer("section length")
        return ExtensionSection(
            offset: offset, type: type, content: Array(try reader.bytes("section", Int(length))))
    }
}
