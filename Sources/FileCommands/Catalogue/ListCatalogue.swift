import ArgumentParser
import CommandKit
import Firmware
import Glibc
import UpdateModel

struct ListCatalogue: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print the families of beacons in a catalogue, and their releases.",
        discussion: "Example: `beacon-dfu catalogue list --catalogue manifests`.")

    @OptionGroup var source: CatalogueOptions
    @OptionGroup var common: CommonOptions

    private static let columns = [
        Table.Column(heading: "MODEL", isElastic: true), Table.Column(heading: "KIND"),
        Table.Column(heading: "VERSION"), Table.Column(heading: "CHANNEL", rank: 1),
        Table.Column(heading: "REMARKS", width: 10, isElastic: true, rank: 2),
    ]

    func perform(_ console: Console) async throws -> ExitStatus {
        let models = try await source.folder().0.catalogue.models
        guard !console.style.isJSON else {
            for model in models { console.json(model.line) }
            return .done
        }
        let rows = models.flatMap { model in
            let releases = model.firmware.map { release in
                [release.version, release.channel.rawValue, release.remarks]
            }
            let none = ["-", "-", model.vendorWay ?? ""]
            return (releases.isEmpty ? [none] : releases).map { cells in
                ([model.name, model.device.kind.rawValue] + cells).map { TerminalText($0) }
            }
        }
        let width = isatty(STDOUT_FILENO) == 1 ? TerminalSize.of(STDOUT_FILENO).columns : nil
        Table(columns: Self.columns).lines(rows, width: width).forEach(console.result)
        return .done
    }
}

extension CatalogueFirmware {
    fileprivate var remarks: String {
        let parts = [
            withdrawn.map { "withdrawn: \($0)" }, urgency.map { "urgency \($0.rawValue)" },
            minimumInstalled.map { "over \($0) and later" }, through.map { "after \($0)" }, notes,
        ]
        return parts.compactMap(\.self).joined(separator: "; ")
    }
}

extension CatalogueModel {
    /// The event `model`.
    fileprivate var line: JSONLine {
        let releases = firmware.map { release in
            JSONValue.object(
                Dictionary(release.members.map { ($0.key, .text($0.value)) }) { first, _ in first })
        }
        var members: [String: JSONValue] = ["file": .text(place.file), "firmware": .list(releases)]
        members["keys"] = .object(
            Dictionary(self.members.map { ($0.key, .text($0.value)) }) { first, _ in first })
        return JSONLine(
            "model",
            members.merging(["model": .text(name), "kind": .text(device.kind.rawValue)]) { first, _ in first }
        )
    }
}
