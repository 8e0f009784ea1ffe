import Bluetooth
import Bytes

/// The session of a KBeacon, as a value: writes in, notifications out, time as an argument (kbeacon.md).
///
/// It outlives links; the state of a link starts fresh with each.
struct KBeaconSession: Sendable {
    /// The stage of a link's handshake.
    enum Stage: Hashable, Sendable {
        case none
        /// Waits for a digest of this number, folded or not.
        case challenged(number: [UInt8], isFolded: Bool)
        case authenticated
        case refused
    }

    /// The state of a link.
    struct Link: Sendable {
        var stage = Stage.none
        var isSilent = false
        var commands = 0
        var assembly = KBeaconAssembly()
        var delivery: KBeaconDelivery?
        /// The further frames of the current response.
        var frames: ArraySlice<[UInt8]> = []
        /// When the cause that ends the binary response is due.
        var endDue: Duration?
        /// Whether log reports were sent last, which wait for no acknowledgement.
        var hasSentLogs = false
        /// Until when a piece is unacknowledged, or a command is being carried out.
        var busyUntil = Duration.zero
        /// When the next piece of an endless response is due that waits for no acknowledgement.
        var floodDue: Duration?
        /// The remaining events and their times.
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
    /// The maximum length of a notification on this link, in bytes.
    var room = 20
    /// The clock as a client has set it, and when; it starts at 0 with the beacon.
    var clock: (set: UInt32, at: Duration) = (0, .zero)
    /// The version number of the running application.
    var version: UInt32 = 0

    /// The session of a beacon at `address` with the name `name` and the frame values `standard`; with `retained`, it
    /// resumes from an earlier run of the program.
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

    /// Starts an application with this checksum.
    mutating func start(application: UInt32, version: UInt32) {
        self.version = version
        if let last = memory.application, last != application {
            memory.isUpdated = true
            if !description.keepsSettings { memory.settings = factory }
        }
        memory.application = application
    }

    /// Starts a link.
    mutating func connect() { link = Link() }

    /// Ends the link, for whatever reason, and applies what was deferred.
    mutating func disconnect(at now: Duration) {
        if let last = statistics.rings.indices.last { statistics.rings[last].end(at: now) }
        memory.endLink(factory)
        link = Link()
    }

    /// The version text of the application.
    var versionText: String { description.version(isUpdated: memory.isUpdated, number: version) }

    /// Whether a client has proved that it knows the password.
    var isAuthenticated: Bool { link.stage == .authenticated }

    /// The time of its clock, in seconds.
    func seconds(at now: Duration) -> UInt32 {
        clock.set &+ UInt32(clamping: (now - clock.at).components.seconds)
    }

    /// When it will report something without a request.
    var announcementDue: Duration? {
        let event = link.isIndicating ? nil : link.events.first?.due
        return [event, link.floodDue].compactMap(\.self).min()
    }

    /// Notifies a value of FEA2, after applying any faults.
    mutating func notify(_ value: [UInt8], at due: Duration) -> [KBeaconReaction] {
        let treated = faults.treat(value)
        return link.isSilent ? [] : [.notify(treated, at: due)]
    }
}

extension KBeaconDescription {
    /// The key of the name parameter.
    var nameKey: String { generation == .first ? "devName" : "name" }
}

extension KBeaconSession {
    /// The rules of sessions that clients have broken, in order.
    var brokenRules: [BrokenRule] { statistics.rulesInOrder.map(\.broken) }
}
