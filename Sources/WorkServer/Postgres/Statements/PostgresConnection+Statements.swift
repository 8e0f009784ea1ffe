import Bluetooth

extension PostgresConnection {
    /// Runs one statement, in which `$1` and so on stand for the parameters. `during` names the activity in errors. The
    /// time limit is `limit`, or else that of the settings.
    package func run(
        _ sql: String, _ parameters: [PostgresValue] = [], format: ResultFormat = .text, during: String,
        within limit: Duration? = nil
    ) async throws(PostgresError) -> PostgresRows {
        try await withTurn(during) { () throws(PostgresError) in
            try await exchange(sql, parameters, format, during, limit ?? settings.statementTimeout)
        }
    }

    /// Runs `body` between BEGIN and COMMIT, while no other task uses the session; if it throws, everything is rolled
    /// back. The time limit of each statement is `longer`, or else that of the settings.
    package func transaction<Value: Sendable>(
        during: String, each longer: Duration? = nil,
        _ body: (PostgresTransaction) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        try await withTurn(during) { () throws(PostgresError) in
            let limit = longer ?? settings.statementTimeout
            _ = try await exchange("BEGIN", [], .text, during, limit)
            do throws(PostgresError) {
                if longer != nil { try await setServerTimeouts(limit, isLocal: true, during) }
                let value = try await body(
                    PostgresTransaction(connection: self, during: during, limit: limit))
                _ = try await exchange("COMMIT", [], .text, during, limit)
                return value
            } catch {
                // If the transaction cannot be ended, the session is unusable.
                do throws(PostgresError) {
                    _ = try await exchange("ROLLBACK", [], .text, during, limit)
                } catch {
                    close()
                }
                throw error
            }
        }
    }

    /// Waits for notifications and returns their payloads; empty if none arrives within `limit`. If the connection is
    /// lost, notifications are lost as well.
    package func notifications(within limit: Duration) async throws(PostgresError) -> [String] {
        let during = "listening"
        return try await withTurn(during) { () throws(PostgresError) in
            do {
                return try await time.within(limit) { try await self.nextNotifications(during) } ?? []
            } catch {
                close()
                throw (error as? PostgresError) ?? PostgresError(.cancelled, during: during)
            }
        }
    }

    private func nextNotifications(_ during: String) async throws(PostgresError) -> [String] {
        while true {
            guard let link else { throw closedError(during) }
            guard link.consume() else { throw connectionError(link, during) }
            var found: [String] = []
            while let next = link.nextNotification() { found.append(next) }
            guard found.isEmpty, !Task.isCancelled else { return found }
            await readiness.wait(for: .readable, of: link.descriptor)
        }
    }

    private func withTurn<Value: Sendable>(
        _ during: String, _ body: () async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        do { try await turn.acquire() } catch { throw PostgresError(.cancelled, during: during) }
        defer { turn.release() }
        return try await body()
    }

    /// Runs a statement for the task that holds `turn`; or several, separated by semicolons, if `parameters` is nil.
    func exchange(
        _ sql: String, _ parameters: [PostgresValue]?, _ format: ResultFormat, _ during: String,
        _ limit: Duration
    ) async throws(PostgresError) -> PostgresRows {
        do throws(PostgresError) {
            return try await time.limited(limit, during: during) { () throws(PostgresError) in
                try await self.sendAndReceive(sql, parameters, format, during)
            }
        } catch {
            // Unless the server has reported an `ERROR`, it is unknown what the server does or sends next.
            let isUsable =
                if case .server(let message) = error.problem { message.severity == "ERROR" } else { false }
            if !isUsable || link?.isBad != false { close() }
            throw error
        }
    }

