import Bluetooth
import Simulation
import TestSupport
import UpdateModel

@testable import Dialog

extension FuzzTarget {
    /// Packets of a SUOTA client to devices, and their answers.
    static let suota = [suotaReceiver, suotaAnswers]

    /// The first byte chooses the receiver. The rest is a row of writes, each with its target in its first byte.
    private static let suotaReceiver = FuzzTarget("suota-receiver", seeds: { receiverScripts }) { input in
        let kinds = SUOTAPersonality.named.sorted { $0.key < $1.key }.map(\.value)
        var device = FuzzedReceiver(kinds[Int(input.first ?? 0) % kinds.count])
        for packet in Script(Array(input.dropFirst())).packets {
            try device.take(packet.first ?? 0, Array(packet.dropFirst()))
        }
        try device.restart()
    }

    /// The first byte chooses the image and what the device reports of itself, the second the number of correct
    /// answers. The rest is a row of answers, repeated: an empty one means no answer, and a lone FF the end of the
    /// link.
    private static let suotaAnswers = FuzzTarget("suota-answers", seeds: { answerScripts }) { input in
        let choice = Int(input.first ?? 0)
        let family = HeaderFamily.allCases[choice % HeaderFamily.allCases.count]
        var talk = FuzzedTalk(
            try image(family), showsAll: choice & 0x10 != 0, offersChannel: choice & 0x20 != 0,
            honest: Int(input.dropFirst().first ?? 0), Script(Array(input.dropFirst(2))).packets)
        try talk.run()
    }

    private static func image(_ family: HeaderFamily) throws -> SUOTAImage {
        let chip: SUOTAPersonality.Family =
            switch family {
            case .da1458x: .da1458x
            case .da1468x: .da1468x
            case .da1469x: .da1469x
            }
        let firmware = SUOTAFirmware(version: "2.0.0", payload: (0..<400).map { UInt8($0 & 0xFF) })
        return try SUOTAImage(parsing: firmware.stored(chip))
    }

    private static let receiverScripts: [[UInt8]] = {
        let image = SUOTAFirmware(version: "2.0.0", payload: [UInt8](repeating: 7, count: 100))
        return SUOTAPersonality.named.sorted { $0.key < $1.key }.enumerated().map { number, kind in
            let upload = image.stored(kind.value.family)
            let trailer = upload.reduce(0, ^)
            let start: [[UInt8]] = [[0, 0, 0, 0, 0x13], [1, 0, 3, 6, 5], [2, 100, 0]]
            let chunks = stride(from: 0, to: upload.count, by: 20).map {
                [3] + upload[$0..<min($0 + 20, upload.count)]
            }
            let end: [[UInt8]] = [
                [2, UInt8(upload.count % 100 + 1), 0], [3, trailer], [0, 0, 0, 0, 0xFE], [0, 0, 0, 0, 0xFD],
                [5],
            ]
            return [UInt8(number)] + Script.input(start + chunks + end)
        } + [
            [7]
                + Script.input([[0, 0, 0, 0, 0x13], [4] + image.stored(.da1468x), [0, 0, 0, 0, 0xFE], [5]]),
            [1]
                + Script.input([
                    [0, 3, 0, 0, 0x13], [0, 0, 0, 0, 0xFE], [2, 0, 0], [3, 1], [6], [0, 0, 0, 0, 0xFF],
                ]),
        ]
    }()

    private static let answerScripts: [[UInt8]] = {
        let rows: [[[UInt8]]] = [
            [[0x10], [2]], [[2], []], [[], [2], [0xF0, 0, 0, 0]], [[0x10], [0xFF]], [[4]], [[0x15]],
            [[0x18], [2], [0, 0, 0, 0]], [[1, 0, 0, 0], [2], []], [[0x77]],
        ]
        return rows.enumerated().flatMap { number, row in
            [0, 0x11, 0x32].map { [UInt8($0 + number % 3), UInt8(number * 3)] + Script.input(row) }
        }
    }()
}

