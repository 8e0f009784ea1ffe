package import ArgumentParser
import Bytes
import CommandKit
import Firmware
import UpdateModel

package struct CatalogueCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "catalogue", abstract: "Show and check which firmware there is for which beacons.",
        discussion: """
            Example: `beacon-dfu catalogue match --model Blinker --version 1.0.0`.

            A catalogue is a folder of YAML files; docs/catalogue.md shows how to write one.
            """,
        subcommands: [
            ListCatalogue.self, CheckCatalogue.self, MatchCatalogue.self, DiffCatalogues.self,
            ImportCatalogue.self, SignCatalogue.self,
        ])

    package init() {}
}

struct ListCatalogue: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Print the families of beacons in a catalogue, and their releases.",
        discussion: "Example: `beacon-dfu catalogue list --catalogue manifests`.")

    @OptionGroup var source: CatalogueOptions
    @OptionGroup var plain: PlainOptions

    private static let columns = [
        Table.Column(heading: "MODEL", isElastic: true), Table.Column(heading: "KIND"),
        Table.Column(heading: "VERSION"), Table.Column(heading: "CHANNEL", rank: 1),
        Table.Column(heading: "REMARKS", width: 10, isElastic: true, rank: 2),
    ]

    func perform(_ console: Console) async throws -> ExitStatus {
        let models = try await source.folder().0.catalogue.families
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
        Table(columns: Self.columns).print(rows, on: console)
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

extension CatalogueFamily {
    fileprivate var line: JSONLine {
        func object(_ members: [(key: String, value: String)]) -> JSONValue {
            .object(Dictionary(members.map { ($0.key, .text($0.value)) }) { first, _ in first })
        }
        return JSONLine("model").adding([
            "model": .text(name), "kind": .text(device.kind.rawValue), "file": .text(place.file),
            "keys": object(members), "firmware": .list(firmware.map { object($0.members) }),
        ])
    }
}
