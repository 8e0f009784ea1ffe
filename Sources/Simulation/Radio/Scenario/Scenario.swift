public import Bluetooth
public import Bytes

/// The beacons in range, the kind of link to them, and what is stored between runs.
public struct Scenario: Sendable {
    var beacons: [any ScenarioBeacon] = []
    /// The packets of the beacons that do not advertise with legacy packets, by their indices in `beacons`.
    var packets: [Int: AdvertisingPackets] = [:]
    var link: LinkModel? = LinkModel()
    var statePath: String?
    var controllers = [SimulatedController()]

    /// The built-in tray: one beacon of every kind that the program can update, one that runs its application, and one
    /// on LE Coded, which the adapter hears once LE Coded is selected.
    public static let builtIn: Scenario = {
        var scenario = Scenario(beacons: ScenarioKind.builtIn.flatMap(\.tray))
        if let coded = ScenarioKind.codedBeacon {
            scenario.packets[scenario.beacons.count] = .coded
            scenario.beacons.append(coded)
        }
        scenario.controllers = [SimulatedController(hears: .extended2M, canSelectCoded: true)]
        return scenario
    }()

    /// The adapters of this scenario: at least one.
    public var adapters: [SimulatedController] { controllers }

    /// Selects LE Coded on the adapters that can.
    public mutating func selectCoded() {
        for index in controllers.indices where controllers[index].canSelectCoded {
            controllers[index].hears = .coded
        }
    }

    /// Runs `body` with the first adapter of this scenario.
    public func play<Value: Sendable>(
        time: Timekeeper, readiness: any DescriptorReadiness, _ body: (SimulatedAdapter) async throws -> Value
    ) async throws -> Value {
        let first = controllers.first ?? SimulatedController()
        return try await play([first], time: time, readiness: readiness) { try await body($0[0]) }
    }

    /// Runs `body` with all adapters of this scenario, which hear the same beacons.
    public func playAll<Value: Sendable>(
        time: Timekeeper, readiness: any DescriptorReadiness,
        _ body: ([SimulatedAdapter]) async throws -> Value
    ) async throws -> Value {
        try await play(controllers, time: time, readiness: readiness, body)
    }

    private func play<Value: Sendable>(
        _ controllers: [SimulatedController], time: Timekeeper, readiness: any DescriptorReadiness,
        _ body: ([SimulatedAdapter]) async throws -> Value
    ) async throws -> Value {
        let (peers, locks) = try await peers(time: time)
        return try await SimulatedAdapter.withAdapters(
            controllers, among: peers, link: link, time: time, readiness: readiness, locks: locks, body)
    }

    /// The beacons of this scenario, ready for the air; users of their stored state hold `locks`, nil without state.
    public func peers(
        time: Timekeeper
    ) async throws(ScenarioError) -> (peers: [any SimulatedPeer], locks: NamedLocks?) {
        let folder = try statePath.map { (path: String) throws(ScenarioError) in try StateFolder(path: path) }
        let peers = try beacons.map { (beacon: any ScenarioBeacon) throws(ScenarioError) in
            try beacon.simulated(time: time, in: folder)
        }
        for (place, packets) in packets { await peers[place].advertise(with: packets) }
        return (peers, folder?.locks)
    }
}

extension Scenario {
    /// Parses a scenario file (docs/scenarios.md); `state` is relative to the folder of `path`.
    public init(parsing text: [UInt8], path: String) throws(YAMLProblem) {
        let root = try YAMLValue(parsing: text)
        let values = try root.values(of: ["beacons", "link", "state", "connecting", "adapters"])
        guard let list = values["beacons"] else { throw root.problem("'beacons' is missing") }
        if let value = values["link"] { link = try LinkModel.reading(value) }
        let connecting: SimulatedController.Connecting = try values["connecting"]?.choice() ?? .instant
        controllers =
            try values["adapters"].map { (value: YAMLValue) throws(YAMLProblem) in
                try SimulatedController.reading(value)
            } ?? controllers
        for index in controllers.indices { controllers[index].connecting = connecting }
        var owners: [DeviceAddress: DeviceAddress] = [:]
        for value in try list.list() {
            var entry = try BeaconEntry(value)
            let read = entry.kind.read
            let beacon = try read(&entry)
            packets[beacons.count] = try entry.choice("advertising", of: AdvertisingPackets.named)
            try entry.checkKeys()
            // No scanner could tell two beacons at one address apart.
            for claimed in beacon.addresses {
                guard let owner = owners.updateValue(entry.address, forKey: claimed) else { continue }
                throw value.problem(
                    "\(owner) and \(entry.address) would both be heard at \(claimed); a bootloader is at its "
                        + "application's address + 1")
            }
            beacons.append(beacon)
        }
        guard !owners.isEmpty else { throw list.problem("the list of beacons is empty") }
        if let value = values["state"] {
            let state = try value.text()
            guard !state.isEmpty, !state.contains("\0") else {
                throw value.problem("a folder is expected here")
            }
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            statePath =
                state.hasPrefix("/") || folder.isEmpty ? state : folder.joined(separator: "/") + "/" + state
        }
    }
}

