import CPostgres

/// Parses connection strings as libpq does.
enum ConnectionText {
    /// The error in it, without showing it, since it may hold a password; nil if there is none.
    static func flaw(in text: String) -> String? {
        guard !text.utf8.contains(0) else { return "the connection string contains a NUL" }
        guard let options = options(of: text) else { return "the connection string is invalid" }
        guard let secret = options.first(where: \.isSecret) else { return nil }
        return "the connection string contains a \(secret.keyword): keep it in ~/.pgpass or a service file"
    }

    /// The options that name each of its servers in turn: libpq accepts parallel lists of names, addresses and ports
    /// (PostgreSQL, 34.1.1.3). A single empty element if it names at most one.
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
        // libpq refuses lists of different lengths; a single port is for all servers, and libpq chooses an empty host.
        let isPlain = lists.allSatisfy { name, values in
            !values.contains("") && (values.count == count || name == "port" && values.count == 1)
        }
        guard count > 1, isPlain else { return [[]] }
        return (0..<count).map { index in lists.map { ($0.0, $0.1[min(index, $0.1.count - 1)]) } }
    }

    /// The default port, by libpq and the environment.
    private static var usualPort: String {
        let defaults = PQconndefaults()
        defer { PQconninfoFree(defaults) }
        return defaults.map(list)?.first { $0.keyword == "port" }?.value ?? "5432"
    }

    private struct Option {
        let keyword, value: String
        /// Whether libpq hides its value in listings.
        let isSecret: Bool
    }

    private static func options(of text: String) -> [Option]? {
        // libpq takes anything else as a database name.
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
