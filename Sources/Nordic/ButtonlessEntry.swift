package import Bluetooth
import Bytes
package import UpdateModel

/// Makes a Nordic application start its bootloader; a state machine without I/O (nordic-buttonless.md, Conversation;
/// nordic-legacy.md, Entry).
///
/// If the application can set the bootloader's advertising name, it is asked to set a unique one, which identifies the
/// unit among several bootloaders. Some applications crash on that request, so it is not repeated after it failed.
///
/// An application with Legacy DFU has the bootloader's control point, and restarts when it receives Start, possibly
/// before it acknowledges the write. The bootloader of a bonded application keeps its address, and may advertise to
/// the bonded peer only.
package struct ButtonlessEntry: BootloaderEntry {
    enum State: Equatable, Sendable {
        case idle
        case subscribing
        /// Waiting for the response to the name; `tries` counts the requests.
        case naming(tries: Int, strays: Int)
        /// Waiting to send the name again to an application that was busy.
        case pausing(tries: Int)
        /// Notifying the observer that the bootloader will have no unique name; the observer may delay the entry.
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

    private let name: String?
    private let isLegacy: Bool
    /// The characteristics that can start the bootloader, in order of preference.
    package let entryCharacteristics: [Characteristic]
    private var entryCharacteristic: Characteristic
    private var state = State.idle
    private var hasTriedName = false
    private var hasName = false
    /// Whether the application accepted the last name, so that the request may be repeated.
    private var acceptsName = false

    /// `name` is the bootloader's name, of 1 to 18 bytes, the limit of MTU 23; nil or another length sets none.
    package init(name: String?) {
        self.name = name.flatMap { (1...18).contains($0.utf8.count) ? $0 : nil }
        isLegacy = false
        entryCharacteristics = [
            ButtonlessService.unbonded, ButtonlessService.bonded, ButtonlessService.experimental,
        ]
        entryCharacteristic = ButtonlessService.unbonded
    }

    /// The entry into a Legacy bootloader. `mayBeButtonless`: the application may have Secure DFU's buttonless service
    /// instead of a control point, as some for Adafruit's bootloader do; that service does not reveal which bootloader
    /// follows.
    package init(legacyOrButtonless mayBeButtonless: Bool) {
        name = nil
        isLegacy = true
        entryCharacteristics =
            [LegacyService.controlPoint]
            + (mayBeButtonless ? [ButtonlessService.unbonded, ButtonlessService.bonded] : [])
        entryCharacteristic = LegacyService.controlPoint
    }

    /// The application's address plus one, or the same; always the same with bonds, except for a Legacy bootloader.
    package func expectedAddresses(enteringBy entryCharacteristic: Characteristic) -> Set<ExpectedAddress> {
        entryCharacteristic == ButtonlessService.bonded && !isLegacy
            ? [.sameAddress] : [.nextAddress, .sameAddress]
    }

    private var sendsStart: Bool { entryCharacteristic == LegacyService.controlPoint }

    /// Only the characteristic without bonds can set a name.
    package func mayName(enteringBy entryCharacteristic: Characteristic) -> Bool {
        name != nil && entryCharacteristic == ButtonlessService.unbonded
    }

    package mutating func choose(_ entryCharacteristic: Characteristic) {
        self.entryCharacteristic = entryCharacteristic
    }

    package mutating func begin(on link: LinkFacts) throws(UpdateFailure) -> EntryStep {
        hasName = false
        state = .subscribing
        return EntryStep(.subscribe(entryCharacteristic), notices: [.phase(.enteringBootloader)])
    }

    package mutating func note(_ times: CommandTimes) {}

    package mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> EntryStep {
        switch (state, outcome) {
        case (.subscribing, .done), (.pausing, .done): return nameOrEnter()
        case (.announcing, .done): return enter()
        case (.naming(let tries, let strays), .value(let bytes)):
            guard let answer = ButtonlessAnswer(bytes), answer.opcode == Self.nameOpcode else {
                state = .naming(tries: tries, strays: strays + 1)
                return try expectAgain(strays)
            }
            return continueAfterNaming(answer, tries)
        case (.naming, .timedOut):
            throw UpdateFailure(
                .device.noAnswer, during: "naming the bootloader",
                message: "the application did not respond to the name for its bootloader", mayReconnect: true)
        case (.entering, .done) where sendsStart: return leave()
        case (.entering(let strays), .value(let bytes)) where !sendsStart:
            guard let answer = ButtonlessAnswer(bytes), answer.opcode == Self.enterOpcode else {
                state = .entering(strays: strays + 1)
                return try expectAgain(strays)
            }
            guard answer.result == .success else { throw refusal(answer.code) }
            return leave()
        // An application may restart without a response; a timeout counts as success.
        case (.entering, .timedOut) where !sendsStart: return leave()
        default: throw UpdateFailure.misplaced(outcome, in: state, during: "entering the bootloader")
        }
    }

    package var handoffOnLoss: BootloaderHandoff? {
        switch state {
        case .entering, .left: handoff
        case .idle, .subscribing, .naming, .pausing, .announcing: nil
        }
    }

    private var handoff: BootloaderHandoff {
        BootloaderHandoff(
            expectedAddresses: expectedAddresses(enteringBy: entryCharacteristic), name: hasName ? name : nil,
            mayBeInaudible: isLegacy)
    }

    private mutating func nameOrEnter() -> EntryStep {
        let tries = if case .pausing(let before) = state { before + 1 } else { 1 }
        guard let name, mayName(enteringBy: entryCharacteristic), tries > 1 || acceptsName || !hasTriedName
        else { return announce() }
        hasTriedName = true
        acceptsName = false
        state = .naming(tries: tries, strays: 0)
        return request([Self.nameOpcode, UInt8(name.utf8.count)] + name.utf8)
    }

    private mutating func continueAfterNaming(_ answer: ButtonlessAnswer, _ tries: Int) -> EntryStep {
        if answer.result == .busy, tries < Self.maximumTries {
            state = .pausing(tries: tries)
            return EntryStep(.rest(Self.busyPause))
        }
        hasName = answer.result == .success
        acceptsName = hasName
        return announce()
    }

    /// Enters the bootloader. If it has no unique name, the observer first scans for other bootloaders nearby; the link may
    /// be lost meanwhile.
    private mutating func announce() -> EntryStep {
        guard mayName(enteringBy: entryCharacteristic), !hasName else { return enter() }
        state = .announcing
        return EntryStep(.rest(.zero), notices: [.leavingApplication(isNamed: false)])
    }

    private mutating func enter() -> EntryStep {
        state = .entering(strays: 0)
        guard !sendsStart else {
            return EntryStep(.write(LegacyRequest.start(mode: 4).bytes, on: entryCharacteristic))
        }
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

    /// Skips a limited number of packets that are not the awaited response.
    private func expectAgain(_ strays: Int) throws(UpdateFailure) -> EntryStep {
        guard strays < Self.maximumStrays else {
            throw UpdateFailure(
                .device.unexpectedAnswer, during: "entering the bootloader",
                message: "the application keeps sending unexpected responses")
        }
        return EntryStep(.expect(from: entryCharacteristic, within: Self.answerLimit))
    }

    private static let bondRemedy: Advice =
        "bond with the beacon first: allow bonding on this adapter (`btmgmt bondable on`, or run bluetoothd), remove "
        + "an old bond of the beacon on this computer (`btmgmt unpair ADDRESS`), and run the same command again"

    private func refusal(_ code: UInt8) -> UpdateFailure {
        let reason =
            switch ButtonlessAnswer.Result(rawValue: code) {
            case .notSupported: "it does not support the request"
            case .failed: "the operation failed; its settings page may be write-protected"
            case .busy: "it is busy"
            case .notBonded: "it is not bonded with this computer"
            case .invalid, .nameInvalid, .success, nil: "it rejects the request as invalid"
            }
        return UpdateFailure(
            .device.entryRefused, during: "entering the bootloader",
            message: "the application refuses to start its bootloader: \(reason) "
                + "(result \(HexText.digits(code, uppercase: true)))",
            remedy: ButtonlessAnswer.Result(rawValue: code) == .notBonded ? Self.bondRemedy : nil)
    }
}

/// The characteristics that make an application start its bootloader (nordic-buttonless.md, Layout).
package enum ButtonlessService {
    /// SDK 13 and later, applications without bonds. Responds by indication.
    package static let unbonded = Characteristic(SecureService.uuid, SecureService.vendor(0x0003))
    /// SDK 14 and later, applications with bonds. Responds by indication, on an encrypted link.
    package static let bonded = Characteristic(SecureService.uuid, SecureService.vendor(0x0004))
    /// SDK 12, experimental: service and characteristic share the UUID. Responds by notification.
    package static let experimental = Characteristic(experimentalUUID, experimentalUUID)

    private static let experimentalUUID = BluetoothUUID(
        high: 0x8E40_0001_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
}

/// The application's response to a buttonless request (nordic-buttonless.md, Layout).
///
///     0  1  20
///     1  1  opcode of the request
///     2  1  result
struct ButtonlessAnswer: Equatable, Sendable {
    enum Result: UInt8, Sendable {
        case invalid = 0
        case success = 1
        case notSupported = 2
        case failed = 4
        case nameInvalid = 5
        case busy = 6
        case notBonded = 7
    }

    let opcode: UInt8
    let code: UInt8

    /// Nil for bytes that are not a response; bytes after the result are ignored.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 3, bytes[0] == 0x20 else { return nil }
        opcode = bytes[1]
        code = bytes[2]
    }

    var result: Result? { Result(rawValue: code) }
}

/// Random advertising names for bootloaders, one per unit and update.
///
/// A name has 13 bytes: an advertisement with flags and one 16-bit service has 22 bytes free for it, and with the
/// default MTU the request that sets it has 18 (nordic-dfu, 02 set advertising name). The five digits that other
/// tools draw collide too often if several benches have dozens of units in their bootloaders at a time.
enum BootloaderName {
    private static let letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

    /// One of 2^50 names, so that two units nearby practically never share one.
    static func random() -> String { "Dfu" + String((0..<10).compactMap { _ in letters.randomElement() }) }
}
