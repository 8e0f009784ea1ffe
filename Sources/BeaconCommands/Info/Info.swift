import ArgumentParser
import BluetoothTypes
import GATT
import Radio

struct Info: RunningCommand {
    static let configuration = CommandConfiguration(
        abstract: "Connect to one beacon and print what it says about itself.",
        discussion: """
            Reads services and characteristics, Device Information, battery, and which update service the \
            beacon has. Nothing is written, and the link is not encrypted: what a beacon tells only to a bonded \
            peer is listed as not read.
            """)

    @Option(
        help: ArgumentHelp(
            "The beacon: its address (F0:.., with /public or /random), name:TEXT, or "
                + "ibeacon:UUID/MAJOR/MINOR.",
            valueName: "selector"))
    var device: DeviceSelector
    @OptionGroup var radio: AdapterOptions
    @Option(help: ArgumentHelp("How long to look for the beacon.", valueName: "seconds")) var scanFor = 10.0
    @OptionGroup var common: CommonOptions

    /// A connection attempt, and everything that is read after it.
    private static let connectLimit = Duration.seconds(10)
    private static let readLimit = Duration.seconds(30)

    func validate() throws {
        guard scanFor > 0, scanFor <= 3600 else {
            throw ValidationError("--scan-for is a number of seconds, from above 0 to 3600")
        }
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let search = DeviceSearch(selector: device, limit: .seconds(scanFor))
        let report = try await radio.withAdapter(log: try common.logger()) { adapter in
            let beacon = try await search.find(with: adapter)
            return try await Self.report(on: beacon, with: adapter)
        }
        console.event(report.line)
        if !console.style.isJSON { report.lines.forEach(console.result) }
        return .done
    }

    private static func report(
        on beacon: Sighting, with adapter: some Adapter
    ) async throws -> DeviceReport {
        do {
            return try await adapter.withLink(
                to: beacon.address, within: connectLimit, mayEncrypt: false
            ) { client, link in
                var reader = InventoryReader(client, time: adapter.time, within: readLimit)
                try await client.exchangeMTU()
                let inventory = try await reader.read()
                return DeviceReport(
                    sighting: beacon, mtu: await client.mtu, link: await link(), inventory: inventory)
            }
        } catch let error as GATTError {
            throw CommandFailure(error, during: "reading the device")
        }
    }
}

extension CommandFailure {
    fileprivate init(_ error: GATTError, during step: String) {
        let code =
            switch error {
            case .disconnected, .bearer: "link-lost"
            case .cancelled: "interrupted"
            case .transactionTimeout: "no-answer"
            case .malformed, .unexpectedAnswer: "unexpected-answer"
            case .notEncrypted: "encryption-failed"
            case .refused, .missing, .unsuitable: "attribute-refused"
            }
        self.init(code, during: step, message: "\(error)")
    }
}
