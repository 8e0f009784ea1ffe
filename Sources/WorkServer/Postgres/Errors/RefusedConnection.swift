/// libpq's message about a failed connection.
///
/// The SQLSTATE is not in a field, but in the verbose text:
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

    /// libpq's texts once it has tried a server or a name.
    private static let far = ["connection to server", "could not translate host name"]
    /// Its texts about TLS problems that need a user; `SSL SYSCALL error` is a lost connection.
    private static let distrust = [
        "certificate", "SSL error:", "does not match host name", "does not support SSL",
    ]

    init(_ text: String, wantingPassword isPasswordWanted: Bool = false) {
        var sqlstate: String?
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }.map { line in
            let line = line.drop { $0 == "\t" }
            guard let (plain, code) = Self.withoutCode(line) else { return String(line) }
            sqlstate = code
            return plain
        }
        let words = lines.isEmpty ? "no connection" : lines.joined(separator: "; ")
        (self.words, self.sqlstate) = (words, sqlstate)
        func says(_ parts: [String]) -> Bool { parts.contains { text.contains($0) } }
        problem =
            if sqlstate != nil || text.isEmpty {
                .connection(words, sqlstate: sqlstate)
            } else if isPasswordWanted {
                .password(words)
            } else if says(Self.distrust) {
                .certificate(words)
            } else if says(Self.far) {
                .connection(words, sqlstate: nil)
            } else { .settings(words) }
    }

    /// `line` without the code between severity and message; nil if it has none.
    private static func withoutCode(_ line: Substring) -> (plain: String, code: String)? {
        let bytes = Array(line.utf8)
        guard bytes.count >= 10 else { return nil }
        for start in 0...bytes.count - 10 where bytes[start..<start + 3].elementsEqual(":  ".utf8) {
            let code = bytes[start + 3..<start + 8]
            guard code.allSatisfy(isOfCode), bytes[start + 8..<start + 10].elementsEqual(": ".utf8) else {
                continue
            }
            let plain = bytes[..<start] + Array(": ".utf8) + bytes[(start + 10)...]
            return (String(decoding: plain, as: UTF8.self), String(decoding: code, as: UTF8.self))
        }
        return nil
    }

    private static func isOfCode(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
