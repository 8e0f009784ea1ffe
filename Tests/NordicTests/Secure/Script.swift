import Bluetooth
import Bytes
import Nordic
import TestSupport
import Testing
import UpdateModel

/// A conversation in short words, so that a test is a table: an outcome, and the procedure's next command.
///
/// Outcomes: `done`, `timeout`, or the hexadecimal text of a notification, in which `crc 4096` means the checksum
/// answer of a device that has so much of the image, `init 140` of the init packet, `hold 1 512 …` a Select answer with
/// that maximum and progress.
/// Commands: `subscribe`, `ask 0601`, `listen`, `init 0..<140`, `send 0..<244`, `rest 379`, `complete`, `complete
/// unconfirmed`; or `fail no-answer`. A table that does not test pacing has `rest` for any length above 0.
struct Script {
    let image: SecureImage
    var procedure: SecureProcedure
    private(set) var notices: [UpdateNotice] = []
    private(set) var failure: UpdateFailure?
    private(set) var limits: [Duration] = []

    init(_ image: SecureImage = Subject.firmware(), receipts: Int? = 0) {
        self.image = image
        procedure = SecureProcedure(image, receiptInterval: receipts)
    }

    /// The first command on a new link, skipping the procedure's steps up to Select(init).
    mutating func begin(payload: Int = 244) throws -> String {
        text(try procedure.begin(on: LinkFacts(maximumWriteLength: payload)))
    }

    /// A new link, up to the answer to Select(init).
    mutating func connect(payload: Int = 244, receipts: String = "0000") throws {
        #expect(try begin(payload: payload) == "subscribe")
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

    mutating func after(_ words: String) -> String {
        do {
            return text(try procedure.advance(after: outcome(words)))
        } catch {
            failure = error
            return "fail \(error.code)"
        }
    }

    mutating func expect(_ rows: [(String, String)], sourceLocation: SourceLocation = #_sourceLocation) {
        for (number, row) in rows.enumerated() {
            let command = whole(after(row.0), as: row.1)
            let isAnyRest =
                row.1 == "rest" && command.hasPrefix("rest ") && (Int(command.dropFirst(5)) ?? 0) > 0
            #expect(
                isAnyRest || command == row.1, "row \(number + 1), after \(row.0)",
                sourceLocation: sourceLocation)
            guard isAnyRest || command == row.1 else { return }
        }
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
    mutating func goOn(until command: String) throws {
        for _ in 0..<1000 where after("done") == command { return }
        throw UpdateFailure(.device.unexpectedAnswer, during: "the test", message: "it never says \(command)")
    }

    /// The notices since the last call.
    mutating func takeNotices() -> [UpdateNotice] {
        defer { notices = [] }
        return notices
    }

    private func outcome(_ words: String) -> DialogueOutcome {
        let parts = words.split(separator: " ").map(String.init)
        func number(_ index: Int) -> Int { index < parts.count ? Int(parts[index]) ?? 0 : 0 }
        func progress(_ offset: Int, of source: [UInt8]) -> [UInt8] {
            UInt32(truncatingIfNeeded: offset).bytes
                + CRC32.checksum(source[..<min(offset, source.count)]).bytes
        }
        switch parts.first {
        case "done": return .done
        case "timeout": return .timedOut
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
        default: return .value([UInt8](hex: words))
        }
    }

    private mutating func text(_ step: UpdateStep) -> String {
        notices += step.notices
        switch step.command {
        case .subscribe(SecureService.controlPoint): return "subscribe"
        case .request(let bytes, SecureService.controlPoint, SecureService.controlPoint, let limit):
            limits.append(limit)
            return "ask \(bytes.hex)"
        case .expect(SecureService.controlPoint, let limit):
            limits.append(limit)
            return "listen"
        case .stream(let run):
            let range = run.bytes.indices
            let source = run.payload?.position == nil ? image.initPacket : image.bytes
            guard run.target == .characteristic(SecureService.packet), source[range] == run.bytes
            else {
                return "wrong bytes"
            }
            if let position = run.payload?.position, position != range.lowerBound { return "wrong position" }
            return (run.payload?.position == nil ? "init" : "send") + " \(range)"
        case .rest(let length): return "rest \(Int((length / .milliseconds(1)).rounded()))"
        case .end(.complete(let completion)):
            return completion.isConfirmed ? "complete" : "complete unconfirmed"
        case .end(.restart(let restart)):
            return restart.repeating.map { "restart for \($0.code)" } ?? "restart"
        default: return "\(step.command)"
        }
    }
}
