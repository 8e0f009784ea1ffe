import Bytes

/// A request to the Legacy control point (nordic-legacy.md, Layout).
enum LegacyRequest: Equatable, Sendable {
    /// Announces the images, whose sizes follow as a packet; `mode` is nil for a device from before SDK 7.
    case start(mode: UInt8?)
    case beginInit(isOld: Bool)
    case completeInit
    case setReceipts(UInt16)
    case receive
    case validate
    case activate
    case reset
    case report

    var opcode: UInt8 {
        switch self {
        case .start: 0x01
        case .beginInit, .completeInit: 0x02
        case .receive: 0x03
        case .validate: 0x04
        case .activate: 0x05
        case .reset: 0x06
        case .report: 0x07
        case .setReceipts: 0x08
        }
    }

    var bytes: [UInt8] {
        var writer = ByteWriter([opcode])
        switch self {
        case .start(let mode): if let mode { writer.integer(mode) }
        case .beginInit(let isOld): if !isOld { writer.integer(UInt8(0)) }
        case .completeInit: writer.integer(UInt8(1))
        case .setReceipts(let count): writer.integer(count)
        case .receive, .validate, .activate, .reset, .report: break
        }
        return writer.bytes
    }

    /// Time limit for the response. Start erases all pages that the image may need, at 22 to 90 ms each; Validate
    /// reads the whole image.
    var deadline: Duration {
        switch self {
        case .start: .seconds(30)
        case .beginInit, .completeInit: .seconds(10)
        case .receive: .seconds(10)
        case .validate: .seconds(20)
        case .report: .seconds(3)
        case .setReceipts, .activate, .reset: .seconds(3)
        }
    }

    var step: String {
        switch self {
        case .start: "starting the update"
        case .beginInit, .completeInit: "checking the init packet"
        case .setReceipts: "setting the receipt interval"
        case .receive: "transferring"
        case .validate: "checking the whole image"
        case .activate: "activating"
        case .reset: "restarting the bootloader"
        case .report: "asking for the number of received bytes"
        }
    }
}
