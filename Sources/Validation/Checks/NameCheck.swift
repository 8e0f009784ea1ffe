import Catalogue
import FBeacon
import Vendors

/// What a file's name promises, held against its content. The name never decides what a file is.
struct NameCheck {
    let name: String
    let content: PackageFile

    init(path: String, content: PackageFile) {
        name = path.split(separator: "/").last.map(String.init) ?? path
        self.content = content
    }

    func flaws(_ patterns: [Glob]) -> [Flaw] { extensionFlaws + versionFlaws + patternFlaws(patterns) }

    private func patternFlaws(_ patterns: [Glob]) -> [Flaw] {
        guard !patterns.isEmpty, !patterns.contains(where: { $0.matches(name) }) else { return [] }
        let wanted = patterns.map(\.pattern).joined(separator: " or ")
        return [Flaw("file-name-pattern", "the file is called \(name), and not \(wanted)")]
    }

    private var extensionFlaws: [Flaw] {
        let usual: String
        switch content {
        case .nordicSecure, .nordicLegacy: usual = ".zip"
        case .suota: usual = ".img"
        case .fbeacon(let file): usual = file.isEncrypted ? ".dfu" : ".fbu"
        case .unsupported: return []
        }
        guard !name.lowercased().hasSuffix(usual) else { return [] }
        return [Flaw("file-name-extension", "the file is called \(name); tools look for \(usual)")]
    }

    private var versionFlaws: [Flaw] {
        if case .fbeacon(let file) = content { return numberFlaws(file) }
        guard let said = content.version?.text, !said.isEmpty, let told = dottedVersion,
            !Self.agrees(told, with: said)
        else { return [] }
        return [Flaw("file-name-version", "the name says \(told), the content \(said)")]
    }

    /// Feasycom's names carry `BL_` and `APP_` with the header's numbers.
    private func numberFlaws(_ file: FBeaconFile) -> [Flaw] {
        [("BL_", file.header.bootloader), ("APP_", file.header.versionEnd)].compactMap { mark, value in
            guard let number = number(after: mark), number != Int(value) else { return nil }
            return Flaw("file-name-version", "the name says \(mark)\(number), the header \(value)")
        }
    }

    private func number(after mark: String) -> Int? {
        let words = name.uppercased()
        guard let start = words.indices.first(where: { words[$0...].hasPrefix(mark) }) else { return nil }
        return Int(words[start...].dropFirst(mark.count).prefix(while: \.isNumber))
    }

    /// The first run of digits with at least one point in it, such as 2.7.31.
    private var dottedVersion: String? {
        name.split { !($0.isNumber && $0.isASCII) && $0 != "." }
            .map { $0.split(separator: ".").map(String.init) }
            .first { $0.count >= 2 && $0.allSatisfy { $0.count <= 5 } }?
            .joined(separator: ".")
    }

    /// Whether the two mean one version: as they stand, as nrfutil turns 2.7.31 into 20731, or without points.
    private static func agrees(_ name: String, with content: String) -> Bool {
        let parts = name.split(separator: ".").compactMap { Int($0) }
        var spellings = [parts.map(String.init).joined()]
        if parts.count == 3 { spellings.append(String(parts[0] * 10_000 + parts[1] * 100 + parts[2])) }
        return spellings.contains(content) || VersionOrder(name) == VersionOrder(content)
    }
}
