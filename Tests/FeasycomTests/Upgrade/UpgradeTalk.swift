import Bluetooth
import TestSupport
import UpdateModel

@testable import Feasycom

let requests = Characteristic(BluetoothUUID(0xFFF0), BluetoothUUID(0xFFF2))
let answers = Characteristic(BluetoothUUID(0xFFF0), BluetoothUUID(0xFFF1))
let openMark = Characteristic(
    BluetoothUUID(0xFFF0), BluetoothUUID(high: 0x8E7F_1A60_2D41_4B6E, low: 0x9C35_0FBE_AC0F_0001))

extension PlayedDialogue {
    mutating func hear(_ text: String) throws { try take(.value(Array(text.utf8))) }

    /// The last written text.
    var written: String? {
        switch command {
        case .request(let bytes, requests, answers, _), .write(let bytes, requests, _):
            String(decoding: bytes, as: UTF8.self)
        default: nil
        }
    }

    var isOver: Bool { ending != nil }
    var waits: Bool { wait != nil }
    /// The remaining wait; nil if there is none.
    var wait: Duration? { if case .expect(answers, let limit) = command { limit } else { nil } }
}

/// An upgrade played with a table of outcomes, each 60 ms after its command.
typealias UpgradeTalk = PlayedDialogue<FBeaconUpgrade>

extension PlayedDialogue<FBeaconUpgrade> {
    static var taken: [UInt8] { [0x06] }
    static var again: [UInt8] { [0x15] }
    static var cancel: [UInt8] { [0x18] }
    static var reply: [UInt8] { Array("OK,3E038B021500".utf8) }
    /// The reply of a model that keeps the link.
    static var stayingReply: [UInt8] { Array("OK,3E038B021400".utf8) }

    static func container(_ count: Int, model: UInt16 = 20, restoring: Bool = false) -> OpenContainer {
        OpenContainer(
            bootloader: 651, versions: 800...840, modelNumber: model, restoresDefaults: restoring,
            payload: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
    }

    static func begun(_ upgrade: FBeaconUpgrade, writing length: Int = 244) throws -> UpgradeTalk {
        try UpgradeTalk(upgrade, writing: length, pace: .milliseconds(60))
    }

    static func begun(_ count: Int, model: UInt16 = 20) throws -> UpgradeTalk {
        try begun(FBeaconUpgrade(container(count, model: model)))
    }

    /// An upgrade that waits for the device's answer to the first block.
    static func sending(
        _ count: Int = 3000, opening: UInt8 = 0x53, writing length: Int = 244
    ) throws -> UpgradeTalk {
        var talk = try begun(FBeaconUpgrade(container(count)), writing: length)
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

    mutating func hear(_ bytes: [UInt8], after time: Duration? = nil) throws {
        try take(.value(bytes), after: time)
    }

    /// The packet is sent, and `bytes` answer it.
    mutating func answer(_ bytes: [UInt8]) throws {
        if packet != nil { try take(.done, after: .milliseconds(1)) }
        try hear(bytes)
    }

    /// The number of the streamed block.
    var block: UInt8? { packet?[1] }
    /// The value that is written with a request.
    var request: [UInt8]? {
        if case .request(let bytes, requests, answers, _) = command { bytes } else { nil }
    }
    var limit: Duration? {
        switch command {
        case .expect(answers, let limit), .request(_, requests, answers, let limit): limit
        default: nil
        }
    }
}
