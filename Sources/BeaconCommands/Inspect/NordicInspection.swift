import ByteCoding
import NordicDFU

/// Everything in a Nordic package, as JSON and as text.
struct NordicInspection {
    let line: JSONLine
    let lines: [TerminalText]
    /// Whether no bootloader would refuse it unseen.
    let isSound: Bool

    init(_ package: NordicPackage, of file: FirmwareFile, for console: Console) {
        self.init(
            file, kind: "nordic-secure", called: "Nordic Secure DFU package", package.parts.map(\.json),
            package.parts.map { $0.lines(console) }, package.findings(), ignored: package.ignoredEntries,
            console)
    }

    init(_ package: LegacyPackage, of file: FirmwareFile, for console: Console) {
        self.init(
            file, kind: "nordic-legacy", called: "Nordic Legacy DFU package", package.parts.map(\.json),
            package.parts.map { $0.lines(console) }, package.findings(), ignored: package.ignoredEntries,
            console,
            members: [
                "manifest": .bool(package.manifest != nil),
                "dfu_version": package.manifest?.dfuVersion.map(JSONValue.rounded) ?? .null,
            ],
            remark: package.manifest == nil ? "without a manifest: parts go by the names of files" : nil)
    }

    private init(
        _ file: FirmwareFile, kind: String, called name: String, _ parts: [JSONValue],
        _ texts: [[TerminalText]], _ findings: [PackageFinding], ignored: [String], _ console: Console,
        members: [String: JSONValue] = [:], remark: TerminalText? = nil
    ) {
        isSound = findings.firstError == nil
        let common: [String: JSONValue] = [
            "parts": .list(parts), "ignored_entries": .list(ignored.map(JSONValue.text)),
            "findings": .list(findings.map(\.json)),
        ]
        line = file.line(kind: kind, common.merging(members) { $1 })
        var lines: [TerminalText] = [
            "\(console.paint(file.path, .bold)): \(name), \(Quantities.bytes(file.bytes.count))"
        ]
        if let remark { lines += ["", remark] }
        for text in texts { lines += [""] + text }
        if !findings.isEmpty { lines += ["", "findings"] + findings.map { $0.line(console) } }
        if !ignored.isEmpty { lines += ["", "ignored entries: \(ignored.joined(separator: ", "))"] }
        self.lines = lines
    }
}
