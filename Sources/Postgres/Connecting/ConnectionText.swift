import CPostgres

/// A connection string as libpq reads it.
enum ConnectionText {
    /// What is wrong with it, told without showing it: it may hold a password.
    static func flaw(in text: String) -> String? {
        guard !text.utf8.contains(0) else { return "the connection string holds a NUL" }
        guard let options = options(of: text) else { return "the connection string is not understood" }
        guard let secret = options.first(where: \.isSecret) else { return nil }
        return "the connection string holds a \(secret.keyword): keep it in ~/.pgpass or a service file"
    }

    /// What names one of its servers, for each of them in turn: libpq takes lists of names, addresses and ports, which go
    /// together (PostgreSQL, 34.1.1.3). One without members where it names no more than one.
    static func servers(of text: String) -> [[(name: String, value: String)]] {
        let lists = (options(of: text) ?? []).filter { ["host", "hostaddr", "port"].contains($0.keyword) }
            .map { option in
                let values = option.value.split(separator: ",", omittingEmptySubsequences: false).map(
                    String.init)
                return (
                    option.keyword, values.map { $0.isEmpty && option.keyword == "port" ? usualPort : $0 }
                )
            }
        let count = lists.map(\.1.count).max() ?? 1
        // A list of another length is libpq's to refuse; one port is everybody's, and a host that is left empty is its to choose.
        let isPlain = lists.allSatisfy { name, values in
            !values.contains("") && (values.count == count || name == "port" && values.count == 1)
        }
        guard count > 1, isPlain else { return [[]] }
        return (0..<count).map { index in lists.map { ($0.0, $0.1[min(index, $0.1.count - 1)]) } }
    }

    /// Where a server listens whose port nobody says, by libpq and the environment.
    private static var usualPort: String {
        let defaults = PQconndefaults()
        defer { PQconninfoFree(defaults) }
        return defaults.map(list)?.first { $0.keyword == "port" }?.value ?? "5432"
    }

    private struct Option {
        let keyword, value: String
        /// What a list of options does not show.
        let isSecret: Bool
    }

    /// The options that it says; nil where it is not understood.
    private static func options(of text: String) -> [Option]? {
        // Anything else is a database's name to libpq.
        guard text.utf8.contains(UInt8(ascii: "=")) || text.hasPrefix("postgres") else { return [] }
        var message: UnsafeMutablePointer<CChar>?
        let options = PQconninfoParse(text, &message)
        defer {
            PQfreemem(message)
            PQconninfoFree(options)
        }
        return options.map(list)
    }

    private static func list(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [Option] {
        sequence(first: options, next: { $0 + 1 }).prefix { $0.pointee.keyword != nil }.compactMap {
            option in
            guard let keyword = option.pointee.keyword, let value = option.pointee.val else { return nil }
            let isSecret = option.pointee.dispchar.map { String(cString: $0) == "*" } ?? false
            return Option(
                keyword: String(cString: keyword), value: String(cString: value), isSecret: isSecret)
        }
    }
}
