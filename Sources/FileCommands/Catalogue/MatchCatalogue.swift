import ArgumentParser
import Bytes
import CommandKit
import Firmware
import UpdateModel

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
        console.report(match.line) { console.results(match.lines(console)) }
        return match.chosen == nil ? .nothingToDo : .done
    }
}
