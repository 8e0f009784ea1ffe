public import Bluetooth

/// The beacons in range, the kind of link to them, and what is stored between runs.
public struct Scenario: Sendable {
    var beacons: [any ScenarioBeacon] = []
    var link: LinkModel? = LinkModel()
    var statePath: String?
    var controllers = [SimulatedController()]

    /// The built-in tray: one beacon of every kind that the program can update, and one that runs its application. The
    /// Nordic beacons have SoftDevice S132 4.0.2, so the sample packages suit them.
    public static let builtIn: Scenario = {
        func beacon(_ number: UInt8, _ name: String, _ change: (inout NordicDescription) -> Void)
            -> (any ScenarioBeacon)?
        {
            guard let address = DeviceAddress([0xF0, 0x0D, 0xBE, 0xAC, number, 0x00]) else { return nil }
            var description = NordicDescription(address: address)
            description.name = name
            description.softDevice = 0x98
            description.rssi = -40 - Int8(clamping: Int(number) * 6)
            change(&description)
            return NordicScenarioBeacon(description: description)
        }
        let tray = [
            beacon(1, "Blinker 1") { $0.key = TestKey.publicKey },
            beacon(2, "Blinker 2") {
                $0.personality = .sdk15_3
                $0.key = TestKey.publicKey
            },
            beacon(3, "Open 3") { $0.personality = .sdk16_0 },
            beacon(4, "Blinker 4") { $0.program = .application },
            beacon(5, "Lamp 5") { $0.speakLegacy(LegacyDevice(.sdk11)) },
            beacon(8, "KBeacon 8") {
                $0.key = TestKey.publicKey
                var session = KBeaconDescription(.second)
                (session.version, session.updatedVersion) = ("V1", "V2")
                $0.becomeKBeacon(session)
            },
        ]
        func suota(_ number: UInt8, _ name: String, _ personality: SUOTAPersonality)
            -> (any ScenarioBeacon)?
        {
            guard let address = DeviceAddress([0xF0, 0x0D, 0xBE, 0xAC, number, 0x00]) else { return nil }
            var description = SUOTADescription(address: address, personality)
            description.name = name
            description.rssi = -40 - Int8(clamping: Int(number) * 6)
            return SUOTAScenarioBeacon(description: description)
        }
        let tags = [suota(6, "Tag 6", .da14585), suota(7, "Tag 7", .da14683Channel)]
        func feasycom(_ number: UInt8) -> (any ScenarioBeacon)? {
            guard let address = DeviceAddress([0xF0, 0x0D, 0xBE, 0xAC, number, 0x00]) else { return nil }
            var description = FBeaconDescription(address: address)
            description.advertiser.name = "FBeacon \(number)"
            description.images = .any(version: 840)
            description.rssi = -40 - Int8(clamping: Int(number) * 6)
            return FBeaconScenarioBeacon(description: description)
        }
        return Scenario(beacons: (tray + tags + [feasycom(9)]).compactMap(\.self))
    }()

    /// The adapters of this scenario: at least one.
    public var adapters: [SimulatedController] { controllers }

    /// Runs `body` with the first adapter of this scenario.
    public func play<Value: Sendable>(
        time: Timekeeper, readiness: any DescriptorReadiness,
        _ body: (SimulatedAdapter) async throws -> Value
    ) async throws -> Value {
        try await air(time: time, readiness: readiness).withAdapter(
            controllers.first ?? SimulatedController(), body)
    }

    /// Runs `body` with all adapters of this scenario, which hear the same beacons.
    public func playAll<Value: Sendable>(
        time: Timekeeper, readiness: any DescriptorReadiness,
        _ body: ([SimulatedAdapter]) async throws -> Value
    ) async throws -> Value {
        try await air(time: time, readiness: readiness).withAdapters(controllers, body)
    }

    /// The beacons of this scenario, as they are on the air; users of their stored state hold `locks`.
    public func peers(
        time: Timekeeper
    ) throws(ScenarioError) -> (peers: [any SimulatedPeer], locks: NamedLocks?) {
        let folder = try statePath.map { (path: String) throws(ScenarioError) in try StateFolder(path: path) }
        let peers = try beacons.map { (beacon: any ScenarioBeacon) throws(ScenarioError) in
            try beacon.simulated(time: time, in: folder)
        }
        return (peers, folder?.locks)
    }

    private func air(
        time: Timekeeper, readiness: any DescriptorReadiness
    ) throws(ScenarioError) -> SimulatedAir {
        let (peers, locks) = try peers(time: time)
        return SimulatedAir(peers: peers, model: link, time: time, readiness: readiness, locks: locks)
    }
}
