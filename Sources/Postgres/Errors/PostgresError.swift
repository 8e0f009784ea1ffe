/// Why a statement was not run, or how it failed: what the server or the connection says, never a password.
public struct PostgresError: Error, Hashable, Sendable {
    /// Where it failed.
    public enum Problem: Hashable, Sendable {
        /// What was given to connect with cannot be used: why, in words.
        case settings(String)
        /// There is no connection, or it has ended: what the library says. A refusal to connect has the server's SQLSTATE.
        case connection(String, sqlstate: String?)
        /// The server wants a password, and there is none for it: what the library says.
        case password(String)
        /// The server is not trusted, or has no encryption where it is asked for: what the library says.
        case certificate(String)
        /// It was not done within so long. The connection is closed, because nobody knows what became of it.
        case deadline(Duration)
        /// The task was cancelled. The connection is closed as after a deadline.
        case cancelled
        /// The server has refused a statement. The connection can be used.
        case server(ServerMessage)
        /// The answer is not what was asked for: what was seen, in words.
        case answer(String)
    }

    /// What was being done.
    public let during: String
    /// Where it failed.
    public let problem: Problem

    /// `problem` during `during`.
    public init(_ problem: Problem, during: String) { (self.problem, self.during) = (problem, during) }

    /// The five letters and digits by which PostgreSQL tells errors apart; nil where the server has said nothing.
    public var sqlstate: String? {
        switch problem {
        case .connection(_, let sqlstate): sqlstate
        case .server(let message): message.sqlstate
        case .settings, .password, .certificate, .deadline, .cancelled, .answer: nil
        }
    }
}

extension PostgresError {
    /// Whether another server may answer where this one has not.
    var mayBeAnotherServers: Bool {
        switch problem {
        case .deadline, .connection(_, nil): true
        // It starts, stops, or has no connection free.
        case .connection(_, let sqlstate?): sqlstate.hasPrefix("57P0") || sqlstate == "53300"
        case .settings, .password, .certificate, .cancelled, .server, .answer: false
        }
    }
}

extension PostgresError: CustomStringConvertible {
    /// What happened, in one line.
    public var description: String { "\(during): \(cause)" }

    /// What happened, without what was being done.
    public var cause: String {
        switch problem {
        case .settings(let flaw), .password(let flaw), .certificate(let flaw): flaw
        case .connection(let words, nil): words
        case .connection(let words, let sqlstate?): "\(words) (\(sqlstate))"
        case .deadline(let limit): "no answer within \(limit)"
        case .cancelled: "it was given up"
        case .server(let message): "\(message)"
        case .answer(let flaw): "the answer is not understood: \(flaw)"
        }
    }
}
