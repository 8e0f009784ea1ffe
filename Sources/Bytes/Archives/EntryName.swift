/// The rules for names inside a package: relative, within the archive, and unambiguous.
enum EntryName {
    /// The records' names as text; throws for the first that is not acceptable.
    static func checked(_ records: [DirectoryScan.Record]) throws(ArchiveError) -> [String] {
        var seen: Set<String> = []
        var names: [String] = []
        for record in records {
            let name = withoutLeadingDot(String(decoding: record.name, as: UTF8.self))
            guard isSafe(name) else {
                let isWindows = isSafe(name.replacing("\\", with: "/"))
                throw ArchiveError(
                    isWindows ? .backslashName : .unsafeName, entry: name, offset: record.recordOffset)
            }
            guard seen.insert(name).inserted else {
                throw ArchiveError(.duplicateName, entry: name, offset: record.recordOffset)
            }
            names.append(name)
        }
        return names
    }

    static func isSafe(_ name: String) -> Bool {
        guard let first = name.utf8.first, first != UInt8(ascii: "/") else { return false }
        // Backslashes and drive letters are folders on other systems; a NUL ends a C string.
        guard !name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\\") }) else { return false }
        guard name.utf8.dropFirst().first != UInt8(ascii: ":") else { return false }
        return !name.split(separator: "/").contains("..")
    }

    /// The name without a leading `./`, which some packers write and which has no meaning.
    static func withoutLeadingDot(_ name: String) -> String {
        var rest = name[...]
        while rest.hasPrefix("./"), rest.utf8.count > 2 { rest.removeFirst(2) }
        return String(rest)
    }
}
