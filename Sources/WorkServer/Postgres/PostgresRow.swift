/// A row of an answer. Fields are read by name; reading throws if the type does not match.
package struct PostgresRow: Sendable {
    final class Columns: Sendable {
        let places: [String: Int]
        let during: String

        init(_ names: [String], during: String) {
            places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
            self.during = during
        }
    }

    private let values: [[UInt8]?]
    private let columns: Columns

    init(_ values: [[UInt8]?], _ columns: Columns) { (self.values, self.columns) = (values, columns) }

    /// The bytes of `column`, in the format of the answer; nil for NULL.
    package func bytesIfAny(_ column: String) throws(PostgresError) -> [UInt8]? {
        guard let place = columns.places[column], values.indices.contains(place) else {
            throw flaw("there is no column '\(column)'")
        }
        return values[place]
    }

    package func bytes(_ column: String) throws(PostgresError) -> [UInt8] {
        try present(bytesIfAny(column), column)
    }

    /// The text of `column`; nil for NULL.
    package func textIfAny(_ column: String) throws(PostgresError) -> String? {
        guard let bytes = try bytesIfAny(column) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw flaw("'\(column)' is not UTF-8")
        }
        return text
    }

    package func text(_ column: String) throws(PostgresError) -> String {
        try present(textIfAny(column), column)
    }

    /// The number of `column`; nil for NULL.
    package func integerIfAny(_ column: String) throws(PostgresError) -> Int64? {
        guard let text = try textIfAny(column) else { return nil }
        guard let number = Int64(text) else { throw flaw("'\(column)' is not a number") }
        return number
    }

    package func integer(_ column: String) throws(PostgresError) -> Int64 {
        try present(integerIfAny(column), column)
    }

    /// The fraction of `column`; nil for NULL.
    package func fractionIfAny(_ column: String) throws(PostgresError) -> Double? {
        guard let text = try textIfAny(column) else { return nil }
        guard let number = Double(text) else { throw flaw("'\(column)' is not a number") }
        return number
    }

    /// The boolean of `column`; nil for NULL.
    package func booleanIfAny(_ column: String) throws(PostgresError) -> Bool? {
        switch try textIfAny(column) {
        case nil: return nil
        case "t": return true
        case "f": return false
        default: throw flaw("'\(column)' is not a boolean")
        }
    }

    package func boolean(_ column: String) throws(PostgresError) -> Bool {
        try present(booleanIfAny(column), column)
    }

    /// The error for a field that can be read but has an unexpected value.
    package func flaw(_ words: String) -> PostgresError {
        PostgresError(.answer(words), during: columns.during)
    }

    private func present<Value>(_ value: Value?, _ column: String) throws(PostgresError) -> Value {
        guard let value else { throw flaw("'\(column)' is missing") }
        return value
    }
}

package typealias PostgresRows = [PostgresRow]
