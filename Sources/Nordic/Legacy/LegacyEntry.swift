package import Bluetooth
package import UpdateModel

/// Makes a Nordic application with Legacy DFU start its bootloader; a state machine without I/O (nordic-legacy.md,
/// Entry).
///
/// The application has the bootloader's control point, and restarts when it receives Start, possibly before it
/// acknowledges the write. The bootloader of a bonded application keeps its address, and may advertise to the bonded
/// peer only. Some applications in front of Adafruit's bootloader have Secure DFU's buttonless service, which is
/// used then.
package struct LegacyEntry: BootloaderEntry {
    enum State: Equatable, Sendable {
        case idle
        case subscribing
        case entering
        case left
    }

    private(set) var state = State.idle
    /// The buttonless entry of Secure DFU, if it is used. A Legacy bootloader takes no name.
    private var buttonless: ButtonlessEntry?
    private let mayBeButtonless: Bool

    /// `mayBeButtonless`: the application may have Secure DFU's buttonless service although its bootloader is a
    /// Legacy one, which the application does not reveal.
    package init(orButtonless mayBeButtonless: Bool = false) { self.mayBeButtonless = mayBeButtonless }

    /// The control point, and Secure DFU's characteristics if they are allowed.
    package var entryCharacteristics: [Characteristic] {
        [LegacyService.controlPoint]
            + (mayBeButtonless ? [ButtonlessService.unbonded, ButtonlessService.bonded] : [])
    }

    /// The application's address plus one; with bonds, and before SDK 7, the same address.
    package func expectedAddresses(enteringBy entryCharacteristic: Characteristic) -> Set<ExpectedAddress> {
        [.nextAddress, .sameAddress]
    }

    package mutating func choose(_ entryCharacteristic: Characteristic) {
        guard entryCharacteristic != LegacyService.controlPoint else { return buttonless = nil }
        buttonless = buttonless ?? ButtonlessEntry(name: nil)
        buttonless?.choose(entryCharacteristic)
    }

    package mutating func begin(on link: LinkFacts) throws(UpdateFailure) -> EntryStep {
        if buttonless != nil { return try step { (way) throws(UpdateFailure) in try way.begin(on: link) } }
        state = .subscribing
        return EntryStep(.subscribe(LegacyService.controlPoint), notices: [.phase(.enteringBootloader)])
    }

    package mutating func note(_ times: CommandTimes) {}

    package mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> EntryStep {
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

    package func linkEnded() -> EntryDisconnect {
        if let buttonless {
            if case .leaving = buttonless.linkEnded() { return .leaving(handoff) }
            return .staying
        }
        return switch state {
        case .entering, .left: .leaving(handoff)
        case .idle, .subscribing: .staying
        }
    }

    /// A step of Secure DFU's buttonless entry; its handoff is replaced by that of a Legacy bootloader.
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
