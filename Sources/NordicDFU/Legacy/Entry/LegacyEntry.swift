public import BluetoothTypes
public import Sessions
public import UpdateCore

/// Sends a Nordic application with Legacy DFU to its bootloader, as a value (nordic-legacy.md, Entry).
///
/// The application has the bootloader's control point, and jumps when it hears Start. It may not live to
/// acknowledge that. The bootloader of a bonded application keeps its address, and may advertise to the bonded peer
/// alone.
public struct LegacyEntry: BootloaderEntry {
    enum State: Equatable, Sendable {
        case idle
        case subscribing
        case entering
        case left
    }

    private(set) var state = State.idle

    /// An entry that was not tried yet.
    public init() {}

    /// The control point.
    public var entryCharacteristics: [Characteristic] { [LegacyService.controlPoint] }

    /// One above the application's address; with bonds, and before SDK 7, the same.
    public func expectedAddresses(enteringBy entryCharacteristic: Characteristic) -> Set<ExpectedAddress> {
        [.nextAddress, .sameAddress]
    }

    /// There is one characteristic only.
    public mutating func choose(_ entryCharacteristic: Characteristic) {}

    /// Notifications on: without them the application refuses.
    public mutating func begin(on link: LinkFacts) throws(UpdateFailure) -> EntryStep {
        state = .subscribing
        return EntryStep(.subscribe(LegacyService.controlPoint), notices: [.phase(.enteringBootloader)])
    }

    /// Nothing depends on how long things take.
    public mutating func note(_ times: CommandTimes) {}

    /// The step that follows from the outcome of the last one.
    public mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> EntryStep {
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
    public func linkEnded() -> EntryEnding {
        switch state {
        case .entering, .left: .leaving(handoff)
        case .idle, .subscribing: .staying
        }
    }

    private var handoff: BootloaderHandoff {
        BootloaderHandoff(
            expectedAddresses: expectedAddresses(enteringBy: LegacyService.controlPoint), name: nil,
            mayBeInaudible: true)
    }
}
