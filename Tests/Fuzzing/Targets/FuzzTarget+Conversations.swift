import Bluetooth
import FaultTable
import Nordic
import Simulation
import UpdateBench
import UpdateModel

extension FuzzTarget {
    /// Whole updates with misbehaving devices.
    static let conversations = [secureConversation, updater]

    /// The first byte chooses bootloader and link, the second the number of correct answers. The rest is a row of
    /// answers, repeated: an empty one means no answer, and a lone FF the end of the link.
    private static let secureConversation = FuzzTarget(
        "secure-conversation", seeds: { answerScripts }
    ) { input in
        var talk = try SecureTalk(
            choice: Int(input.first ?? 0), honest: Int(input.dropFirst().first ?? 0),
            Script(Array(input.dropFirst(2))).packets)
        try talk.run()
    }

    /// The first byte chooses the beacon; every three that follow are a fault and its place.
    private static let updater = FuzzTarget("updater", mutations: 60, seeds: { faultScripts }) { input in
        let columns = AttributeFaultColumn.all
        let column = columns[Int(input.first ?? 0) % columns.count]
        let bytes = Array(input.dropFirst().prefix(3 * 6))
        let faults = stride(from: 0, to: bytes.count - 2, by: 3).map {
            fault(bytes[$0], Int(bytes[$0 + 1]) << 8 | Int(bytes[$0 + 2]))
        }
        let attempt = try await column.attempt(under: faults)
        switch attempt.outcome {
        case .right, .rightUnseen: break
        case .failed(let code):
            try demand(code != "internal-error", "\(attempt.told)")
            try demand(!code.isEmpty, "a failure without a code")
        case .falseSuccess, .endless, .ruined, .forbidden:
            try demand(false, "\(attempt.outcome) under \(faults)")
        }
    }

    private static func fault(_ kind: UInt8, _ number: Int) -> Fault {
        let place = 1 + number % 128
        let simple: [Fault] = [
            .cut(beforePacket: place), .cut(afterPacket: place), .losePacket(place),
            .loseNotification(place), .doubleNotification(place), .reorderNotification(place),
            .delayNotification(place, by: .milliseconds(number)), .nordic(.corruptChecksum(place)),
            .silence(fromPacket: place), .slowBootloader(.milliseconds(number)),
        ]
        let kind = Int(kind) % (simple.count + AttributeFault.all.count)
        guard kind >= simple.count else { return simple[kind] }
        return .attributeFault(AttributeFault.all[kind - simple.count], fromPacket: place)
    }

