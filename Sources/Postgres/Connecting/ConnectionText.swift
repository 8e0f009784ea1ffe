import CPostgres

/// What is wrong with a connection string, told without showing it: it may hold a password.
enum ConnectionText {
    static func flaw(in text: String) -> String? {
        guard !text.utf8.contains(0) else { return "the connection string holds a NUL" }
        // Anything else is a database's name to libpq.
        guard text.utf8.contains(UInt8(ascii: "=")) || text.hasPrefix("postgres") else { return nil }
        var message: UnsafeMutablePointer<CChar>?
        let options = PQconninfoParse(text, &message)
        defer {
            PQfreemem(message)
            PQconninfoFree(options)
        }
        guard let options else { return "the connection string is not understood" }
        for option in sequence(first: options, next: { $0 + 1 }) {
            guard let keyword = option.pointee.keyword else { break }
            if option.pointee.val != nil, String(cString: keyword) == "password" {
                return "the connection string holds a password: keep it in ~/.pgpass or a service file"
            }
        }
        return nil
    }
}
