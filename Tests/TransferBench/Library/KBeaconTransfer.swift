import Bluetooth
import KKM
import Nordic
import Simulation
import UpdateBench
import UpdateEngine
import UpdateModel

/// An update of a KBeacon next to the same one without a session: that of any application with Nordic's buttonless
/// service, and with the same services.
public struct KBeaconTransfer: Sendable {
    private let generation: KKM.KBeaconGeneration
    /// The air, the image and the bootloader.
    public var transfer = TransferBench()

    /// A beacon of this generation; nil if there is none.
    public init?(_ number: Int) {
        guard let generation = KKM.KBeaconGeneration(rawValue: number) else { return nil }
        self.generation = generation
    }

    /// The duration of each, in seconds; nil if it was not completed.
    public struct Comparison: Sendable {
        /// The whole update without a session.
        public var plain: Double?
        /// The whole update with its sessions.
        public var spoken: Double?
        /// One session, over an open link.
        public var session: Double
        /// From the first byte of the image to the last answer, of both.
        public var transfers: [Double]
    }

    /// Both updates, and a session.
    public func compared() async throws -> Comparison {
        var kbeacon = try transfer.description()
        var session = KBeaconDescription(generation == .first ? .first : .second)
        session.updatedVersion = "V6.31"
        kbeacon.becomeKBeacon(session)
        let results = [try await update(kbeacon, nil), try await update(kbeacon, identifying)]
        let seconds = results.map { $0.application == transfer.firmware.bytes ? $0.report?.seconds : nil }
        return Comparison(
            plain: seconds[0], spoken: seconds[1], session: try await length(ofSessionWith: kbeacon),
            transfers: results.compactMap { $0.report?.transferSeconds })
    }

    private var kind: KKM.KBeaconSession { KKM.KBeaconSession(asking: generation) { 0x0102_0304 } }

    private var identifying: IdentityQueryFactory {
        { [kind] (address, _) throws(SessionFailure) in
            try KKMVendor().identityQuery(by: kind, to: address)
        }
    }

    private func update(
        _ description: NordicDescription, _ identifying: IdentityQueryFactory?
    ) async throws -> NordicBenchResult {
        var bench = NordicBench(
            link: transfer.link, change: { $0 = description }, entering: NordicBench.Entering(name: nil))
        bench.identifying = identifying
        return try await bench.flash(transfer.firmware)
    }

    private func length(ofSessionWith description: NordicDescription) async throws -> Double {
        let (kind, link) = (kind, transfer.link)
        return try await VirtualTime.run { time in
            try await SimulatedAdapter.withBeacons(
                [NordicBeacon(description, time: time.clock)], link: link, time: time.clock, readiness: time
            ) { adapter in
                let session = BeaconSession(kind, with: description.address)
                return try await adapter.withConnection(to: description.address, within: .seconds(30)) {
                    client in
                    try await client.exchangeMTU()
                    let start = adapter.time.now
                    try await session.open(over: client, time: adapter.time)
                    return (adapter.time.now - start) / .seconds(1)
                }
            }
        }
    }
}