    private static let answerScripts: [[UInt8]] = {
        let rows: [[[UInt8]]] = [
            [[0x60, 4, 1]], [[0x60, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0]], [[], [0xFF]], [[0x60, 1, 5]],
            [[0x60, 6, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
            [[0x60, 6, 1] + [UInt8](repeating: 0xFF, count: 12)],
            [[0x60, 4, 0x0B, 7], [0x60, 4, 1]], [[0x60, 3, 1], [0x60, 2, 1], [0x60]], [[0x60, 0, 1, 2], []],
        ]
        return rows.enumerated().flatMap { number, row in
            [0, 7, 0x13].map { [UInt8($0 + number % 3), UInt8(number * 2)] + Script.input(row) }
        }
    }()

    /// Every kind of fault once, combined with another.
    private static let faultScripts: [[UInt8]] = (0..<43).map { (kind: UInt8) -> [UInt8] in
        let other = kind &* 7 % 43
        return [kind % 5, kind, 0, kind &* 3, other, 0, 20, 1, 0, kind]
    }
}

/// A conversation of Secure DFU with a bootloader that behaves correctly for a while.
private struct SecureTalk {
    private let image: SecureImage
    private var procedure: SecureProcedure
    private var bootloader: any Bootloader
    private let limit: Int
    private var honest: Int
    private let script: [[UInt8]]
    private var next = 0
    private var lostLinks = 0
    private var now = Duration.zero
    /// Notifications of the correct bootloader that were not received yet.
    private var said: [[UInt8]] = []
    private var streamed = 0
    /// The last answer was one to an Execute, and reported success.
    private var isExecuted = false

    init(choice: Int, honest: Int, _ script: [[UInt8]]) throws {
        let personalities: [SecurePersonality] = [
            .sdk12_3, .sdk14_2, .sdk15_0, .sdk15_3, .sdk16_0, .sdk17_1,
        ]
        guard let address = DeviceAddress("F0:0D:BE:AC:00:00") else {
            throw Violation(description: "no address")
        }
        var description = NordicDescription(address: address)
        description.personality = personalities[choice % personalities.count]
        description.softDevice = 0x98
        description.timing = .instant
        bootloader = description.freshBootloader
        bootloader.connect(at: .zero)
        image = TestFirmware(count: 4096 + 100, isSigned: true).secureImage
        procedure = SecureProcedure(image, receiptInterval: choice & 0x40 != 0 ? choice & 7 : nil)
        limit = [20, 244, 512, 4][choice >> 4 & 3]
        self.honest = honest
        self.script = script
    }

    /// As many links as an update would open with progress on each.
    mutating func run() throws {
        for _ in 0..<16 {
            do throws(UpdateFailure) {
                if try overOneLink() { return }
            } catch {
                if let broken { throw broken }
                try demand(!error.message.isEmpty && !error.during.isEmpty, "a failure without text")
                guard error.mayReconnect else { return }
            }
            if let broken { throw broken }
            _ = procedure.disconnectMeaning
            bootloader.disconnect(at: now)
            bootloader.connect(at: now)
            said = []
        }
    }

    private var broken: Violation?

    /// Returns whether it is over.
    private mutating func overOneLink() throws(UpdateFailure) -> Bool {
        var step = try procedure.begin(on: LinkFacts(maximumWriteLength: limit))
        for _ in 0..<8000 {
            if case .end(.complete(let completion)) = step.command {
                if completion.isConfirmed, !isExecuted { broken = Violation(description: "done unasked") }
                return broken == nil
            }
            guard let outcome = outcome(of: step.command), broken == nil else { return false }
            procedure.note(
                CommandTimes(started: now, acknowledged: now, ended: now + .milliseconds(next & 63)))
            now += .milliseconds(next & 63)
            step = try procedure.advance(after: outcome)
        }
        broken = Violation(description: "requests without end")
        return false
    }

    /// Nil at the end of the link.
    private mutating func outcome(of command: UpdateCommand) -> DialogueOutcome? {
        switch command {
        case .read: return .absent
        case .request(let bytes, _, _, _):
            said = []
            hear(bootloader.controlPoint(bytes, at: now))
            let outcome = answer()
            if case .value(let value) = outcome { isExecuted = value.starts(with: [0x60, 0x04, 0x01]) }
            return outcome
        case .expect:
            let outcome = answer()
            if case .value(let value) = outcome { isExecuted = value.starts(with: [0x60, 0x04, 0x01]) }
            return outcome
        case .stream(let run): return hold(run)
        case .rest(let time):
            now += max(.zero, time)
            return .done
        default: return .done
        }
    }

    private mutating func hold(_ run: PacketRun) -> DialogueOutcome? {
        streamed += run.bytes.count
        let source = run.payload?.position == nil ? image.initPacket : image.bytes
        let start = run.payload?.position ?? 0
        let isThere =
            (run.payload?.position).map { $0 >= 0 && $0 + run.bytes.count <= image.bytes.count } ?? true
        let isRight =
            run.payload?.position == nil
            ? run.bytes.count <= source.count
            : isThere && run.bytes.elementsEqual(source[start..<start + run.bytes.count])
        guard isRight, (1...512).contains(run.packetLength), streamed < 100 * image.bytes.count else {
            broken = Violation(
                description: "\(run.bytes.count) bytes that are not the image's, or too many")
            return nil
        }
        for place in stride(
            from: run.bytes.startIndex, to: run.bytes.endIndex, by: run.packetLength)
        {
            let end = min(place + run.packetLength, run.bytes.endIndex)
            hear(bootloader.packet(Array(run.bytes[place..<end]), at: now))
        }
        return .done
    }

    private mutating func hear(_ reactions: [FirmwareReaction]) {
        for case .notify(let value, let due) in reactions {
            said.append(value)
            now = max(now, due)
        }
    }

    /// The correct answers while there are some left, then the script, repeated.
    private mutating func answer() -> DialogueOutcome? {
        honest -= 1
        if honest >= 0 || script.isEmpty { return said.isEmpty ? .timedOut : .value(said.removeFirst()) }
        next += 1
        let packet = script[(next - 1) % script.count]
        if packet == [0xFF], lostLinks < 5 {
            lostLinks += 1
            return nil
        }
        return packet.isEmpty ? .timedOut : .value(packet)
    }
}