/// A receiver under any writes, with its invariants.
private struct FuzzedReceiver {
    private var receiver: any SUOTAReceiver
    private var now = Duration.zero
    private var ends = 0
    /// The running image was selected for overwriting, or a second one sent over the first: then none may be left.
    private var isAtRisk = false

    init(_ personality: SUOTAPersonality) {
        receiver = personality.receiver()
        receiver.connect(at: now)
    }

    mutating func take(_ purpose: UInt8, _ value: [UInt8]) throws(Violation) {
        // Half of them come while flash is busy.
        if purpose & 0x80 == 0 { now = receiver.idle(at: now) }
        let targets: [SUOTATarget] = [.memoryDevice, .pinMap, .patchLength, .patchData]
        switch Int(purpose & 0x7F) % 7 {
        case let number where number < 4:
            let (target, before) = (targets[number], receiver.record)
            note(target, value)
            let reply = receiver.write(value, to: target, at: now)
            try hold(reply)
            if target == .patchLength, value == [0, 0] {
                try demand(
                    receiver.record.brokenRules.count > before.brokenRules.count, "a length of 0 passes")
            }
            if receiver.record.ends > before.ends, receiver.status == 2 { ends += 1 }
        case 4:
            guard receiver.personality.psm != nil else { return }
            let reply = receiver.channel(value, at: now)
            try hold(reply)
        case 5: try restart()
        default:
            if let due = receiver.disconnect(at: now) {
                now = max(now, due)
                try restart()
            } else {
                receiver.connect(at: now)
            }
        }
    }

    private mutating func note(_ target: SUOTATarget, _ value: [UInt8]) {
        guard target == .memoryDevice, value.count == 4, value[3] == 0x12 || value[3] == 0x13 else { return }
        if value[0..<3] != [0, 0, 0] || ends > 0 { isAtRisk = true }
    }

    private func hold(_ reply: SUOTAReply) throws(Violation) {
        // A shortened length triggers answers for earlier bytes.
        try demand(
            reply.reactions.count <= max(1, receiver.record.bytes), "\(reply.reactions.count) answers")
        for case .notify(let status, let due) in reply.reactions {
            try demand(status.count == 1 && ReceiverStatus(rawValue: status[0]) != nil, "\(status)")
            try demand(due >= now, "an answer before its write")
        }
        try demand(Int(receiver.memoryInfo) <= receiver.record.bytes, "more than was sent")
    }

    /// The image that starts is whole: a stream never touches the running one, and a 58x only what it was told to.
    mutating func restart() throws(Violation) {
        let boot = receiver.reset(at: now)
        now += boot.time
        let mayBeRuined = receiver.personality.family == .da1458x && isAtRisk
        try demand(boot.isAlive || mayBeRuined, "nothing starts")
        ends = 0
        receiver.connect(at: now)
    }
}

/// The client's side of a conversation with arbitrary answers.
private struct FuzzedTalk {
    private var procedure: SUOTAProcedure
    private let image: SUOTAImage
    private let showsAll: Bool
    private let offersChannel: Bool
    private var honest: Int
    private let script: [[UInt8]]
    private var next = 0
    private var lostLinks = 0
    // Of the present link.
    private var hasStarted = false
    private var ends = 0
    private var position = 0
    private var length = 0

    init(_ image: SUOTAImage, showsAll: Bool, offersChannel: Bool, honest: Int, _ script: [[UInt8]]) {
        procedure = SUOTAProcedure(image)
        self.image = image
        self.showsAll = showsAll
        self.offersChannel = offersChannel
        self.honest = honest
        self.script = script
    }

    /// As many links as the procedure requests, which must not be many.
    mutating func run() throws(Violation) {
        for _ in 0..<16 {
            (hasStarted, ends, position, length) = (false, 0, 0, 0)
            do throws(UpdateFailure) {
                if try overOneLink() { return }
            } catch {
                try hold(error)
                guard error.mayReconnect else { return }
            }
            if let broken { throw broken }
            _ = procedure.disconnectMeaning
        }
        try demand(false, "requests new links without end")
    }

    private var broken: Violation?

