import ByteCoding
import NordicDFU

/// Everything in a Nordic Secure package, as JSON and as text.
struct NordicInspection {
    let file: FirmwareFile
    let package: NordicPackage

    /// Whether no bootloader would refuse it unseen.
    var isSound: Bool { !package.findings().contains { $0.level == .error } }

    var line: JSONLine {
        file.line(
            kind: "nordic-secure",
            [
                "parts": .list(package.parts.map { $0.json }),
                "ignored_entries": .list(package.ignoredEntries.map(JSONValue.text)),
                "findings": .list(package.findings().map(\.json)),
            ])
    }

    func lines(_ console: Console) -> [String] {
        let bytes = Quantities.bytes(file.bytes.count)
        var lines = ["\(console.paint(file.path, .bold)): Nordic Secure DFU package, \(bytes)"]
        for part in package.parts { lines += [""] + part.lines(console) }
        let findings = package.findings()
        if !findings.isEmpty { lines += ["", "findings"] + findings.map { $0.line(console) } }
        if !package.ignoredEntries.isEmpty {
            lines += ["", "ignored entries: " + package.ignoredEntries.joined(separator: ", ")]
        }
        return lines
    }
}
