public import ArgumentParser
import Bytes
import CommandKit
import Firmware
public import UpdateModel

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

struct MatchCatalogue: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "match", abstract: "Show which release a beacon gets, and why not the others.",
        discussion: """
            Example: `beacon-dfu catalogue match --model Blinker --version 1.0.0`.

            Properties that are not given count as unknown; if one matters, the answer names it. The chosen package is \
            read and compared with its entry. Exits with 0 if there is an update, and with 2 if there is none.
            """)

    @Option("The maker of the beacon, as scan shows it.", valueName: "word") var maker: String?
    @Option("Its kind, as scan shows it.", valueName: "word") var family: String?
    @Option("Its model.", valueName: "text") var model: String?
    @Option("The number of its model.", valueName: "number") var number: Int?
    @Option("Its name.", valueName: "text") var name: String?
    @Option("Its id, as scan shows it.", valueName: "text") var id: String?
    @Option("Its hardware version.", valueName: "text") var hardware: String?
    @Option("The installed version.", valueName: "text") var version: String?
    @Option("Its charge in percent.", valueName: "percent") var battery: Int?
    @Option("The kind of firmware that it takes.", valueName: "kind") var kind: String?
    @Flag(help: "Its bootloader runs.") var bootloader = false
    @Flag(help: "Include releases of the channel beta.") var beta = false
    @Option("Choose the release of this version, as `flash --release` does.", valueName: "version")
    var release: String?
    @OptionGroup var source: CatalogueOptions
    @OptionGroup var plain: PlainOptions

    func validate() throws {
        let words = [
            ("maker", maker, Maker.allCases.map(\.rawValue)),
            ("kind", family, Family.allCases.map(\.rawValue)),
            ("kind of firmware", kind, KnownVendors.kinds.map(\.rawValue)),
        ]
        for (what, given, known) in words {
            guard let given, !known.contains(given) else { continue }
            throw ValidationError(CatalogueFamily.unknown(what, given, among: known))
        }
        if let battery, !(0...100).contains(battery) { throw ValidationError("--battery is 0 to 100") }
    }

    private var device: CatalogueDevice {
        var device = CatalogueDevice()
        (device.maker, device.family, device.model) = (maker, family, model)
        (device.number, device.name, device.id, device.hardware) = (number, name, id, hardware)
        (device.version, device.battery, device.isBootloader) = (version, battery, bootloader)
        device.kind = kind.map { FirmwareKind(rawValue: $0) }
        return device
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let catalogue = try await source.folder().0.catalogue
        let match = catalogue.match(device, channels: beta ? [.release, .beta] : [.release], naming: release)
        if let chosen = match.chosen, let family = match.family, chosen.file != nil {
            _ = try chosen.package(for: family)
        }
        for warning in match.warnings { console.warn(warning.code, warning.words) }
        console.event(match.line)
        if !console.style.isJSON { console.results(match.lines(console)) }
        return match.chosen == nil ? .nothingToDo : .done
    }
}

extension VersionScheme: ExpressibleByArgument {}
