import Bytes

/// One of the sections between the header of a 68x or 69x image and its payload: u16 type, u16 length, content.
package struct ExtensionSection: Hashable, Sendable {
    package let offset: Int
    package let type: UInt16
    package let content: [UInt8]

    static let signature: UInt16 = 0x33AA
    package static let names: [UInt16: String] = [
        0x22AA: "security", 0x33AA: "signature", 0x44AA: "device administration",
        0x55AA: "key revocation", 0x66AA: "firmware version", 0x77AA: "rollback",
    ]

    package var name: String { Self.names[type] ?? "unknown" }
}

extension SUOTAImage {
    /// The sections up to the first unknown type, where padding is assumed to begin.
    package var sections: [ExtensionSection] { headerExtension.sections }

    var headerExtension: HeaderExtension { .init(ByteReader(gap, startingAt: header.family.headerBytes)) }
}

struct HeaderExtension {
    /// The largest number of sections; six types are known.
    private static let sectionLimit = 64

    private(set) var sections: [ExtensionSection] = []
    /// Offset of ``rest`` from the start of the file.
    let restOffset: Int
    /// The bytes after the sections, normally padding.
    let rest: ArraySlice<UInt8>
    /// Whether ``rest`` starts like a section, but is too short for it.
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
            // With fewer than two bytes left there is no type, so no section is cut off.
            isCutOff = error.field != "section type"
        }
        restOffset = reader.offset
        rest = reader.remainder()
    }

    var endsWithFilling: Bool { rest.allSatisfy { $0 == rest.first } }

    private static func section(_ reader: inout ByteReader) throws(ByteError) -> ExtensionSection? {
        let offset = reader.offset
        let type: UInt16 = try reader.integer("section type")
        guard ExtensionSection.names[type] != nil else { return nil }
        let length: UInt16 = try reader.integer("section length")
        let content = try reader.bytes("section", Int(length))
        return ExtensionSection(offset: offset, type: type, content: Array(content))
    }
}
