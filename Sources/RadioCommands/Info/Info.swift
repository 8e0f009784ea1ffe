import ArgumentParser
import Bluetooth
import CommandKit
import Firmware
import UpdateEngine
import UpdateModel

package struct Info: RadioCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Connect to one beacon and print what it reports.",
        discussion: """
            Example: `beacon-dfu info --device F0:0D:BE:AC:01:00`.

            Reads services and characteristics, Device Information, the battery, and the update service of the \
            beacon. The link is not encrypted: values for bonded peers only are listed as not read. \
            \(identified) is identified in a session, with its password from --secrets or the factory password if \
            it has one; nothing is written to other beacons.
            """)

    /// The beacons to which `info` writes without being given a secret.
    private static var identified: String {
        let words = KnownVendors.withSessions.filter { !$0.reportedFacts(hasSecret: false).isEmpty }
            .map(\.aBeacon)
        let list = words.joined(separator: " or ")
        return list.prefix(1).uppercased() + list.dropFirst()
    }

    @OptionGroup var target: DeviceOptions
    @OptionGroup(title: "Adapter") var radio: AdapterOptions
    @Option(
        "Take the named risk: lock-risk (a Kontakt.io beacon may refuse connections for 20 minutes afterwards).",
        valueName: "risk")
    var force: [LockRisk] = []
    @OptionGroup var secrets: SecretsOptions
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { [radio.scenario, secrets.path] }

    private static let connectLimit = Duration.seconds(10)

    var namedSecrets: String? { secrets.secrets }
    var selected: DeviceSelector? { target.device }

    func validate() throws { _ = try target.selector() }

    func perform(_ console: Console) async throws -> ExitStatus {
        let device = try target.selector()
        let secrets = try secrets.secretStore(capturing: radio.capture, console)
        let log = try common.logger(under: outputs)
        let rule = outputs.protecting([common.logFile])
        let report = try await radio.withAdapter(log: log, under: rule) { adapter in
            let beacon = try await target.search(for: device, console).find(with: adapter)
            try LockRisk.check(beacon, allowing: force)
            return try await ActivityLine(on: console, time: adapter.time).showing(
                "reading \(beacon.address)"
            ) { try await Self.report(on: beacon, with: adapter, secrets) }
        }
        console.report(report.line, report.lines.map { TerminalText($0) })
        return .done
    }

    static func report(
        on beacon: BeaconSighting, with adapter: some Adapter, _ secrets: SecretStore
    ) async throws -> DeviceReport {
        do {
            return try await adapter.withLink(
                to: beacon.address, within: connectLimit, mayEncrypt: false
            ) { client, link in
                let reader = InventoryReader(client, time: adapter.time, within: LockRisk.timeToRead(beacon))
                try await client.exchangeMTU()
                let inventory = try await reader.read()
                let session = try await secrets.reading(
                    of: beacon, inventory, over: client, time: adapter.time)
                return DeviceReport(
                    sighting: beacon, mtu: await client.mtu, link: await link(), inventory: inventory,
                    session: session)
            }
        } catch let error as GATTError {
            throw CommandFailure(UpdateFailure(of: error, during: "reading the beacon"))
        }
    }
}
