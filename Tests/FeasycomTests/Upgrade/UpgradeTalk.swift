import Bluetooth
import UpdateModel

@testable import Feasycom

let openMark = Characteristic(
    BluetoothUUID(0xFFF0), BluetoothUUID(high: 0x8E7F_1A60_2D41_4B6E, low: 0x9C35_0FBE_AC0F_0001))

/// An upgrade played with a table of outcomes.
struct UpgradeTalk {
    private(set) var upgrade: FBeaconUpgrade
    private(set) var step: UpdateStep
    /// Since the beginning.
    var now = Duration.zero

    static let taken: [UInt8] = [0x06]
    static let again: [UInt8] = [0x15]
    static let cancel: [UInt8] = [0x18]
    static let reply = Array("OK,3E038B021500".utf8)
    /// The reply of a model that keeps the link.
    static let stayingReply = Array("OK,3E038B021400".utf8)

    static func container(_ count: Int, model: UInt16 = 20, restoring: Bool = false) -> OpenContainer {
        OpenContainer(
            bootloader: 651, versions: 800...840, modelNumber: model, restoresDefaults: restoring,
            payload: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
    }

    init(_ upgrade: FBeaconUpgrade, writing length: Int = 244) {
        self.upgrade = upgrade
        step = self.upgrade.begin(on: LinkFacts(maximumWriteLength: length))
    }

    /// An upgrade that waits for the device's answer to the first block.
    static func sending(
        _ count: Int = 3000, opening: UInt8 = 0x53, writing length: Int = 244
    ) throws -> UpgradeTalk {
        var talk = UpgradeTalk(FBeaconUpgrade(container(count)), writing: length)
        try talk.enter()
        try talk.hear(stayingReply)
        try talk.hear([opening])
        try talk.take(.done)
        return talk
    }

    /// The mark, and notifications.
    mutating func enter(mark: [UInt8] = [1, 0x31]) throws {
        try take(.value(mark))
        try take(.done)
    }

    mutating func begin() { step = upgrade.begin(on: LinkFacts(maximumWriteLength: 244)) }

    /// Passes the outcome of the last command, after `time`.
    mutating func take(_ outcome: DialogueOutcome, after time: Duration = .milliseconds(60)) throws {
        if outcome != .timedOut { upgrade.note(CommandTimes(started: now, ended: now + time)) }
        now += time
        step = try upgrade.advance(after: outcome)
    }

    mutating func hear(_ bytes: [UInt8], after time: Duration = .milliseconds(60)) throws {
        try take(.value(bytes), after: time)
    }

    /// The packet is sent, and `bytes` answer it.
    mutating func answer(_ bytes: [UInt8]) throws {
        if packet != nil { try take(.done, after: .milliseconds(1)) }
        try hear(bytes)
    }

    /// The packet that is streamed.
    var packet: [UInt8]? { if case .stream(let run) = step.command { Array(run.bytes) } else { nil } }
    /// The number of its block.
    var block: UInt8? { packet?[1] }
    /// The value that is written with a request.
    var written: [UInt8]? {
        switch step.command {
        case .request(let bytes, requests, answers, _): bytes
        default: nil
        }
    }
    var limit: Duration? {
        switch step.command {
        case .expect(answers, let limit), .request(_, requests, answers, let limit): limit
        default: nil
        }
    }
    var completion: Completion? {
        if case .end(.complete(let completion)) = step.command { completion } else { nil }
    }
    var restart: Restart? { if case .end(.restart(let restart)) = step.command { restart } else { nil } }
}