    private func sendAndReceive(
        _ sql: String, _ parameters: [PostgresValue]?, _ format: ResultFormat, _ during: String
    ) async throws(PostgresError) -> PostgresRows {
        guard let link else { throw closedError(during) }
        guard link.send(sql, parameters, format) else { throw connectionError(link, during) }
        try await send(link, during)
        var rows: PostgresRows = []
        var failure: PostgresError?
        // All results are read, also after an error: before that, libpq accepts no other statement.
        while true {
            try await receive(link, during)
            guard let result = link.nextResult() else { break }
            do throws(PostgresError) { rows += try result.rows(during: during) } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return rows
    }

    private func send(_ link: Link, _ during: String) async throws(PostgresError) {
        while true {
            switch link.flush() {
            case 0: return
            case 1: await waitUntilReadableOrWritable(link.descriptor)
            default: throw connectionError(link, during)
            }
            try requireOpen(link, during)
            // The server may accept more data only after this side has read its output.
            guard link.consume() else { throw connectionError(link, during) }
        }
    }

    private func receive(_ link: Link, _ during: String) async throws(PostgresError) {
        while link.isBusy {
            await readiness.wait(for: .readable, of: link.descriptor)
            try requireOpen(link, during)
            guard link.consume() else { throw connectionError(link, during) }
        }
    }

    private func waitUntilReadableOrWritable(_ descriptor: Int32) async {
        await withTaskGroup(of: Void.self) { [readiness] group in
            group.addTask { await readiness.wait(for: .readable, of: descriptor) }
            group.addTask { await readiness.wait(for: .writable, of: descriptor) }
            await group.next()
            group.cancelAll()
        }
    }

    private func requireOpen(_ link: Link, _ during: String) throws(PostgresError) {
        guard !Task.isCancelled else { throw PostgresError(.cancelled, during: during) }
        guard self.link === link else { throw closedError(during) }
    }

    private func closedError(_ during: String) -> PostgresError {
        PostgresError(.connection("the connection is closed", sqlstate: nil), during: during)
    }

    private func connectionError(_ link: Link, _ during: String) -> PostgresError {
        PostgresError(.connection(RefusedConnection(link.errorMessage).words, sqlstate: nil), during: during)
    }
}

/// An open transaction, which can be used only while its body runs.
package struct PostgresTransaction: Sendable {
    let connection: PostgresConnection
    let during: String
    let limit: Duration

    @discardableResult package func run(
        _ sql: String, _ parameters: [PostgresValue] = [], format: ResultFormat = .text
    ) async throws(PostgresError) -> PostgresRows {
        try await connection.exchange(sql, parameters, format, during, limit)
    }

    /// Runs several statements, separated by semicolons.
    package func script(_ sql: String) async throws(PostgresError) {
        _ = try await connection.exchange(sql, nil, .text, during, limit)
    }
}

package struct PostgresValue: Hashable, Sendable {
    /// The value and a zero byte, which ends a text and is not part of binary data; nil for NULL.
    let bytes: [UInt8]?
    /// 0 for text, 1 for binary.
    let format: Int32

    package static let null = PostgresValue(bytes: nil, format: 0)

    /// A text, or any other type in PostgreSQL's text form; nil for NULL. A zero byte, which PostgreSQL's texts cannot
    /// contain, becomes U+FFFD.
    package static func text(_ text: String?) -> PostgresValue {
        guard let text else { return .null }
        return PostgresValue(bytes: Array(text.withoutNUL.utf8) + [0], format: 0)
    }

    package static func integer(_ number: Int64?) -> PostgresValue { .text(number.map { "\($0)" }) }

    package static func boolean(_ isTrue: Bool) -> PostgresValue { .text(isTrue ? "t" : "f") }

    /// Bytes (`bytea`).
    package static func bytes(_ bytes: [UInt8]) -> PostgresValue {
        PostgresValue(bytes: bytes + [0], format: 1)
    }

    /// An array of texts, or of any other type in PostgreSQL's text form (PostgreSQL, 8.15.6). A nil element is NULL.
    package static func array(_ elements: [String?]) -> PostgresValue {
        let written = elements.map { element in
            guard let element else { return "NULL" }
            var text = "\""
            for letter in element.withoutNUL.unicodeScalars {
                if letter == "\"" || letter == "\\" { text.unicodeScalars.append("\\") }
                text.unicodeScalars.append(letter)
            }
            return text + "\""
        }
        return .text("{" + written.joined(separator: ",") + "}")
    }
}

extension String {
    /// The text with U+FFFD instead of zero bytes.
    fileprivate var withoutNUL: String {
        guard utf8.contains(0) else { return self }
        return String(UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }
}

package enum ResultFormat: Int32, Sendable {
    case text = 0
    /// The binary form, which is used for `bytea`.
    case binary = 1
}
