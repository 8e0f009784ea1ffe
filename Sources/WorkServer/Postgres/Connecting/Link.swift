import CPostgres
import Glibc

/// A libpq connection whose calls do not block, and which the deinitialiser closes. Only one task may use it at a time.
final class Link {
    private let connection: OpaquePointer

    init?(_ keywords: [(name: String, value: String)]) {
        let names: [UnsafeMutablePointer<CChar>?] = keywords.map { strdup($0.name) } + [nil]
        let values: [UnsafeMutablePointer<CChar>?] = keywords.map { strdup($0.value) } + [nil]
        defer { for text in names + values { free(text) } }
        let connection = names.map { UnsafePointer<CChar>($0) }.withUnsafeBufferPointer { names in
            values.map { UnsafePointer<CChar>($0) }.withUnsafeBufferPointer { values in
                PQconnectStartParams(names.baseAddress, values.baseAddress, 1)
            }
        }
        guard let connection else { return nil }
        self.connection = connection
        // Without a receiver, libpq would print the server's notices.
        PQsetNoticeReceiver(connection, { _, _ in }, nil)
        PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
    }

    deinit { PQfinish(connection) }

    var isGood: Bool { PQstatus(connection) == CONNECTION_OK }
    /// Whether the server requested a password and there was none.
    var needsPassword: Bool { PQconnectionNeedsPassword(connection) == 1 }
    var isBad: Bool { PQstatus(connection) == CONNECTION_BAD }
    var descriptor: Int32 { PQsocket(connection) }
    /// The server's version, for example 150018 for 15.18.
    var serverVersion: Int { Int(PQserverVersion(connection)) }
    var backend: Int32 { PQbackendPID(connection) }

    var errorMessage: String { PQerrorMessage(connection).map { String(cString: $0) } ?? "" }

    func pollConnecting() -> PostgresPollingStatusType { PQconnectPoll(connection) }
    func setNonblocking() -> Bool { PQsetnonblocking(connection, 1) == 0 }
    /// Sends buffered data: returns 0 when everything is sent, 1 when not, -1 on failure.
    func flush() -> Int32 { PQflush(connection) }
    func consume() -> Bool { PQconsumeInput(connection) == 1 }
    var isBusy: Bool { PQisBusy(connection) == 1 }

    /// The next result of the statement; nil when there are no more.
    func nextResult() -> StatementResult? { PQgetResult(connection).map(StatementResult.init) }

    /// The payload of the next notification (NOTIFY) of another session; nil when there are no more.
    func nextNotification() -> String? {
        guard let notify = PQnotifies(connection) else { return nil }
        defer { PQfreemem(notify) }
        return String(cString: notify.pointee.extra)
    }

    /// Sends a statement, or if `parameters` is nil, one or several; returns false if libpq does not accept it.
    func send(_ sql: String, _ parameters: [PostgresValue]?, _ format: ResultFormat) -> Bool {
        guard let parameters else { return PQsendQuery(connection, sql) == 1 }
        let texts = parameters.map(\.bytes)
        let lengths = texts.map { Int32(clamping: ($0?.count ?? 1) - 1) }
        let formats = parameters.map(\.format)
        // All values are in one block, so that the pointers to them are valid during the call.
        let block = texts.flatMap { $0 ?? [] }
        return block.withUnsafeBufferPointer { block in
            var offset = 0
            let values = texts.map { text -> UnsafePointer<CChar>? in
                guard let text, let base = block.baseAddress else { return nil }
                defer { offset += text.count }
                return UnsafeRawPointer(base + offset).assumingMemoryBound(to: CChar.self)
            }
            return PQsendQueryParams(
                connection, sql, Int32(clamping: values.count), nil, values, lengths, formats, format.rawValue
            ) == 1
        }
    }
}
