import Bluetooth
import Bytes

/// The session of a KBeacon, as a value: writes in, notifications out, time as an argument (kbeacon.md).
///
/// It outlives links; each link starts with a new `Link`.
struct KBeaconSession: Sendable {
    typealias Content = KBeaconPiece.Content

    enum Stage: Hashable, Sendable {
        case none, authenticated, refused
        /// Waits for the digest of this number, which `isFolded` halves in length.
        case challenged(number: [UInt8], isFolded: Bool)
    }

    struct Link: Sendable {
        var stage = Stage.none
        var isSilent = false
        var commands = 0
        var assembly = KBeaconAssembly()
        var delivery: KBeaconDelivery?
        /// The further frames of the current response.
        var frames: ArraySlice<[UInt8]> = []
        var endDue: Duration?
        /// Whether log reports were sent, whose acknowledgements are optional.
        var hasSentLogs = false
        /// The time until which a piece is unacknowledged, or a command is being carried out.
        var busyUntil = Duration.zero
        /// When the next piece of an endless response without acknowledgements is due; nil if there is none.
        var floodDue: Duration?
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
    /// The longest value of a write or notification, in bytes.
    var longestValue = 20
    /// The clock in seconds as a client has set it, and when; it starts at 0 with the beacon.
    var clock: (set: UInt32, at: Duration) = (0, .zero)
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
        for event in description.events { settings.enableReports(of: event, description) }
        memory = retained ?? KBeaconMemory(settings)
        memory.endLink(factory)
    }

    mutating func start(application: UInt32, version: UInt32) {
        self.version = version
        if let last = memory.application, last != application {
            memory.isUpdated = true
            if !description.keepsSettings { memory.settings = factory }
        }
        memory.application = application
    }

    mutating func connect() { link = Link() }

    mutating func disconnect(at now: Duration) {
        statistics.endRinging(at: now)
        memory.endLink(factory)
        link = Link()
    }

    var versionText: String { description.version(isUpdated: memory.isUpdated, number: version) }
    var isAuthenticated: Bool { link.stage == .authenticated }
    var brokenRules: [BrokenRule] { statistics.rulesInOrder.map(\.broken) }

    func seconds(at now: Duration) -> UInt32 {
        clock.set &+ UInt32(clamping: (now - clock.at).components.seconds)
    }

    var announcementDue: Duration? {
        let event = link.isIndicating ? nil : link.events.first?.due
        return [event, link.floodDue].compactMap(\.self).min()
    }

    /// Notifies a value of FEA2, after applying any faults.
    mutating func notify(_ value: [UInt8], at due: Duration) -> [BeaconReaction] {
        let altered = faults.applyFaults(to: value)
        return link.isSilent
            ? [] : [.notify(altered, from: AttributeTable.kbeaconAnswers, mayIndicate: false, at: due)]
    }

    /// Records the broken `rule`, and ignores the write.
    mutating func ignore(_ rule: KBeaconRule) -> [BeaconReaction] {
        statistics.note(rule)
        return []
    }
}

/// The handshake (kbeacon.md, Handshake).
///
///     0  1  0x13; from a device, 1 in the high four bits and any low four bits
///     1  1  step: 0x01 number, 0x02 digest, 0xF1 refusal; with a folded digest, a device sends 0x0B instead of 0x01,
///           and a client 0x0C instead of 0x02
///     2  -  0x01: client: number, optionally clock in seconds, big-endian; device: number and digest
///           0x02: client: digest; device: optionally its largest MTU
extension KBeaconSession {
    mutating func handshake(_ value: [UInt8], at now: Duration) -> [BeaconReaction] {
        let rest = value.dropFirst(2)
        switch (value.first, value.dropFirst().first, rest.count) {
        case (0x13, 0x01, 4), (0x13, 0x01, 8): return challenge(Array(rest), at: now)
        case (0x13, 0x02, 16): return check(Array(rest), isFolded: false, at: now)
        case (0x13, 0x0C, 8): return check(Array(rest), isFolded: true, at: now)
        default: return ignore(.wrongHandshakeStep)
        }
    }

