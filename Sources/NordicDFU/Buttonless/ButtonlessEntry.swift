public import BluetoothTypes
import ByteCoding
import FirmwareModel
public import Sessions
public import UpdateCore

/// Sends a Nordic application to its bootloader, as a value (nordic-buttonless.md, Conversation).
///
/// Where the application can give its bootloader a name, it gets one that nobody else has: among several
/// bootloaders that one is ours. Some applications crash on that request, so it is made once.
public struct ButtonlessEntry: BootloaderEntry {
    enum State: Equatable, Sendable {
        case idle
        case subscribing
        /// Waiting for the answer to the name, for the `tries`-th time.
        case naming(tries: Int, strays: Int)
        /// Waiting until an application that was busy may take the name.
        case pausing(tries: Int)
        /// The observer is told that the bootloader will have no name, and may wait.
        case announcing
        case entering(strays: Int)
        case left
    }

    static let enterOpcode: UInt8 = 0x01
    static let nameOpcode: UInt8 = 0x02
    static let answerLimit = Duration.seconds(5)
    static let busyPause = Duration.milliseconds(500)
    static let maximumTries = 3
    static let maximumStrays = 16

    /// The name that the bootloader is asked to advertise; nil to ask for none.
    let name: String?
    private(set) var state = State.idle
    private(set) var entryCharacteristic = ButtonlessService.unbonded
    private(set) var hasTriedName = false
    private(set) var hasName = false
    /// The application has taken a name once, and may take it again.
    private(set) var takesName = false

    /// An entry that names the bootloader `name`, which takes 1 to 18 bytes in an MTU of 23; nil gives none.
    public init(name: String?) {
        self.name = name.flatMap { (1...18).contains($0.utf8.count) ? $0 : nil }
    }

    /// In the order in which they are taken: without bonds, with bonds, SDK 12.
    public var entryCharacteristics: [Characteristic] {
        [ButtonlessService.unbonded, ButtonlessService.bonded, ButtonlessService.experimental]
    }

    /// One above the application's address, or the same; with bonds always the same.
    public func expectedAddresses(enteringBy entryCharacteristic: Characteristic) -> Set<ExpectedAddress> {
        entryCharacteristic == ButtonlessService.bonded ? [.sameAddress] : [.nextAddress, .sameAddress]
    }

    /// Only without bonds.
    public func mayName(enteringBy entryCharacteristic: Characteristic) -> Bool {
        name != nil && entryCharacteristic == ButtonlessService.unbonded
    }

    /// Takes `entryCharacteristic` from now on.
    public mutating func choose(_ entryCharacteristic: Characteristic) {
        self.entryCharacteristic = entryCharacteristic
    }

    /// Indications, or notifications, on.
    public mutating func begin(on link: LinkFacts) throws(UpdateFailure) -> EntryStep {
        hasName = false
        state = .subscribing
        return EntryStep(.subscribe(entryCharacteristic), notices: [.phase(.enteringBootloader)])
    }

    /// Nothing depends on how long things take.
    public mutating func note(_ times: CommandTimes) {}

    /// The step that follows from the outcome of the last one.
    public mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> EntryStep {
        switch (state, outcome) {
        case (.subscribing, .done), (.pausing, .done): return nameOrEnter()
        case (.announcing, .done): return enter()
        case (.naming(let tries, let strays), .value(let bytes)):
            guard let answer = ButtonlessAnswer(bytes), answer.opcode == Self.nameOpcode else {
                state = .naming(tries: tries, strays: strays + 1)
                return try expectAgain(strays)
            }
            return take(answer, tries)
        case (.naming, .timedOut):
            throw UpdateFailure(
                .noAnswer, during: "naming the bootloader",
                message: "the application did not answer to the name for its bootloader", mayReconnect: true)
        case (.entering(let strays), .value(let bytes)):
            guard let answer = ButtonlessAnswer(bytes), answer.opcode == Self.enterOpcode else {
                state = .entering(strays: strays + 1)
                return try expectAgain(strays)
            }
            guard answer.result == .success else { throw refusal(answer.code) }
            return leave()
        // An application that leaves without a word is as good as one that says so.
        case (.entering, .timedOut): return leave()
        default: throw UpdateFailure.misplaced(outcome, in: state, during: "entering the bootloader")
        }
    }

