import ArgumentParser
import BeaconIdentity
import BluetoothTypes
import GATT
import Radio
import Sessions
import UpdateCore
import UpdateEngine

struct Info: RunningCommand {
    static let configuration = CommandConfiguration(
        abstract: "Connect to one beacon and print what it says about itself.",
        discussion: """
            Example: `beacon-dfu info --device F0:0D:BE:AC:01:00`.

            Reads services and characteristics, Device Information, battery, and which update service the \
            beacon has. The link is not encrypted: what a beacon tells only a bonded peer is listed as not read. \
            With a KBeacon a session is opened, by its password in --secrets or the one of the factory, and it is asked \
            who it is; to other beacons nothing is written.
            """)

    @OptionGroup var target: DeviceOptions
    @OptionGroup(title: "Adapter") var radio: AdapterOptions
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Take a risk by its name: lock-risk (a Kontakt.io beacon that may refuse everybody for 20 minutes afterwards).",
            valueName: "risk"))
    var force: [LockRisk] = []
    @OptionGroup var secrets: SecretsOptions
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { [radio.scenario, secrets.path] }

    /// How long a connection attempt may take.
    private static let connectLimit = Duration.seconds(10)

    var kernelAdapters: Int { radio.kernelAdapters }

    func validate() throws { _ = try target.selector() }

    func perform(_ console: Console) async throws -> ExitStatus {
        let device = try target.selector()
        let secrets = try secrets.keeper(capturing: radio.capture, console)
        let log = try common.logger(under: outputs)
        let rule = outputs.keeping([common.logFile])
        let report = try await radio.withAdapter(log: log, under: rule) { adapter in
            let beacon = try await target.search(for: device, console).find(with: adapter)
            try LockRisk.check(beacon, allowing: force)
            return try await Self.report(on: beacon, with: adapter, secrets)
        }
        console.event(report.line)
        if !console.style.isJSON { report.lines.forEach { console.result(TerminalText($0)) } }
        return .done
    }

    static func report(
        on beacon: BeaconSighting, with adapter: some Adapter, _ secrets: SecretKeeper
    ) async throws -> DeviceReport {
        do {
            return try await adapter.withLink(
                to: beacon.address, within: connectLimit, mayEncrypt: false
            ) { client, link in
                let reader = InventoryReader(client, time: adapter.time, within: LockRisk.timeToRead(beacon))
                try await client.exchangeMTU()
                let inventory = try await reader.read()
                let session = try await SessionReading.read(
                    beacon, inventory, over: client, time: adapter.time, secrets)
                return DeviceReport(
                    sighting: beacon, mtu: await client.mtu, link: await link(), inventory: inventory,
                    session: session)
            }
        } catch let error as GATTError {
            throw CommandFailure(UpdateFailure(of: error, during: "reading the device"))
        }
    }
}
