import Bytes

/// A record of an open container's extension: type, length, value (fbeacon.md, Layout).
package struct ExtensionRecord: Hashable, Sendable {
    /// The type of a record. New types may be added.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The model, ASCII of 1 to 32 bytes.
        package static let modelType = Kind(rawValue: 1)
        /// The version for people, UTF-8 of 1 to 32 bytes.
        package static let versionText = Kind(rawValue: 2)
        /// A note for people, UTF-8 of 1 to 255 bytes.
        package static let note = Kind(rawValue: 3)
        /// When the file was built, u32 seconds since 1970 in UTC.
        package static let builtAt = Kind(rawValue: 4)
        /// The SHA-256 of the payload, 32 bytes.
        package static let payloadSHA256 = Kind(rawValue: 5)

        /// Whether the type is reserved for private use by the author of the file.
        package var isPrivate: Bool { rawValue >= 0x80 }
    }

    /// The largest extension, in bytes.
    package static let limit = 4096

    package let kind: Kind
    package let value: [UInt8]

    package var modelType: String? { kind == .modelType ? text : nil }

    package var text: String? {
        switch kind {
        case .modelType, .versionText, .note: String(validating: value, as: UTF8.self)
        default: nil
        }
    }

    /// When the file was built, in seconds since 1970 in UTC.
    package var builtAt: UInt32? {
        guard kind == .builtAt else { return nil }
        var reader = ByteReader(value)
        return try? reader.integer("builtAt")
    }

    package var bytes: [UInt8] { [kind.rawValue, UInt8(value.count)] + value }
}

extension ExtensionRecord {
    /// A record; nil if the value does not fit its type.
    package init?(_ kind: Kind, _ value: [UInt8]) {
        guard value.count <= 255, Self.flaw(of: value, as: kind) == nil else { return nil }
        self.init(kind: kind, value: value)
    }

    /// The records up to the first error, and that error.
    static func all(
        in content: ArraySlice<UInt8>, startingAt offset: Int
    ) -> ([ExtensionRecord], ExtensionError?) {
        guard content.count <= limit else { return ([], ExtensionError(offset: offset, reason: .tooLong)) }
        var reader = ByteReader(content, startingAt: offset)
        var records: [ExtensionRecord] = []
        while reader.remaining > 0 {
            let place = reader.offset
            guard let record = try? fields(&reader) else {
                return (records, ExtensionError(offset: place, reason: .truncated))
            }
            if let reason = flaw(of: record.value, as: record.kind) {
                return (records, ExtensionError(offset: place, reason: reason))
            }
            if records.contains(where: { $0.kind == record.kind }) {
                return (records, ExtensionError(offset: place, reason: .repeated))
            }
            records.append(record)
        }
        return (records, nil)
    }

    private static func fields(_ reader: inout ByteReader) throws(ByteError) -> ExtensionRecord {
        let kind = Kind(rawValue: try reader.integer("record type"))
        let length: UInt8 = try reader.integer("record length")
        return ExtensionRecord(kind: kind, value: Array(try reader.bytes("record value", Int(length))))
    }

    private static func flaw(of value: [UInt8], as kind: Kind) -> ExtensionError.Reason? {
        switch kind {
        case .modelType: text(value, upTo: 32) { (0x20..<0x7F).contains($0) }
        case .versionText: text(value, upTo: 32)
        case .note: text(value, upTo: 255)
        case .builtAt: value.count == 4 ? nil : .wrongLength
        case .payloadSHA256: value.count == 32 ? nil : .wrongLength
        default: nil
        }
    }

    private static func text(
        _ value: [UInt8], upTo limit: Int, of characters: (UInt8) -> Bool = { _ in true }
    ) -> ExtensionError.Reason? {
        guard (1...limit).contains(value.count) else { return .wrongLength }
        let isText = value.allSatisfy(characters) && String(validating: value, as: UTF8.self) != nil
        return isText ? nil : .notText
    }
}

struct ExtensionError: Error, Hashable, Sendable, CustomStringConvertible {
    enum Reason: Hashable, Sendable {
        case truncated
        case tooLong
        case repeated
        case wrongLength
        case notText
    }

    /// Bytes from the start of the file to the record.
    let offset: Int
    let reason: Reason

    var description: String {
        switch reason {
        case .truncated: "extends beyond the end of the extension"
        case .tooLong: "the extension has more than \(ExtensionRecord.limit) bytes"
        case .repeated: "its type occurs twice"
        case .wrongLength: "does not have the length that its type requires"
        case .notText: "is not the text that its type requires"
        }
    }
}
