/// A request to an SMP server: group, command, operation and content (docs/protocols/mcuboot-smp.md, Commands).
package struct SMPRequest: Equatable, Sendable {
    package let operation: SMPFrame.Operation
    package let group: UInt16
    package let command: UInt8
    package let content: CBORMap

    package init(_ operation: SMPFrame.Operation, _ group: UInt16, _ command: UInt8, _ content: CBORMap = [:])
    {
        (self.operation, self.group, self.command, self.content) = (operation, group, command, content)
    }

    package func frame(sequence: UInt8) -> SMPFrame {
        SMPFrame(operation, group: group, command: command, sequence: sequence, content)
    }

    /// Whether `frame` answers this request with `sequence`. Its version is ignored, because old devices answer with 0.
    package func isAnswered(by frame: SMPFrame, sequence: UInt8) -> Bool {
        frame.operation == operation.answer && frame.group == group && frame.command == command
            && frame.sequence == sequence
    }
}

extension SMPRequest {
    package static let parameters = SMPRequest(.read, 0, 6)
    /// The name of the bootloader; a device without MCUboot refuses it.
    package static let bootloader = SMPRequest(.read, 0, 8)
    package static let bootloaderMode = SMPRequest(.read, 0, 8, ["query": .text("mode")])
    package static let imageState = SMPRequest(.read, 1, 0)
    package static let slotInformation = SMPRequest(.read, 1, 6)
    package static let eraseStorage = SMPRequest(.write, 63, 0)
    package static let reset = SMPRequest(.write, 0, 5)

    package static func echo(_ text: String) -> SMPRequest { SMPRequest(.write, 0, 0, ["d": .text(text)]) }

    package static func applicationInformation(_ format: String) -> SMPRequest {
        SMPRequest(.read, 0, 7, ["format": .text(format)])
    }

    /// Marks the image with `hash` for a test at the next restart, or for good. A nil hash means the running image.
    package static func setState(hash: [UInt8]?, confirming isPermanent: Bool) -> SMPRequest {
        var content: CBORMap = [:]
        if let hash { content.append("hash", .bytes(hash)) }
        content.append("confirm", .flag(isPermanent))
        return SMPRequest(.write, 1, 0, content)
    }

    package static func upload(_ content: CBORMap) -> SMPRequest { SMPRequest(.write, 1, 1, content) }

    /// Erases `slot`; nil means the slot that does not run.
    package static func erase(slot: Int?) -> SMPRequest {
        SMPRequest(.write, 1, 5, slot.map { ["slot": .integer($0)] } ?? [:])
    }
}
