import NordicDFU

/// Everything in a Nordic Legacy package, as JSON and as text.
struct LegacyInspection {
    let file: FirmwareFile
    let package: LegacyPackage

    /// Whether no bootloader would refuse it unseen.
    var isSound: Bool { !package.findings().contains { $0.level == .error } }

    var line: JSONLine {
        file.line(
            kind: "nordic-legacy",
            [
                "parts": .list(package.parts.map(\.json)),
                "manifest": .bool(package.manifest != nil),
                "dfu_version": package.manifest?.dfuVersion.map(JSONValue.rounded) ?? .null,
                "ignored_entries": .list(package.ignoredEntries.map(JSONValue.text)),
                "findings": .list(package.findings().map(\.json)),
            ])
    }

    func lines(_ console: Console) -> [String] {
        let bytes = Quantities.bytes(file.bytes.count)
        var lines = ["\(console.paint(file.path, .bold)): Nordic Legacy DFU package, \(bytes)"]
        if package.manifest == nil { lines += ["", "without a manifest: parts go by the names of files"] }
        for part in package.parts { lines += [""] + part.lines(console) }
        let findings = package.findings()
        if !findings.isEmpty { lines += ["", "findings"] + findings.map { $0.line(console) } }
        if !package.ignoredEntries.isEmpty {
            lines += ["", "ignored entries: " + package.ignoredEntries.joined(separator: ", ")]
        }
        return lines
    }
}
