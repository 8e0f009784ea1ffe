public import BluetoothTypes
public import Sessions
public import UpdateCore

/// Sends a Nordic application with Legacy DFU to its bootloader, as a value (nordic-legacy.md, Entry).
///
/// The application has the bootloader's control point, and jumps when it hears Start. It may not live to
/// acknowledge that. The bootloader of a bonded application keeps its address, and may advertise to the bonded peer
/// alone. Some applications have Secure DFU's way out before Adafruit's bootloader: they are sent away by that.
public struct LegacyEntry: BootloaderEntry {
    enum State: Equatable, Sendable {
        case idle
        case subscribing
        case entering
        case left
    }

    private(set) var state = State.idle
    /// Secure DFU's way out, where that is taken. A Legacy bootloader takes no name.
    private var buttonless: ButtonlessEntry?
    private let mayBeButtonless: Bool

    /// An entry that was not tried yet; `mayBeButtonless` where the application may have Secure DFU's way out and yet a
    /// Legacy bootloader, which nothing of it tells.
    public init(orButtonless mayBeButtonless: Bool = false) { self.mayBeButtonless = mayBeButtonless }

    /// The control point; Secure DFU's where that may be.
    public var entryCharacteristics: [Characteristic] {
        [LegacyService.controlPoint]
            + (mayBeButtonless ? [ButtonlessService.unbonded, ButtonlessService.bonded] : [])
    }

    /// One above the application's address; with bonds, and before SDK 7, the same.
    public func expectedAddresses(enteringBy entryCharacteristic: Characteristic) -> Set<ExpectedAddress> {
        [.nextAddress, .sameAddress]
    }

    /// Takes `entryCharacteristic` from now on.
    public mutating func choose(_ entryCharacteristic: Characteristic) {
        guard entryCharacteristic != LegacyService.controlPoint else { return buttonless = nil }
        buttonless = buttonless ?? ButtonlessEntry(name: nil)
        buttonless?.choose(entryCharacteristic)
    }

    /// Notifications on: without them the application refuses.
    public mutating func begin(on link: LinkFacts) throws(UpdateFailure) -> EntryStep {
        if buttonless != nil { return try step { (way) throws(UpdateFailure) in try way.begin(on: link) } }
        state = .subscribing
        return EntryStep(.subscribe(LegacyService.controlPoint), notices: [.phase(.enteringBootloader)])
    }

    /// Nothing depends on how long things take.
    public mutating func note(_ times: CommandTimes) {}

    /// The step that follows from the outcome of the last one.
    public mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> EntryStep {
        if buttonless != nil {
            return try step { (way) throws(UpdateFailure) in try way.advance(after: outcome) }
        }
        switch (state, outcome) {
        case (.subscribing, .done):
            state = .entering
            return EntryStep(.write(LegacyRequest.start(mode: 4).bytes, on: LegacyService.controlPoint))
        case (.entering, .done):
            state = .left
            return EntryStep(.end(handoff))
        default: throw UpdateFailure.misplaced(outcome, in: state, during: "entering the bootloader")
        }
    }

    /// A link that ends once the application was told to go has ended because it went.
    public func linkEnded() -> EntryDisconnect {
        if let buttonless {
            if case .leaving = buttonless.linkEnded() { return .leaving(handoff) }
            return .staying
        }
        return switch state {
        case .entering, .left: .leaving(handoff)
        case .idle, .subscribing: .staying
        }
    }

    /// The step of Secure DFU's way out; what it ends with is what a Legacy bootloader is known by.
    private mutating func step(
        _ next: (inout ButtonlessEntry) throws(UpdateFailure) -> EntryStep
    ) throws(UpdateFailure) -> EntryStep {
        guard var way = buttonless else {
            throw UpdateFailure.misplaced(.done, in: state, during: "entering the bootloader")
        }
        var step = try next(&way)
        buttonless = way
        if case .end = step.command { step.command = .end(handoff) }
        return step
    }

    private var handoff: BootloaderHandoff {
        BootloaderHandoff(
            expectedAddresses: expectedAddresses(enteringBy: LegacyService.controlPoint), name: nil,
            mayBeInaudible: true)
    }
}
