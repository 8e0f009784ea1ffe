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

/// An error that an SMP server answers with.
package struct SMPError: Error, Equatable, Sendable {
    /// The group that defines `code`; nil for the general numbers of version 1.
    package let group: Int?
    package let code: Int
    /// The device's own words, which some old devices add.
    package var reason: String?
}

extension SMPError {
    /// The error in an answer; nil for a success. Version 1 has `rc`, version 2 `err`; devices mix them.
    package init?(in content: CBORMap) {
        if let error = content.map("err"), let code = error.integer("rc"), code != 0 {
            self.init(group: error.integer("group"), code: code)
        } else if let code = content.integer("rc"), code != 0 {
            self.init(group: nil, code: code, reason: content.text("rsn"))
        } else {
            return nil
        }
    }
}

/// Cleans texts of a beacon, which may have any content.
enum DeviceText {
    static let longest = 200

    /// The words of `text` without control characters, up to ``longest``; nil if there are none.
    static func plain(_ text: String) -> String? {
        let scalars = text.unicodeScalars.prefix(longest).map { scalar in
            [.control, .format].contains(scalar.properties.generalCategory) ? " " : scalar
        }
        let words = String(String.UnicodeScalarView(scalars)).split(separator: " ").joined(separator: " ")
        return words.isEmpty ? nil : words
    }
}

extension String {
    /// Up to `most` characters of a beacon's text, without control characters, which a terminal would obey.
    func printable(atMost most: Int) -> String {
        String(unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }.prefix(most).map(Character.init))
    }
}
