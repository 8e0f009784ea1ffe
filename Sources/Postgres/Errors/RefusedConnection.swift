/// What libpq says of a connection that did not come about.
///
/// It has no SQLSTATE in a field, but in its text, when it was told to be verbose:
///
///     connection to server at "10.0.0.1", port 5432 failed: FATAL:  28P01: password authentication failed for user "a"
///     LOCATION:  auth_failed, auth.c:329
struct RefusedConnection: Equatable {
    /// In one line, without the place in the server's source.
    let words: String
    /// The server's SQLSTATE; nil where no server has answered.
    let sqlstate: String?

    init(_ text: String) {
        var sqlstate: String?
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }.map { line in
            guard let (plain, code) = Self.withoutCode(line) else { return String(line) }
            sqlstate = code
            return plain
        }
        words = lines.isEmpty ? "there is no connection" : lines.joined(separator: "; ")
        self.sqlstate = sqlstate
    }

    /// `line` without the code between severity and message; nil where it has none.
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
