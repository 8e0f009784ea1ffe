import Bluetooth
import TestSupport
import Testing
import UpdateModel

@testable import Nordic

/// A Legacy conversation in short words: an outcome, and the procedure's next command.
///
/// The device has no Device Information, and the script skips the query for its version.
/// Outcomes: `done`, `absent`, `timeout`, or the hexadecimal text of a value, in which `prn 160` means a receipt of
/// that many bytes and `has 160` the answer to the query for them.
/// Commands: `subscribe`, `read`, `write 0104`, `ask 04`, `listen`, `packet 0c00`, `send 0..<160`, `rest 1000`,
/// `complete`, `complete unconfirmed`, `restart`, `restart for transfer-stalled`; or `fail no-answer`.
struct LegacyScript {
    let image: LegacyImage
    var procedure: LegacyProcedure
    private(set) var notices: [UpdateNotice] = []
    private(set) var failure: UpdateFailure?
    private(set) var limit: Duration?
    private(set) var completion: Completion?
    private let receiver: Receiver

    init(_ image: LegacyImage? = nil, receipts: Int? = nil, to receiver: Receiver = .bootloader) throws {
        self.receiver = receiver
        let image = try image ?? LegacySubject.firmware()
        self.image = image
        procedure = LegacyProcedure(image, receiptInterval: receipts)
    }

    mutating func begin() throws -> String {
        procedure.receiver = receiver
        return text(try procedure.begin(on: LinkFacts(maximumWriteLength: 244)))
    }

    /// A new link to a device of SDK 7 and later, up to Start.
    mutating func connect(version: String = "0800") throws {
        #expect(try begin() == "subscribe")
        expect([("done", "read"), (version, "write 01\(image.mode.hex)"), ("done", "packet \(sizes)")])
        #expect(after("done") == "listen")
    }

    /// Up to the first packets of the image.
    mutating func reachImage(interval: String = "0800", first: Range<Int>? = nil) throws {
        try connect()
        expect([
            ("100101", "write 0200"), ("done", "packet \(LegacySubject.initPacket)"), ("done", "ask 0201"),
            ("100201", "write 08\(interval)"), ("done", "write 03"),
            ("done", "rest 100"), ("done", "send \(first ?? 0..<min(160, image.bytes.count))"),
        ])
    }

    private var sizes: String { image.sizes.map { UInt32($0).bytes.hex }.joined() }

    mutating func after(_ words: String) -> String {
        do throws(UpdateFailure) { return text(try procedure.advance(after: outcome(words))) } catch {
            failure = error
            return "fail \(error.code)" + (error.mayReconnect ? ", again" : "")
        }
    }

    mutating func expect(_ rows: [(String, String)], sourceLocation: SourceLocation = #_sourceLocation) {
        for (number, row) in rows.enumerated() {
            let command = after(row.0)
            #expect(command == row.1, "row \(number + 1), after \(row.0)", sourceLocation: sourceLocation)
            guard command == row.1 else { return }
        }
    }

    /// The notices since the last call.
    mutating func takeNotices() -> [UpdateNotice] {
        defer { notices = [] }
        return notices
    }

    private func outcome(_ words: String) -> DialogueOutcome {
        let parts = words.split(separator: " ").map(String.init)
        let number = UInt32(parts.count > 1 ? parts[1] : "") ?? 0
        switch parts.first {
        case "done": return .done
        case "absent": return .absent
        case "timeout": return .timedOut
        case "prn": return .value([0x11] + number.bytes)
        case "has": return .value([0x10, 7, 1] + number.bytes)
        default: return .value([UInt8](hex: words))
        }
    }

    private mutating func text(_ step: UpdateStep) -> String {
        notices += step.notices
        let control = LegacyService.controlPoint
        switch step.command {
        case .subscribe(control): return "subscribe"
        case .read(LegacyService.version): return "read"
        case .readIfAllowed(LegacyProcedure.firmwareRevision): return after("absent")
        case .write(let bytes, control, false): return "write \(bytes.hex)"
        case .request(let bytes, control, control, let limit):
            self.limit = limit
            return "ask \(bytes.hex)"
        case .expect(control, let limit):
            self.limit = limit
            return "listen"
        case .stream(let run): return text(run)
        case .rest(let length): return "rest \(Int(length / .milliseconds(1)))"
        case .end(.complete(let completion)):
            self.completion = completion
            return completion.isConfirmed ? "complete" : "complete unconfirmed"
        case .end(.restart(let restart)):
            return restart.repeating.map { "restart for \($0.code)" } ?? "restart"
        default: return "\(step.command)"
        }
    }

    private func text(_ run: PacketRun) -> String {
        guard run.target == .characteristic(LegacyService.packet), run.packetLength == 20 else {
            return "wrong packets"
        }
        guard let position = run.payload?.position else { return "packet \(Array(run.bytes).hex)" }
        let range = run.bytes.indices
        guard image.bytes[range] == run.bytes, position == range.lowerBound else { return "wrong bytes" }
        return "send \(range)"
    }
}

/// The images that the Legacy tests send.
enum LegacySubject {
    static let initPacket = "5200afadffffffff0100b6007f29"

    static func firmware(
        _ count: Int = 400, role: FirmwareRole = .application, initPacket: String? = initPacket
    ) throws -> LegacyImage {
        LegacyImage(
            role: role, bytes: Subject.image(count),
            initPacket: try initPacket.map { try LegacyInitPacket(parsing: [UInt8](hex: $0)) },
            softDeviceSize: role == .softdeviceBootloader ? 100 : nil,
            bootloaderSize: role == .softdeviceBootloader ? count - 100 : nil)
    }
}

extension UInt8 {
    fileprivate var hex: String { [self].hex }
}
