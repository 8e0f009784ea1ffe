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
