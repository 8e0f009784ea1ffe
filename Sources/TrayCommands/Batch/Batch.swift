package import ArgumentParser
import Bluetooth
package import CommandKit
import Firmware
import Tray
package import UpdateModel

package struct Batch: RadioCommand {
    package static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Update many beacons: those of a tray file, or all that match a condition.",
        discussion: """
            Examples: `beacon-dfu batch tray.yaml`; without a tray file `beacon-dfu batch blinker.zip --rule 'model=K6' \
            --expected 48`; after an interruption `beacon-dfu batch tray.yaml --resume`; with simulated beacons \
            `beacon-dfu batch \(KnownVendors.sample) --rule 'name=Blinker*' --adapter sim`.
            """)

    @Argument(
        help: "The tray file; with --rule, the firmware package, unless --catalogue chooses it.",
        completion: .file())
    package var tray: String?
    @OptionGroup(title: "Units") package var units: UnitOptions
    @OptionGroup(title: "Run") package var runOptions: RunOptions
    @OptionGroup(title: "Record") package var record: RecordOptions
    @OptionGroup(title: "Adapter") package var radio: AdapterOptions
    @OptionGroup package var install: InstallOptions
    @OptionGroup package var common: CommonOptions

    package var inputs: [String?] { [tray] + TrayCommand.inputs(units, radio, install) }
    package var namedSecrets: String? { install.secrets.secrets }
    package var handledStopRequests: Int { 2 }

    package func validate() throws {
        try require(
            units.fromScan == nil || !(runOptions.resume || runOptions.retryFailed),
            "--from-scan only writes a tray file: omit --resume and --retry-failed")
        try require(tray != nil || !units.rule.isEmpty, "give a tray file, or --rule and a firmware package")
        try require(
            tray == nil || units.rule.isEmpty || units.source.catalogue == nil,
            "give a firmware package or --catalogue, not both")
        try require(
            tray != nil || units.source.catalogue != nil,
            "--rule needs a firmware package, or --catalogue to choose releases")
        try require(
            !units.rule.isEmpty || units.source.catalogue == nil,
            "--catalogue requires --rule; a tray file names its own catalogue")
    }

    package func perform(_ console: Console) async throws -> ExitStatus {
        try await TrayCommand(
            tray: tray, units: units, runOptions: runOptions, record: record, radio: radio, install: install,
            common: common, outputs: outputs, work: .ofTray
        ).perform(console)
    }

    package init() {}
}

extension NamedAdapter {
    /// Reserves the adapter for one run: two runs would mistake each other's beacons for neighbours.
    func reserved() throws(CommandFailure) -> NamedLock? {
        do throws(NamedLock.Owner) { return try NamedLock.take("beacon-dfu/batch/\(key)") } catch {
            throw CommandFailure(
                .tray.adapterTaken, during: "locking the adapter",
                message: "\(name) is in use by another run: \(error)")
        }
    }
}
