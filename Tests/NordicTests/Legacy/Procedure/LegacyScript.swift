import Bluetooth
import TestSupport
import Testing
import UpdateModel

@testable import Nordic

/// A Legacy conversation in short words: an outcome, and the procedure's next command.
///
/// The script skips the query for the version in Device Information, which the device has only if `revision` is set.
/// Outcomes: `prn 160` is a receipt of that many bytes, `has 160` the answer to the query for them.
/// Commands: `subscribe`, `read`, `write 0104`, `ask 04`, `listen`, `packet 0c00`, `send 0..<160`.
struct LegacyScript: DialogueScript {
    let image: LegacyImage
    var played: PlayedDialogue<LegacyProcedure>
    private let receiver: Receiver
    var revision: String?

    init(_ image: LegacyImage? = nil, receipts: Int? = nil, to receiver: Receiver = .bootloader) throws {
        self.receiver = receiver
        let image = try image ?? LegacySubject.firmware()
        self.image = image
        played = PlayedDialogue(unbegun: LegacyProcedure(image, receiptInterval: receipts))
    }

    mutating func begin() throws -> String {
        procedure.receiver = receiver
        return try begin(writing: 244)
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

    func outcome(_ words: [String]) -> DialogueOutcome? {
        let number = UInt32(words.count > 1 ? words[1] : "") ?? 0
        return switch words.first {
        case "prn": .value([0x11] + number.bytes)
        case "has": .value([0x10, 7, 1] + number.bytes)
        default: nil
        }
    }

    func omittedOutcome(of command: UpdateCommand) -> DialogueOutcome? {
        guard command == .readIfAllowed(.firmwareRevision) else { return nil }
        return revision.map { .value(Array($0.utf8)) } ?? .absent
    }

    func text(_ command: UpdateCommand) -> String? {
        let control = LegacyService.controlPoint
        return switch command {
        case .subscribe(control): "subscribe"
        case .read(LegacyService.version): "read"
        case .write(let bytes, control, false): "write \(bytes.hex)"
        case .request(let bytes, control, control, _): "ask \(bytes.hex)"
        case .expect(control, _): "listen"
        case .stream(let run): text(run)
        default: nil
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
            role: role, bytes: SecureSubject.image(count),
            initPacket: try initPacket.map { try LegacyInitPacket(parsing: [UInt8](hex: $0)) },
            softDeviceSize: role == .softdeviceBootloader ? 100 : nil,
            bootloaderSize: role == .softdeviceBootloader ? count - 100 : nil)
    }
}

extension UInt8 {
    fileprivate var hex: String { [self].hex }
}
