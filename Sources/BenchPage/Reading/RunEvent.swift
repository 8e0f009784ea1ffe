import Tray

/// A line of `--json`.
struct RunEvent: Sendable {
    /// The most bytes of a line.
    static let mostBytes = 1 << 18
    /// The most characters of a text that is shown.
    static let mostCharacters = 1024

    let name: String
    let members: [String: PageValue]

    /// Parses `line`; nil if it is not an event of schema 1.
    init?(_ line: some Sequence<UInt8>) {
        let bytes = Array(line)
        guard bytes.count <= Self.mostBytes, case .object(let members)? = PageValue(parsing: bytes),
            let name = members["event"]?.text, members["schema"]?.integer == 1
        else { return nil }
        (self.name, self.members) = (name, members)
    }

    /// A text member.
    subscript(_ member: String) -> String? {
        members[member]?.text.map { String($0.prefix(Self.mostCharacters)) }
    }

    /// A whole number, clamped to the exactly representable range.
    func integer(_ member: String) -> Int? {
        members[member]?.integer.map { max(-1 << 53, min($0, 1 << 53)) }
    }
    func number(_ member: String) -> Double? { members[member]?.number }
    /// The slot of the unit concerned.
    var slot: String? { members["slot"]?.text.map { String($0.prefix(64)) } }

    /// The firmware in words.
    var firmware: String? {
        guard let file = self["file"] else { return nil }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return [name, self["version_to"]].compactMap(\.self).joined(separator: " · ")
    }
}
