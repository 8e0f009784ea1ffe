import Bluetooth
import Bytes
import Nordic
import TestSupport
import Testing
import UpdateModel

/// A Secure DFU conversation in short words: an outcome, and the procedure's next command.
///
/// Outcomes: `crc 4096` is the checksum answer of a device that has so much of the image, `init 140` of the init packet,
/// `hold 1 512 …` a Select answer with that maximum and progress.
/// Commands: `subscribe`, `ask 0601`, `listen`, `init 0..<140`, `send 0..<244`; a failure is told without `, again`.
struct SecureScript: DialogueScript {
    let image: SecureImage
    var played: PlayedDialogue<SecureProcedure>

    init(
        _ image: SecureImage = SecureSubject.firmware(), receipts: Int? = 0,
        beginningAfresh beginsAfresh: Bool = false
    ) {
        self.image = image
        played = PlayedDialogue(
            unbegun: SecureProcedure(image, receiptInterval: receipts, beginningAfresh: beginsAfresh))
    }

    /// A new link, up to the answer to Select(init).
    mutating func connect(payload: Int = 244, receipts: String = "0000") throws {
        #expect(try begin(writing: payload) == "subscribe")
        expect([("done", "ask 02\(receipts)"), ("600201", "ask 0601")])
    }

    /// A fresh link up to the first Create of an object, of this many bytes.
    mutating func reachFirstObject(
        payload: Int = 244, maximum: Int = 4096, receipts: String = "0000", commandMaximum: Int = 512
    ) throws {
        try connect(payload: payload, receipts: receipts)
        expect([
            ("hold \(commandMaximum) 0 0", "ask 01018c000000"), ("600101", "init 0..<140"),
            ("done", "ask 03"),
            ("init 140", "ask 04"), ("600401", "ask 0602"),
        ])
        _ = after("hold \(maximum) 0 0")
    }

    /// A table has `rest` for any length above 0, and packets as one range.
    mutating func agrees(_ command: String, with expected: String) -> Bool {
        if expected == "rest", command.hasPrefix("rest ") { return (Int(command.dropFirst(5)) ?? 0) > 0 }
        return whole(command, as: expected) == expected
    }

    /// A table has packets as one range: they may leave in several runs, with waits between them.
    private mutating func whole(_ command: String, as expected: String) -> String {
        guard expected.hasPrefix("send "), command != expected,
            let start = expected.firstRange(of: "..<"), command.hasPrefix(expected[..<start.upperBound])
        else { return command }
        let end = expected[start.upperBound...]
        for _ in 0..<1000 {
            let next = after("done")
            if next.hasSuffix("..<" + end), next.hasPrefix("send ") { return expected }
            guard next.hasPrefix("send ") || next.hasPrefix("rest ") else { return command }
        }
        return command
    }

    /// Runs any commands until the command is `command`.
    mutating func advance(until command: String) throws {
        for _ in 0..<1000 where after("done") == command { return }
        throw UpdateFailure(.device.unexpectedAnswer, during: "the test", message: "it never says \(command)")
    }

    func outcome(_ parts: [String]) -> DialogueOutcome? {
        func number(_ index: Int) -> Int { index < parts.count ? Int(parts[index]) ?? 0 : 0 }
        func progress(_ offset: Int, of source: [UInt8]) -> [UInt8] {
            UInt32(truncatingIfNeeded: offset).bytes
                + CRC32.checksum(source[..<min(offset, source.count)]).bytes
        }
        switch parts.first {
        case "crc": return .value([0x60, 3, 1] + progress(number(1), of: image.bytes))
        case "init": return .value([0x60, 3, 1] + progress(number(1), of: image.initPacket))
        case "hold":
            let maximum = UInt32(truncatingIfNeeded: number(1)).bytes
            let held: [UInt8] =
                switch parts.dropFirst(3).first {
                case "image": progress(number(2), of: image.bytes)
                case "init": progress(number(2), of: image.initPacket)
                default:
                    UInt32(truncatingIfNeeded: number(2)).bytes
                        + UInt32(truncatingIfNeeded: number(3)).bytes
                }
            return .value([0x60, 6, 1] + maximum + held)
        default: return nil
        }
    }

    func text(_ failure: UpdateFailure) -> String { "fail \(failure.code)" }

    func text(_ command: UpdateCommand) -> String? {
        switch command {
        case .subscribe(SecureService.controlPoint): return "subscribe"
        case .request(let bytes, SecureService.controlPoint, SecureService.controlPoint, _):
            return "ask \(bytes.hex)"
        case .expect(SecureService.controlPoint, _): return "listen"
        case .stream(let run):
            let range = run.bytes.indices
            let source = run.payload?.position == nil ? image.initPacket : image.bytes
            guard run.target == .characteristic(SecureService.packet), source[range] == run.bytes
            else {
                return "wrong bytes"
            }
            if let position = run.payload?.position, position != range.lowerBound { return "wrong position" }
            return (run.payload?.position == nil ? "init" : "send") + " \(range)"
        default: return nil
        }
    }
}

extension DialogueScript {
    mutating func expect(_ rows: [(String, String)], sourceLocation: SourceLocation = #_sourceLocation) {
        guard let mismatch = mismatch(in: rows) else { return }
        Issue.record(Comment(rawValue: mismatch), sourceLocation: sourceLocation)
    }
}

/// The test image: byte i is i mod 251.
enum SecureSubject {
    static let initPacket = (0..<140).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }

    static func image(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

    static func firmware(
        _ count: Int = 4100, initPacket: [UInt8] = initPacket, isSigned: Bool = true
    ) -> SecureImage {
        SecureImage(
            initPacket: initPacket, bytes: image(count), isSigned: isSigned, firmwareVersion: 7,
            hardwareVersion: 52, softDevices: [0x98, 0x100])
    }
}
