/// Why a statement was not run, or how it failed. Never contains a password.
package struct PostgresError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Problem: Hashable, Sendable {
        /// The connection string cannot be used, for this reason.
        case settings(String)
        /// There is no connection, or it has ended: libpq's message. If the server has refused the connection, also its
        /// SQLSTATE; otherwise nil.
        case connection(String, sqlstate: String?)
        /// The server requires a password, and none is configured: libpq's message.
        case password(String)
        /// The server is not trusted, or lacks required encryption: libpq's message.
        case certificate(String)
        /// The call did not end within this time. The connection is closed, because the outcome is unknown.
        case deadline(Duration)
        /// The task was cancelled. The connection is closed as after a deadline.
        case cancelled
        /// The server has reported an error. After one of severity `ERROR`, the connection remains usable.
        case server(ServerMessage)
        /// The answer is not as expected: what was found, in words.
        case answer(String)
    }

    package let during: String
    package let problem: Problem

    package init(_ problem: Problem, during: String) { (self.problem, self.during) = (problem, during) }

    /// Whether the next one of several servers may succeed.
    var allowsNextServer: Bool {
        switch problem {
        case .deadline, .connection(_, nil): true
        // The server is starting, stopping, or has no connection free.
        case .connection(_, let sqlstate?): sqlstate.hasPrefix("57P0") || sqlstate == "53300"
        case .settings, .password, .certificate, .cancelled, .server, .answer: false
        }
    }

    package var description: String { "\(during): \(cause)" }

    package var cause: String {
        switch problem {
        case .settings(let flaw), .password(let flaw), .certificate(let flaw): flaw
        case .connection(let words, nil): words
        case .connection(let words, let sqlstate?): "\(words) (\(sqlstate))"
        case .deadline(let limit): "no answer within \(limit)"
        case .cancelled: "cancelled"
        case .server(let message): "\(message)"
        case .answer(let flaw): "unexpected answer: \(flaw)"
        }
    }
}

/// An error as PostgreSQL reports it, with the fields of the protocol (PostgreSQL, 55.8).
package struct ServerMessage: Hashable, Sendable, CustomStringConvertible {
    /// `ERROR`, `FATAL` or `PANIC`.
    package var severity: String
    /// Five letters and digits (PostgreSQL, Appendix A).
    package var sqlstate: String
    /// What happened, in the server's language.
    package var message: String
    package var detail, hint: String?
    /// The constraint concerned; in errors of the work server's functions, this program's code (`FailureCode`).
    package var constraint: String?

    /// Message, detail and SQLSTATE in one line.
    package var description: String {
        let more = detail.map { "; \($0)" } ?? ""
        return "\(message)\(more) (\(sqlstate))".split(separator: "\n").joined(separator: " ")
    }
}

/// libpq's message about a failed connection.
///
/// libpq has no field for the SQLSTATE of a refused connection, which is only in the verbose text:
///
///     connection to server at "10.0.0.1", port 5432 failed: FATAL:  28P01: password authentication failed for user "a"
///     LOCATION:  auth_failed, auth.c:329
struct RefusedConnection: Equatable {
    /// The message in one line, without the location in the server's source.
    let words: String
    /// The server's SQLSTATE; nil if no server has answered.
    let sqlstate: String?
    /// The kind of error: only an unreachable server may be available later.
    let problem: PostgresError.Problem

    /// libpq's texts after it has tried to reach a server or to look up its name.
    private static let connectionTexts = ["connection to server", "could not translate host name"]
    /// libpq's texts about TLS problems that a user has to solve. (`SSL SYSCALL error` is a lost connection.)
    private static let securityTexts = [
        "certificate", "SSL error:", "does not match host name", "does not support SSL",
    ]

    init(_ text: String, needsPassword: Bool = false) {
        var sqlstate: String?
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }.map { line in
            let line = line.drop { $0 == "\t" }
            guard let (plain, code) = Self.splitSQLSTATE(line) else { return String(line) }
            sqlstate = code
            return plain
        }
        let words = lines.isEmpty ? "no connection" : lines.joined(separator: "; ")
        (self.words, self.sqlstate) = (words, sqlstate)
        func contains(_ parts: [String]) -> Bool { parts.contains { text.contains($0) } }
        problem =
            if sqlstate != nil || text.isEmpty {
                .connection(words, sqlstate: sqlstate)
            } else if needsPassword {
                .password(words)
            } else if contains(Self.securityTexts) {
                .certificate(words)
            } else if contains(Self.connectionTexts) {
                .connection(words, sqlstate: nil)
            } else { .settings(words) }
    }

    /// `line` without the SQLSTATE between severity and message, and the SQLSTATE; nil if the line has none.
    private static func splitSQLSTATE(_ line: Substring) -> (plain: String, code: String)? {
        let bytes = Array(line.utf8)
        guard bytes.count >= 10 else { return nil }
        for start in 0...bytes.count - 10 where bytes[start..<start + 3].elementsEqual(":  ".utf8) {
            let code = bytes[start + 3..<start + 8]
            guard code.allSatisfy(isSQLSTATECharacter), bytes[start + 8..<start + 10].elementsEqual(": ".utf8)
            else {
                continue
            }
            let plain = bytes[..<start] + Array(": ".utf8) + bytes[(start + 10)...]
            return (String(decoding: plain, as: UTF8.self), String(decoding: code, as: UTF8.self))
        }
        return nil
    }

    private static func isSQLSTATECharacter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
