import BluetoothTypes
import Digests

/// The session of a KBeacon, as a value: writes in, notifications out, time as an argument (kbeacon.md).
///
/// It outlives links, and what belongs to one begins anew with each.
struct KBeaconSession: Sendable {
    /// How far a link's handshake is.
    enum Stage: Hashable, Sendable {
        case none
        /// A digest of this length for this number is expected.
        case challenged(number: [UInt8], isFolded: Bool)
        case authenticated
        case refused
    }

    /// What begins anew with each link.
    struct Link: Sendable {
        var stage = Stage.none
        var isSilent = false
        var commands = 0
        var assembly = KBeaconAssembly()
        var delivery: KBeaconDelivery?
        /// What follows it of the same answer.
        var frames: ArraySlice<[UInt8]> = []
        /// When the cause comes that ends the answer in binary.
        var endDue: Duration?
        /// What kind of report was sent last without being waited for.
        var hasSentLogs = false
        /// Until when a piece was not acknowledged, or a command is carried out.
        var busyUntil = Duration.zero
        /// When the next piece of an answer without an end leaves that waits for nobody.
        var floodDue: Duration?
        /// When each of the events that are still to come does.
        var events: [(due: Duration, event: KBeaconEvent)] = []
        var isIndicating = false
    }

    let description: KBeaconDescription
    let address: DeviceAddress
    let factory: KBeaconSettings
    var memory: KBeaconMemory
    var statistics = KBeaconStatistics()
    var faults: KBeaconFaultPlan
    var link = Link()
    /// The most bytes of a notification on this link.
    var room = 20
    /// What a client has set the clock to, and when; it begins at 0 with the beacon.
    var clock: (set: UInt32, at: Duration) = (0, .zero)
    /// The number of the application that runs.
    var version: UInt32 = 0

    /// The session of a beacon at `address` whose frames say `standard` and that is called `name`; or one that goes on
    /// with what an earlier run of the program has kept.
    init(
        _ description: KBeaconDescription, at address: DeviceAddress, _ standard: StandardIdentity,
        name: String, faults: [Fault] = [], retained: KBeaconMemory? = nil
    ) {
        self.description = description
        self.address = address
        self.faults = KBeaconFaultPlan(faults)
        factory = KBeaconSettings(factory: description, standard)
        var settings = factory
        settings.password = description.password
        settings.values[description.nameKey] = .text(name)
        if let text = description.settings, let members = KBeaconMessage.members(of: Array(text.utf8)) {
            settings.take(members, of: description.generation)
        }
        for event in description.events { settings.report(event, description) }
        memory = retained ?? KBeaconMemory(settings)
        memory.endLink(factory)
    }

    /// An application starts whose bytes have this checksum.
    mutating func start(application: UInt32, version: UInt32) {
        self.version = version
        if let last = memory.application, last != application {
            memory.isUpdated = true
            if !description.keepsSettings { memory.settings = factory }
        }
        memory.application = application
    }

    /// A link begins.
    mutating func connect() { link = Link() }

    /// The link ends, in whatever way: what was put off to then happens.
    mutating func disconnect(at now: Duration) {
        if let last = statistics.rings.indices.last { statistics.rings[last].end(at: now) }
        memory.endLink(factory)
        link = Link()
    }

    /// What the application calls its version.
    var versionText: String { description.version(isUpdated: memory.isUpdated, number: version) }

    /// Whether a client has proved that it knows the password.
    var isAuthenticated: Bool { link.stage == .authenticated }

    /// What its clock says, in seconds.
    func seconds(at now: Duration) -> UInt32 {
        clock.set &+ UInt32(clamping: (now - clock.at).components.seconds)
    }

    /// When it has something to say without having been asked.
    var announcementDue: Duration? {
        let event = link.isIndicating ? nil : link.events.first?.due
        return [event, link.floodDue].compactMap(\.self).min()
    }

    /// A value of FEA2, with what is wrong about it.
    mutating func notify(_ value: [UInt8], at due: Duration) -> [KBeaconReaction] {
        let treated = faults.treat(value)
        return link.isSilent ? [] : [.notify(treated, at: due)]
    }
}

extension KBeaconDescription {
    /// The parameter that is the name.
    var nameKey: String { generation == .first ? "devName" : "name" }
}

extension KBeaconSession {
    /// The rules of sessions that clients broke, in order.
    var brokenRules: [BrokenRule] { statistics.rulesInOrder.map(\.broken) }
}