    /// A link that ends once the application was told to go has ended because it went.
    public func linkEnded() -> EntryDisconnect {
        switch state {
        case .entering, .left: .leaving(handoff)
        case .idle, .subscribing, .naming, .pausing, .announcing: .staying
        }
    }

    private var handoff: BootloaderHandoff {
        BootloaderHandoff(
            expectedAddresses: expectedAddresses(enteringBy: entryCharacteristic), name: hasName ? name : nil)
    }

    private mutating func nameOrEnter() -> EntryStep {
        let tries: Int
        switch state {
        case .pausing(let before): tries = before + 1
        default: tries = 1
        }
        guard let name, mayName(enteringBy: entryCharacteristic), tries > 1 || takesName || !hasTriedName
        else { return announce() }
        hasTriedName = true
        takesName = false
        state = .naming(tries: tries, strays: 0)
        return request([Self.nameOpcode, UInt8(name.utf8.count)] + name.utf8)
    }

    private mutating func take(_ answer: ButtonlessAnswer, _ tries: Int) -> EntryStep {
        if answer.result == .busy, tries < Self.maximumTries {
            state = .pausing(tries: tries)
            return EntryStep(.rest(Self.busyPause))
        }
        hasName = answer.result == .success
        takesName = hasName
        return announce()
    }

    /// Without a name, the devices nearby have to be known first. That takes time, in which the link may be lost.
    private mutating func announce() -> EntryStep {
        guard mayName(enteringBy: entryCharacteristic), !hasName else { return enter() }
        state = .announcing
        return EntryStep(.rest(.zero), notices: [.leavingApplication(isNamed: false)])
    }

    private mutating func enter() -> EntryStep {
        state = .entering(strays: 0)
        var step = request([Self.enterOpcode])
        if hasName { step.notices = [.leavingApplication(isNamed: true)] }
        return step
    }

    private mutating func leave() -> EntryStep {
        state = .left
        return EntryStep(.end(handoff))
    }

    private func request(_ bytes: [UInt8]) -> EntryStep {
        EntryStep(
            .request(bytes, on: entryCharacteristic, answerOn: entryCharacteristic, within: Self.answerLimit))
    }

    /// What is not an answer to our question is passed over, a number of times.
    private func expectAgain(_ strays: Int) throws(UpdateFailure) -> EntryStep {
        guard strays < Self.maximumStrays else {
            throw UpdateFailure(
                .unexpectedAnswer, during: "entering the bootloader",
                message: "the application answers something else again and again")
        }
        return EntryStep(.expect(from: entryCharacteristic, within: Self.answerLimit))
    }

    private static let bondRemedy: Advice =
        "bond with the beacon first: allow this adapter to keep bonds (`btmgmt bondable on`, or run bluetoothd), remove "
        + "an old bond of the beacon on this computer (`btmgmt unpair ADDRESS`), and run the same command again"

    private func refusal(_ code: UInt8) -> UpdateFailure {
        let reason =
            switch ButtonlessAnswer.Result(rawValue: code) {
            case .notSupported: "it does not support that"
            case .failed: "the operation failed; its settings page may be write-protected"
            case .busy: "it is busy"
            case .notBonded: "it is not bonded with this computer"
            case .invalid, .nameInvalid, .success, nil: "it calls the request invalid"
            }
        return UpdateFailure(
            .entryRefused, during: "entering the bootloader",
            message: "the application refuses to start its bootloader: \(reason) "
                + "(result \(HexText.digits(code, uppercase: true)))",
            remedy: ButtonlessAnswer.Result(rawValue: code) == .notBonded ? Self.bondRemedy : nil)
    }
}
