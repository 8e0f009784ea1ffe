import CPostgres

/// Parses connection strings as libpq does.
enum ConnectionText {
    /// What is wrong with `text`, without quoting it, since it may hold a password; nil if nothing is wrong.
    static func flaw(in text: String) -> String? {
        guard !text.utf8.contains(0) else { return "the connection string contains a NUL" }
        guard let options = options(of: text) else { return "the connection string is invalid" }
        guard let secret = options.first(where: \.isSecret) else { return nil }
        return "the connection string contains a \(secret.keyword): keep it in ~/.pgpass or a service file"
    }

    /// For each server that `text` names, the options that select this one: libpq accepts parallel lists of names,
    /// addresses and ports (PostgreSQL, 34.1.1.3). A single empty element if `text` names at most one server.
    static func servers(of text: String) -> [[(name: String, value: String)]] {
        let lists = (options(of: text) ?? []).filter { ["host", "hostaddr", "port"].contains($0.keyword) }
            .map { option in
                let values = option.value.split(separator: ",", omittingEmptySubsequences: false).map(
                    String.init)
                return (
                    option.keyword, values.map { $0.isEmpty && option.keyword == "port" ? defaultPort : $0 }
                )
            }
        let count = lists.map(\.1.count).max() ?? 1
        // libpq itself refuses lists of different lengths, and handles empty hosts. A single port is for all servers.
        let isPlain = lists.allSatisfy { name, values in
            !values.contains("") && (values.count == count || name == "port" && values.count == 1)
        }
        guard count > 1, isPlain else { return [[]] }
        return (0..<count).map { index in lists.map { ($0.0, $0.1[min(index, $0.1.count - 1)]) } }
    }

    /// The default port: libpq's, or that of the environment (PGPORT).
    private static var defaultPort: String {
        let defaults = PQconndefaults()
        defer { PQconninfoFree(defaults) }
        return defaults.map(list)?.first { $0.keyword == "port" }?.value ?? "5432"
    }

    private struct Option {
        let keyword, value: String
        /// Whether libpq marks the value as a password.
        let isSecret: Bool
    }

    private static func options(of text: String) -> [Option]? {
        // libpq takes any other text as a database name.
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