    private func hold(_ failure: UpdateFailure) throws(Violation) {
        if let broken { throw broken }
        try demand(!failure.message.isEmpty && !failure.during.isEmpty, "a failure without text")
    }

    /// Returns whether it is over.
    private mutating func overOneLink() throws(UpdateFailure) -> Bool {
        var step = try procedure.begin(on: LinkFacts(maximumWriteLength: 244))
        for _ in 0..<4000 {
            if broken != nil { return false }
            if case .end(.complete(let completion)) = step.command {
                // Over a link that does not end, only the version can confirm that.
                if completion.isConfirmed, ends == 0, hasStarted {
                    broken = Violation(description: "done unasked")
                }
                return broken == nil
            }
            let outcome = outcome(of: step.command)
            guard let outcome else { return false }
            if outcome != .timedOut {
                procedure.note(CommandTimes(started: .zero, ended: .milliseconds(next & 1)))
            }
            step = try procedure.advance(after: outcome)
        }
        broken = Violation(description: "requests without end")
        return false
    }

    /// Nil at the end of the link.
    private mutating func outcome(of command: UpdateCommand) -> DialogueOutcome? {
        do throws(Violation) {
            switch command {
            case .read(let source): return read(source)
            case .request(let bytes, _, _, _):
                try hold(bytes)
                return answer(bytes == MemoryDeviceCommand.end.bytes ? [2] : [0x10])
            case .expect: return answer([2])
            case .write(let bytes, SUOTAService.patchLength, _):
                length = bytes.count == 2 ? Int(bytes[0]) | Int(bytes[1]) << 8 : 0
                try demand(length > 0, "a length of 0")
            case .stream(let run): try hold(run)
            case .open: return offersChannel ? .opened(maximumPacket: next % 300) : .refused(status: nil)
            default: break
            }
            return .done
        } catch {
            broken = error
            return nil
        }
    }

    private mutating func hold(_ word: [UInt8]) throws(Violation) {
        if word == MemoryDeviceCommand.end.bytes {
            ends += 1
            try demand(hasStarted && ends == 1, "the end, out of order")
            let whole = image.bytes.count + (length > 0 ? 1 : 0)
            try demand(position == whole, "the end after \(position) bytes of \(whole)")
        } else {
            try demand(!hasStarted, "a second start")
            hasStarted = true
        }
    }

    private mutating func hold(_ run: PacketRun) throws(Violation) {
        let end = position + run.bytes.count
        try demand(hasStarted && ends == 0 && run.payload?.position == position, "bytes out of order")
        try demand((1...2048).contains(run.packetLength), "packets of \(run.packetLength)")
        let upload = image.bytes + [image.trailer]
        try demand(end <= upload.count && run.bytes.elementsEqual(upload[position..<end]), "other bytes")
        if run.target != .channel {
            try demand(run.bytes.count == length || end == upload.count, "less than a block")
        }
        position = end
    }

    private mutating func read(_ source: Characteristic) -> DialogueOutcome? {
        switch source {
        case SUOTAService.status: return answer([2]).map { $0 == .timedOut ? .absent : $0 }
        case SUOTAService.memoryInformation:
            let count = UInt32(truncatingIfNeeded: procedure.expectedCount)
            return answer((0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) })
                .map { $0 == .timedOut ? .absent : $0 }
        case SUOTAService.version where showsAll: return .value([13])
        case SUOTAService.patchDataSize where showsAll: return .value([244, 0])
        case SUOTAService.psm where offersChannel: return .value([0x81, 0])
        default: return .absent
        }
    }

    /// The correct answers while there are some left, then the script, repeated.
    private mutating func answer(_ truth: [UInt8]) -> DialogueOutcome? {
        honest -= 1
        if honest >= 0 { return .value(truth) }
        guard !script.isEmpty else { return .timedOut }
        next += 1
        let packet = script[(next - 1) % script.count]
        if packet == [0xFF], lostLinks < 5 {
            lostLinks += 1
            return nil
        }
        return packet.isEmpty ? .timedOut : .value(packet)
    }
}
