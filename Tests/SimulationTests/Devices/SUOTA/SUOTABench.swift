import Bytes
import Simulation

/// A SUOTA receiver on a bench: writes like those of a client, and time that waits for flash.
struct SUOTABench {
    var receiver: any SUOTAReceiver
    var now = Duration.zero
    var statuses: [UInt8] = []
    var refusals = 0
    var disconnects = 0

    init(_ personality: SUOTAPersonality = .da14585, _ change: (inout SUOTABoard) -> Void = { _ in }) {
        var board = SUOTABoard(personality)
        change(&board)
        var timed = personality
        timed.timing = .instant
        receiver = timed.receiver(board)
        receiver.connect(at: now)
    }

    /// The same with the real flash timing.
    init(timed personality: SUOTAPersonality) {
        receiver = personality.receiver()
        receiver.connect(at: now)
    }

    /// One write; time passes until it is answered.
    mutating func write(_ value: [UInt8], to target: SUOTATarget) {
        take(receiver.write(value, to: target, at: now))
    }

    mutating func take(_ reply: SUOTAReply) {
        if reply.refusal != nil { refusals += 1 }
        for reaction in reply.reactions {
            switch reaction {
            case .notify(let value, let due):
                statuses += value
                now = max(now, due)
            case .disconnect: disconnects += 1
            case .reset: break
            }
        }
    }

    mutating func command(_ word: String) { write(hex(word), to: .memoryDevice) }

    mutating func length(_ length: Int) {
        write([UInt8(length & 0xFF), UInt8(length >> 8)], to: .patchLength)
    }

    mutating func data(_ bytes: some Sequence<UInt8>, chunk: Int = 20) {
        let bytes = Array(bytes)
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            write(Array(bytes[start..<min(start + chunk, bytes.count)]), to: .patchData)
        }
    }

    mutating func start(_ word: String = "00000013", pins: String = "00030605") {
        command(word)
        write(hex(pins), to: .pinMap)
    }

    /// All of `upload` in blocks, up to END, without it.
    mutating func send(_ upload: [UInt8], block: Int = 240, chunk: Int = 20) {
        var told = 0
        for start in stride(from: 0, to: upload.count, by: block) {
            let part = upload[start..<min(start + block, upload.count)]
            if part.count != told { length(part.count) }
            told = part.count
            data(part, chunk: chunk)
        }
    }

    /// A whole regular update.
    mutating func update(_ upload: [UInt8], block: Int = 240, chunk: Int = 20) {
        start()
        send(upload, block: block, chunk: chunk)
        command("000000fe")
    }

    /// REBOOT, and the next start.
    mutating func reboot() -> SUOTABoot.Image? {
        command("000000fd")
        guard let due = receiver.disconnect(at: now) else { return nil }
        return receiver.reset(at: due).image
    }

    /// Power off and on.
    func afterPowerLoss() -> SUOTABoot {
        var copy = receiver
        return copy.reset(at: now)
    }

    var statusText: String { HexText.encode(statuses) }
    var errors: [SUOTARule] { receiver.record.brokenRules }

    /// The first 64 bytes of a bank.
    func header(_ bank: Int) -> [UInt8] {
        let start = receiver.personality.banks[bank - 1]
        return receiver.flash.content(start..<start + 64)
    }
}

/// The images of the fact tables, composed field by field.
enum SUOTAImages {
    /// 00 to FF, four times.
    static let payload = (0..<1024).map { UInt8($0 & 0xFF) }
    static let fields = "264c0bb7312e322e3300ffffffffffffffffffff00f15365"
    static let header58x =
        hex("7051aaff00040000" + fields + "00") + [UInt8](repeating: 0xFF, count: 31)
    static let header68x = hex("7061000000040000" + fields + "24000000")
    static let header69x = hex("517100040000" + fields + "00040000")

    static let file58x = header58x + payload
    static let file68x = header68x + payload
    static let file69x = header69x + [UInt8](repeating: 0xFF, count: 0x400 - 34) + payload

    static let upload1089 = withTrailer(file58x)
    static let upload1061 = withTrailer(file68x)

    static let extended =
        withTrailer(hex("7061000000040000" + fields + "40000000") + (1...28).map { UInt8($0) } + payload)

    static func withTrailer(_ file: [UInt8]) -> [UInt8] { file + [XORChecksum.checksum(file[...])] }

    /// `file` with the bytes at `offset` replaced.
    static func changed(_ file: [UInt8], at offset: Int, _ bytes: [UInt8]) -> [UInt8] {
        var file = file
        file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return file
    }

    /// A 58x image of any size whose CRC is right.
    static func image58x(_ payload: [UInt8], version: String = "2.0.0", timestamp: UInt32 = 7) -> [UInt8] {
        var writer = ByteWriter([0x70, 0x51, 0xAA, 0xFF])
        writer.integer(UInt32(payload.count))
        writer.integer(CRC32.checksum(payload))
        let text = Array(version.utf8)
        writer.append(text + [0] + [UInt8](repeating: 0xFF, count: 15 - text.count))
        writer.integer(timestamp)
        writer.append([0] + [UInt8](repeating: 0xFF, count: 31))
        return writer.bytes + payload
    }
}
