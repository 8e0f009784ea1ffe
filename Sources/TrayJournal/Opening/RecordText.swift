import FoundationEssentials

/// The text of a record as stored in a row.
enum RecordText {
    /// JSON with sorted keys.
    static func of(_ record: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(record), as: UTF8.self)
    }

    /// The record of `text`.
    static func read<Record: Decodable>(_ text: String) throws -> Record {
        do {
            return try JSONDecoder().decode(Record.self, from: Data(text.utf8))
        } catch {
            throw DamagedRow("a record cannot be read")
        }
    }
}
