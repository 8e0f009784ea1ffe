import GRDB
import Tray

/// The values of a row, by the index of their column. In a damaged file, a value may have any type.
struct Fields {
    private let row: Row

    init(_ row: Row) { self.row = row }

    static func one(
        _ database: Database, _ sql: String, _ arguments: StatementArguments = []
    ) throws -> Fields {
        guard let row = try Row.fetchOne(database, sql: sql, arguments: arguments) else {
            throw DamagedRow("a row is missing")
        }
        return Fields(row)
    }

    static func all(
        _ database: Database, _ sql: String, _ arguments: StatementArguments = []
    ) throws -> [Fields] { try Row.fetchAll(database, sql: sql, arguments: arguments).map(Fields.init) }

    func text(_ index: Int) throws -> String { try present(textIfAny(index), "a text", index) }

    func textIfAny(_ index: Int) throws -> String? {
        switch (row[index] as DatabaseValue).storage {
        case .string(let text): text
        case .null: nil
        default: throw DamagedRow("a text is something else", row, index)
        }
    }

    func integer(_ index: Int) throws -> Int64 { try present(integerIfAny(index), "a number", index) }

    func integerIfAny(_ index: Int) throws -> Int64? {
        switch (row[index] as DatabaseValue).storage {
        case .int64(let number): number
        case .null: nil
        default: throw DamagedRow("a number is something else", row, index)
        }
    }

    private func present<Value>(_ value: Value?, _ kind: String, _ index: Int) throws -> Value {
        guard let value else { throw DamagedRow("\(kind) is missing", row, index) }
        return value
    }

    func time(_ index: Int) throws -> RecordedTime { RecordedTime(milliseconds: try integer(index)) }

    func timeIfAny(_ index: Int) throws -> RecordedTime? {
        try integerIfAny(index).map { RecordedTime(milliseconds: $0) }
    }
}

/// A row with content that the program does not write.
struct DamagedRow: Error, CustomStringConvertible {
    let description: String

    init(_ flaw: String) { description = flaw }

    init(_ flaw: String, _ row: Row, _ index: Int) {
        description = "\(flaw) in the column '\(Array(row.columnNames)[index])'"
    }
}
