import Tray

/// A row of an answer. Fields are read by name; reading throws if the type does not match.
package struct PostgresRow: Sendable {
    let values: [[UInt8]?]
    /// The index of each column in `values`, by the column's name.
    let columns: [String: Int]
    let during: String

    /// The bytes of `column`, in text or binary form as the statement requested; nil for NULL.
    private func bytesIfAny(_ column: String) throws(PostgresError) -> [UInt8]? {
        guard let index = columns[column], values.indices.contains(index) else {
            throw flaw("there is no column '\(column)'")
        }
        return values[index]
    }

    package func bytes(_ column: String) throws(PostgresError) -> [UInt8] {
        try required(bytesIfAny(column), column)
    }

    package func textIfAny(_ column: String) throws(PostgresError) -> String? {
        guard let bytes = try bytesIfAny(column) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw flaw("'\(column)' is not UTF-8")
        }
        return text
    }

    package func text(_ column: String) throws(PostgresError) -> String {
        try required(textIfAny(column), column)
    }

    func integerIfAny(_ column: String) throws(PostgresError) -> Int64? {
        try valueIfAny(column, "number") { Int64($0) }
    }

    package func integer(_ column: String) throws(PostgresError) -> Int64 {
        try required(integerIfAny(column), column)
    }

    func count(_ column: String) throws(PostgresError) -> Int { Int(clamping: try integer(column)) }

    /// The time in `column`, which has milliseconds since 1970; nil for NULL.
    func timeIfAny(_ column: String) throws(PostgresError) -> RecordedTime? {
        try integerIfAny(column).map { RecordedTime(milliseconds: $0) }
    }

    func time(_ column: String) throws(PostgresError) -> RecordedTime {
        try required(timeIfAny(column), column)
    }

    func fractionIfAny(_ column: String) throws(PostgresError) -> Double? {
        try valueIfAny(column, "number") { Double($0) }
    }

    func booleanIfAny(_ column: String) throws(PostgresError) -> Bool? {
        try valueIfAny(column, "boolean") { ["t": true, "f": false][$0] }
    }

    package func boolean(_ column: String) throws(PostgresError) -> Bool {
        try required(booleanIfAny(column), column)
    }

    /// The case of an enumeration that `column` names; `kind` names the enumeration in the error for an unknown case.
    func enumeration<Value: RawRepresentable<String>>(
        _ column: String, _ kind: String
    ) throws(PostgresError) -> Value {
        let text = try text(column)
        guard let value = Value(rawValue: text) else { throw flaw("unknown \(kind) '\(text)'") }
        return value
    }

    /// The error for a field that can be read but has an unexpected value.
    func flaw(_ words: String) -> PostgresError { PostgresError(.answer(words), during: during) }

    private func valueIfAny<Value>(
        _ column: String, _ kind: String, _ parse: (String) -> Value?
    ) throws(PostgresError) -> Value? {
        guard let text = try textIfAny(column) else { return nil }
        guard let value = parse(text) else { throw flaw("'\(column)' is not a \(kind)") }
        return value
    }

    private func required<Value>(_ value: Value?, _ column: String) throws(PostgresError) -> Value {
        guard let value else { throw flaw("'\(column)' is missing") }
        return value
    }
}

package typealias PostgresRows = [PostgresRow]

extension PostgresRows {
    func only(_ during: String) throws(PostgresError) -> PostgresRow {
        guard count == 1 else { throw PostgresError(.answer("\(count) rows instead of one"), during: during) }
        return self[0]
    }
}

/// The SQL that selects `column`, a time, in milliseconds since 1970.
func milliseconds(_ column: String) -> String {
    "floor(extract(epoch FROM \(column)) * 1000)::bigint AS \(column)"
}
