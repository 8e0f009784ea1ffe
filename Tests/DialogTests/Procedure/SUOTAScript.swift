import Bluetooth
import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import Dialog

/// A SUOTA conversation in short words: an outcome, and the procedure's next command.
///
/// Outcomes: `opened 120`; `has 240` is a count in 4 bytes.
/// Commands: `read version`, `subscribe`, `ask 00000013`, `pins 00030605`, `length 240`, `send 0..<240 by 20`, `pour
/// 0..<1060 by 118`, `open 0x81`, `listen 5000`, `write 000000fd`.
struct SUOTAScript: DialogueScript {
    let image: SUOTAImage
    var played: PlayedDialogue<SUOTAProcedure>

    init(_ image: SUOTAImage? = nil, _ preferences: SUOTAPreferences = SUOTAPreferences()) throws {
        let image = try image ?? SUOTASubject.image()
        self.image = image
        played = PlayedDialogue(unbegun: SUOTAProcedure(image, preferences), pace: .milliseconds(30))
    }

    mutating func begin(maximumWriteLength: Int = 244) -> String {
        do throws(UpdateFailure) { return try begin(writing: maximumWriteLength) } catch {
            return text(error)
        }
    }

    /// A new link, up to the command after the last value that is read.
    mutating func identify(
        _ device: [String: String] = [:], maximumWriteLength: Int = 244
    ) -> String {
        var command = begin(maximumWriteLength: maximumWriteLength)
        while command.hasPrefix("read "),
            let name = SUOTASubject.asked.first(where: { command == "read \($0)" })
        {
            command = after(device[name] ?? "absent")
        }
        return command
    }

    /// Up to the first packets.
    mutating func reachBlocks(
        _ device: [String: String] = [:], start: String = "00000013", pins: String = "00030605",
        length: Int = 240,
        _ first: String = "send 0..<240 by 20", sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(identify(device) == "subscribe", sourceLocation: sourceLocation)
        expect(
            [
                ("done", "ask \(start)"), ("10", "pins \(pins)"), ("done", "length \(length)"),
                ("done", first),
            ], sourceLocation: sourceLocation)
    }

    /// Up to the last status of a block, and past it.
    mutating func reachEnd(_ device: [String: String] = [:]) {
        reachBlocks(device)
        expect(Self.blocks + [("02", "read count"), ("has 1088", "ask 000000fe")])
    }

    /// The steps between the first packets and the last status of the 1089 bytes.
    static let blocks = [
        ("done", "listen 5000"), ("02", "send 240..<480 by 20"), ("done", "listen 5000"),
        ("02", "send 480..<720 by 20"), ("done", "listen 5000"), ("02", "send 720..<960 by 20"),
        ("done", "listen 5000"), ("02", "length 129"), ("done", "send 960..<1089 by 20"),
        ("done", "listen 5000"),
    ]

    func outcome(_ words: [String]) -> DialogueOutcome? {
        switch words.first {
        case "opened": .opened(maximumPacket: Int(words[1]) ?? 0)
        case "has": .value((UInt32(words[1]) ?? 0).bytes)
        default: nil
        }
    }

    func text(_ command: UpdateCommand) -> String? {
        let (memory, status) = (SUOTAService.memoryDevice, SUOTAService.status)
        return switch command {
        case .subscribe(status): "subscribe"
        case .read(let source): "read \(SUOTASubject.names[source] ?? "something else")"
        case .request(let bytes, memory, status, .seconds(5)): "ask \(bytes.hex)"
        case .write(let bytes, SUOTAService.pins, false): "pins \(bytes.hex)"
        case .write(let bytes, SUOTAService.patchLength, false) where bytes.count == 2:
            "length \(Int(bytes[0]) | Int(bytes[1]) << 8)"
        case .write(let bytes, memory, true): "write \(bytes.hex)"
        case .open(let psm, .seconds(5)): "open \(HexText.number(psm))"
        case .expect(status, let limit): "listen \(Int(limit / .milliseconds(1)))"
        case .stream(let run): text(run)
        default: nil
        }
    }

    private func text(_ run: PacketRun) -> String {
        let range = run.bytes.indices
        let upload = image.bytes + [image.trailer]
        guard range.upperBound <= upload.count, upload[range] == run.bytes,
            run.payload?.position == range.lowerBound
        else { return "wrong bytes" }
        switch run.target {
        case .channel: return "pour \(range) by \(run.packetLength)"
        case .characteristic(SUOTAService.patchData): return "send \(range) by \(run.packetLength)"
        default: return "wrong target"
        }
    }
}

/// The images that the procedure's tests send, and their receivers.
enum SUOTASubject {
    static let asked = [
        "manufacturer", "model", "firmware revision", "software revision", "version", "size", "mtu", "psm",
    ]

    static let names: [Characteristic: String] = [
        information(0x2A29): "manufacturer", information(0x2A24): "model",
        information(0x2A26): "firmware revision", information(0x2A28): "software revision",
        SUOTAService.version: "version", SUOTAService.patchDataSize: "size", SUOTAService.mtu: "mtu",
        SUOTAService.psm: "psm", SUOTAService.status: "status", SUOTAService.memoryInformation: "count",
    ]

    /// A receiver of SDK 6 with a large MTU, and a DA1468x with a channel.
    static let sdk6 = ["version": "0d", "size": "f400", "mtu": "f700"]
    static let da1468x = ["version": "0d", "size": "f400", "mtu": "f700", "psm": "8100"]

    private static func information(_ number: UInt16) -> Characteristic {
        Characteristic(BluetoothUUID(0x180A), BluetoothUUID(number))
    }

    /// The vector of a family: 1088 bytes for 58x, 1060 for 68x, 2048 for 69x; or one whose payload has `count` bytes.
    static func image(_ family: HeaderFamily = .da1458x, payload count: Int? = nil) throws -> SUOTAImage {
        let vector = try #require(ImageVector.all.first { $0.family == family })
        guard let count else { return try #require(vector.recipe).image() }
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let header: ImageRecipe.Header =
            switch family {
            case .da1458x: .da1458x()
            case .da1468x: .da1468x(payloadOffset: 36)
            case .da1469x: .da1469x(payloadOffset: 34)
            }
        let recipe = ImageRecipe(
            header, version: try #require(ImageVersion("1.2.3")), timestamp: 1_700_000_000, payload: payload)
        return try recipe.image()
    }
}

extension DialogueScript {
    mutating func expect(_ rows: [(String, String)], sourceLocation: SourceLocation = #_sourceLocation) {
        guard let mismatch = mismatch(in: rows) else { return }
        Issue.record(Comment(rawValue: mismatch), sourceLocation: sourceLocation)
    }
}