    private mutating func challenge(_ rest: [UInt8], at now: Duration) -> [BeaconReaction] {
        if link.stage != .none { statistics.note(.handshakeAgain) }
        statistics.handshakes += 1
        if rest.count == 8 { clock = (rest.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }, now) }
        guard faults.handshakeFault(afterStep: 1, ofHandshake: statistics.handshakes) == nil else {
            return applyFault(afterStep: 1, at: now)
        }
        let number = Self.number(description.seed, statistics.handshakes)
        // Step, number and digest must fit.
        let isFolded = description.handshake.foldsDigests || longestValue < 22
        var digest = KBeaconDigest.whole(address, rest.prefix(4), memory.settings.password)
        if faults.has(.impostor) { digest = digest.map { ~$0 } }
        if isFolded { digest = KBeaconDigest.folded(digest) }
        if faults.has(.impostor) { digest[0] ^= 0xFF }
        link.stage = .challenged(number: number, isFolded: isFolded)
        return step([isFolded ? 0x0B : 0x01] + number + digest, at: now) + applyFault(afterStep: 2, at: now)
    }

    private mutating func check(_ digest: [UInt8], isFolded: Bool, at now: Duration) -> [BeaconReaction] {
        guard case .challenged(let number, let wasFolded) = link.stage else {
            return ignore(.wrongHandshakeStep)
        }
        statistics.passwordsTried += 1
        if faults.has(.impostor) { statistics.note(.digestToImpostor) }
        let whole = KBeaconDigest.whole(address, number, memory.settings.password)
        let isRight = isFolded == wasFolded && digest == (isFolded ? KBeaconDigest.folded(whole) : whole)
        if !isRight { statistics.wrongPasswords += 1 }
        if isFolded != wasFolded { statistics.note(.wrongHandshakeStep) }
        let isTaken = isRight && !faults.has(.refuseDigest(statistics.handshakes))
        link.stage = isTaken ? .authenticated : .refused
        guard faults.handshakeFault(afterStep: 3, ofHandshake: statistics.handshakes) == nil else {
            return applyFault(afterStep: 3, at: now)
        }
        guard isTaken else { return step([0xF1], at: now) + applyFault(afterStep: 4, at: now) }
        let style = description.handshake
        link.events = description.events.map { (due: now + $0.delay, event: $0) }.sorted { $0.due < $1.due }
        return step([0x02] + (style.reportsMTU ? [UInt8(clamping: style.maximumMTU)] : []), at: now)
            + applyFault(afterStep: 4, at: now)
    }

    private mutating func step(_ rest: [UInt8], at now: Duration) -> [BeaconReaction] {
        notify([0x10 | description.handshake.tag & 0x0F] + rest, at: now + description.answers.delay)
    }

    private mutating func applyFault(afterStep step: Int, at now: Duration) -> [BeaconReaction] {
        switch faults.handshakeFault(afterStep: step, ofHandshake: statistics.handshakes) {
        case nil: return []
        case .silence:
            link.isSilent = true
            return []
        case .cut:
            // Responses that are due already are sent first.
            return [.disconnect(at: now + description.answers.delay)]
        }
    }

    /// The device's number in a handshake of a beacon's life: unpredictable without the seed.
    private static func number(_ seed: UInt64, _ handshake: Int) -> [UInt8] {
        let bytes = seed.bytes() + UInt64(truncatingIfNeeded: handshake).bytes()
        return Array(MD5Digest.digest(bytes).prefix(4))
    }
}

/// Writes to FEA1 (kbeacon.md, Framing, Acks).
extension KBeaconSession {
    mutating func receive(_ value: [UInt8], isSubscribed: Bool = true, at now: Duration) -> [BeaconReaction] {
        if link.stage == .refused { statistics.writesAfterRefusal += 1 }
        guard !link.isSilent else { return [] }
        if let first = value.first, first >> 4 == 1 {
            if !isSubscribed { statistics.note(.handshakeWithoutNotifications) }
            return handshake(value, at: now)
        }
        guard isAuthenticated else { return ignore(.commandBeforeSession) }
        if let acknowledgement = KBeaconAcknowledgement(value) { return take(acknowledgement, at: now) }
        guard let piece = KBeaconPiece(value), piece.content == .binary || piece.content == .json else {
            return ignore(.malformedPiece)
        }
        return take(piece, at: now)
    }

    private mutating func take(_ piece: KBeaconPiece, at now: Duration) -> [BeaconReaction] {
        // The beacon has a buffer for only one piece.
        guard now >= link.busyUntil else { return ignore(.pieceBeforeAcknowledgement) }
        let due = now + description.answers.delay
        link.busyUntil = due
        switch link.assembly.take(piece) {
        case .more(let next): return ask(piece.content, for: next, at: due)
        case .wrong(let next):
            statistics.note(.wrongOffset)
            return ask(piece.content, for: next, at: due)
        case .tooLong:
            statistics.note(.commandTooLong)
            return refuse(piece.content, .parameterInvalid, at: due)
        case .complete(let command): return carryOut(command, piece.content, at: now)
        }
    }

    private mutating func ask(_ content: Content, for offset: Int, at due: Duration) -> [BeaconReaction] {
        let more = KBeaconAcknowledgement(
            content: content, cause: .more, offset: faults.requestedOffset(for: offset),
            window: description.answers.window)
        return notify(more.value, at: due)
    }

    mutating func refuse(_ content: Content, _ cause: KBeaconCause, at due: Duration) -> [BeaconReaction] {
        notify(KBeaconAcknowledgement(content: content, cause: cause).value, at: due)
    }
}

/// The digest that proves knowledge of a password without sending it (kbeacon.md, Handshake).
enum KBeaconDigest {
    static func whole(_ address: DeviceAddress, _ number: some Sequence<UInt8>, _ password: String) -> [UInt8]
    {
        MD5Digest.digest(address.bytes.reversed() + [0xA9, 0xB1] + Array(number) + Array(password.utf8))
    }

    static func folded(_ digest: [UInt8]) -> [UInt8] { zip(digest.prefix(8), digest.dropFirst(8)).map(^) }
}

struct KBeaconMemory: Codable, Hashable, Sendable {
    var settings: KBeaconSettings
    /// The password that applies after the end of the link.
    var newPassword: String?
    var resetsAtEnd = false
    var isOff = false
    /// Whether an update has replaced the factory application.
    var isUpdated = false
    /// The CRC-32 of the last started application; nil before the first start.
    var application: UInt32?
    /// How many records of each kind were fetched as new.
    var fetched: [UInt8: Int] = [:]
    var cleared: Set<UInt8> = []

    init(_ settings: KBeaconSettings) { self.settings = settings }

    /// Applies what was deferred to the end of the link; `factory` has the settings after a reset.
    mutating func endLink(_ factory: KBeaconSettings) {
        if resetsAtEnd { settings = factory }
        if let newPassword { settings.password = newPassword }
        newPassword = nil
        resetsAtEnd = false
    }
}
