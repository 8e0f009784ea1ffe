import ArgumentParser
import Bytes
import CommandKit
import Firmware
import UpdateModel

struct DiffCatalogues: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Print how a catalogue differs from an earlier one.",
        discussion: "Example: `beacon-dfu catalogue diff released/manifests manifests`.")

    @Argument(help: "The earlier catalogue, a folder.", completion: .directory) var earlier: String
    @Argument(help: "The later catalogue, a folder.", completion: .directory) var later: String
    @OptionGroup var plain: PlainOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        let old = try CatalogueFolder(path: earlier).catalogue
        let changes = try CatalogueFolder(path: later).catalogue.changes(since: old)
        for change in changes {
            console.report(change.line) { console.results([change.words(console)]) }
        }
        console.event(JSONLine("compared", ["changes": .integer(changes.count)]))
        if changes.isEmpty, !console.style.isJSON { console.result("no difference") }
        return .done
    }
}

extension CatalogueChange {
    fileprivate var line: JSONLine {
        JSONLine("change").adding([
            "change": .text(kind.rawValue), "model": .text(model), "version": .optional(version),
            "keys": .list(keys.map(JSONValue.text)),
        ])
    }

    fileprivate func words(_ console: Console) -> TerminalText {
        let colour: TerminalText.Colour =
            switch kind {
            case .added: .green
            case .removed, .withdrawn: .red
            case .changed: .yellow
            }
        let subject = [model, version].compactMap(\.self).joined(separator: " ")
        let what = keys.isEmpty || kind == .withdrawn ? "" : ": \(keys.joined(separator: ", "))"
        return "\(console.paint(kind.rawValue, colour)) \(subject)\(what)"
    }
}
