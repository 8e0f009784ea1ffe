import BeaconIdentity
import BluetoothTypes
import Catalogue
import GATT
import Radio
import Sessions
import Timing
import UpdateCore
import UpdateEngine

/// Connects to a beacon for as long as it takes to read who it is, where its advertisements do not tell.
struct ShortReading: Sendable {
    /// With everything that is read after it. Kontakt.io's beacons, which hang up first of all, do so after 30 s.
    static let limit = Duration.seconds(10)

    private let adapter: any Adapter

    init(with adapter: any Adapter) { self.adapter = adapter }

    /// A beacon as far as it is known after it was asked.
    struct Completed: Sendable {
        /// What the catalogue decides by.
        var device: CatalogueDevice
        /// What it said.
        var reading = DeviceReading()
        /// Where that contradicts its advertisements.
        var warnings: [CatalogueMatch.Warning] = []
    }

    /// Whether `match` lacks what `beacon` tells over a connection that does no harm.
    static func isNeeded(for match: CatalogueMatch, of beacon: BeaconSighting, by secrets: SecretKeeper)
        -> Bool
    {
        match.nextReading(inSession: secrets.factsReported(by: beacon)) != nil && isAllowed(of: beacon)
    }

    /// Asks `beacon` until `catalogue` decides, or it has nothing more to tell: in its session where it has one, with its
    /// password, and by its services.
    func complete(
        _ beacon: BeaconSighting, for catalogue: Catalogue, channels: Set<CatalogueChannel>,
        by secrets: SecretKeeper
    ) async throws -> Completed {
        let told = secrets.factsReported(by: beacon)
        var known = Completed(device: CatalogueDevice(beacon))
        var asked: Set<DeviceReading.Source> = []
        while let source = catalogue.match(known.device, channels: channels)
            .nextReading(inSession: told, asked: asked)
        {
            asked.insert(source)
            switch source {
            case .session: known.reading.session = try await session(with: beacon, by: secrets)
            case .services:
                let session = known.reading.session
                known.reading = try await read(beacon)
                known.reading.session = session
            }
            (known.device, known.warnings) = catalogue.complete(CatalogueDevice(beacon), with: known.reading)
        }
        return known
    }

    /// What `beacon` tells in its vendor's session.
    private func session(
        with beacon: BeaconSighting, by secrets: SecretKeeper
    ) async throws -> DeviceReading.Session? {
        do { return try await secrets.facts(of: beacon, with: adapter) } catch {
            try Task.checkCancellation()
            throw CommandFailure(from: error)
        }
    }

    /// Whether `beacon` takes connections, as far as it says, and none of them locks it.
    static func isAllowed(of beacon: BeaconSighting) -> Bool {
        guard beacon.isConnectable != false else { return false }
        do throws(CommandFailure) { try LockRisk.check(beacon, allowing: []) } catch { return false }
        return true
    }

    /// What `beacon` says of itself. Nothing is written, and the link is not encrypted. Throws where a connection would lock
    /// the beacon (`would-lock-beacon`), and where there is none, or no answer, within ``limit``.
    func read(_ beacon: BeaconSighting) async throws -> DeviceReading {
        try LockRisk.check(beacon, allowing: [])
        return try await Self.read(beacon.address, with: adapter)
    }

    private static func read(
        _ address: DeviceAddress, with adapter: some Adapter
    ) async throws -> DeviceReading {
        let step = "reading the device"
        do {
            let reading = try await adapter.time.within(limit) {
                try await adapter.withLink(to: address, within: limit, mayEncrypt: false) { client, _ in
                    try await client.exchangeMTU()
                    var dialogue = ValuesDialogue(of: DeviceReading.sources)
                    var runner = SessionRunner(with: client, time: adapter.time)
                    var observer = SilentObserver<Never>()
                    guard case .ended(let values) = try await runner.run(&dialogue, &observer) else {
                        throw GATTError.disconnected
                    }
                    return DeviceReading(values)
                }
            }
            if let reading { return reading }
        } catch {
            try Task.checkCancellation()
            throw CommandFailure(UpdateFailure(of: error, during: step))
        }
        throw CommandFailure(
            "no-answer", during: step,
            message: "\(address) has not said who it is within \(Int(limit / .seconds(1))) s")
    }
}
