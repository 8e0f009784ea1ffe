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

    /// Deadlines fit the device's work: Start erases all pages, at 22 to 90 ms each; Validate reads the whole image.
    private var form: (opcode: UInt8, parameters: [UInt8], deadline: Duration, step: String) {
        switch self {
        case .start(let mode): (0x01, mode.map { [$0] } ?? [], .seconds(30), "starting the update")
        case .beginInit(let isOld): (0x02, isOld ? [] : [0], .seconds(10), "checking the init packet")
        case .completeInit: (0x02, [1], .seconds(10), "checking the init packet")
        case .receive: (0x03, [], .seconds(10), "transferring")
        case .validate: (0x04, [], .seconds(20), "checking the whole image")
        case .activate: (0x05, [], .seconds(3), "activating")
        case .reset: (0x06, [], .seconds(3), "restarting the bootloader")
        case .report: (0x07, [], .seconds(3), "asking for the number of received bytes")
        case .setReceipts(let count): (0x08, count.bytes(), .seconds(3), "setting the receipt interval")
        }
    }

    var opcode: UInt8 { form.opcode }
    var bytes: [UInt8] { [opcode] + form.parameters }
    var deadline: Duration { form.deadline }
    var step: String { form.step }
}