/// One beacon of a scenario, with its faults.
public protocol ScenarioBeacon: Sendable {
    /// Every address at which one of the beacon's programs advertises.
    var addresses: Set<DeviceAddress> { get }

    /// Creates the beacon, with the state that `folder` holds for it.
    func simulated(time: Timekeeper, in folder: StateFolder?) throws(ScenarioError) -> any SimulatedPeer
}

extension ScenarioBeacon {
    /// The beacon in place `number` of the built-in tray, made from an address and a signal strength.
    static func placed(_ number: UInt8, _ make: (DeviceAddress, Int8) -> Self) -> Self? {
        DeviceAddress([0xF0, 0x0D, 0xBE, 0xAC, number, 0x00]).map {
            make($0, -40 - Int8(clamping: Int(number) * 6))
        }
    }
}

/// A description of a device whose whole state is in its flash.
protocol FlashDescription: Sendable {
    var address: DeviceAddress { get }
    var flashSize: Int { get }

    /// Reads the keys of a scenario's entry, except its faults.
    init(_ entry: inout BeaconEntry) throws(YAMLProblem)
}

/// A beacon of a scenario with a device whose whole state is in its flash.
struct FlashScenarioBeacon<Device: FlashDevice>: ScenarioBeacon where Device.Description: FlashDescription {
    var description: Device.Description
    var faults: [Fault] = []

    var addresses: Set<DeviceAddress> { [description.address] }

    static func read(_ entry: inout BeaconEntry) throws(YAMLProblem) -> any ScenarioBeacon {
        Self(description: try Device.Description(&entry), faults: try entry.faults())
    }

    func simulated(time: Timekeeper, in folder: StateFolder?) throws(ScenarioError) -> any SimulatedPeer {
        SimulatedBeacon<Device>(
            description, time: time, faults: faults,
            retained: try folder?.retainedFlash(of: description.address, size: description.flashSize),
            memory: try folder?.memory(of: description.address))
    }
}

extension LinkModel {
    /// The link of a scenario file: a mapping, or the word `instant` for a link without air time.
    static func reading(_ value: YAMLValue) throws(YAMLProblem) -> LinkModel? {
        if let word = try? value.text() {
            guard word == "instant" else {
                throw value.problem("link must be a mapping or the word instant, not '\(word)'")
            }
            return nil
        }
        return try LinkModel(value)
    }

    private init(_ value: YAMLValue) throws(YAMLProblem) {
        self.init()
        let values = try value.values(of: [
            "interval_ms", "event_ms", "data_length", "phy", "packets_per_event", "encrypted", "loss", "seed",
            "changes",
        ])
        if let value = values["interval_ms"] {
            followsRequests = (try? value.text()) == "asked"
            if !followsRequests { interval = .seconds(try value.decimal(in: 1...4000) / 1000) }
        }
        if let value = values["event_ms"] {
            eventLength = .seconds(try value.decimal(in: 0...4000) / 1000)
            guard eventLength > .zero else { throw value.problem("event_ms must be above 0") }
        }
        if !followsRequests { eventLength = min(eventLength, interval) }
        dataLength = try values["data_length"]?.number(in: 27...251) ?? dataLength
        phy = try values["phy"]?.choice(of: [PHY.le1M, .le2M, .leCoded].named) ?? phy
        packetsPerEvent = try values["packets_per_event"]?.number(in: 1...Int(Int32.max))
        isEncrypted = try values["encrypted"]?.truth() ?? false
        loss = try values["loss"]?.decimal(in: 0...0.9) ?? 0
        seed = try values["seed"]?.number() ?? 0
        for entry in try values["changes"]?.list() ?? [] {
            let members = try entry.values(of: ["after_s", "interval_ms"])
            guard let moment = members["after_s"], let interval = members["interval_ms"] else {
                throw entry.problem("a change needs 'after_s' and 'interval_ms'")
            }
            let after = Duration.seconds(try moment.decimal(in: 0...86_400))
            guard changes.last.map({ $0.moment < after }) ?? true else {
                throw moment.problem("each time must be later than the one before")
            }
            changes.append(Change(after, .seconds(try interval.decimal(in: 1...4000) / 1000)))
        }
    }
}
