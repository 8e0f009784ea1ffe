import Bluetooth
import MCUboot
import TestSupport
import UpdateBench
import UpdateModel

@testable import Simulation

extension FuzzTarget {
    /// Both ends of SMP.
    static let smp = [smpFrame, smpPieces, smpSession, smpUpdate, smpServer]

    /// A frame, and CBOR alone.
    private static let smpFrame = FuzzTarget("smp-frame", seeds: { SMPTalk.good.frames }) { input in
        if let frame = try? SMPFrame(parsing: input) {
            let again = try? SMPFrame(parsing: frame.bytes)
            try demand(again == frame, "a frame that reads as \(String(describing: again))")
        }
        guard let value = try? CBORValue(parsing: input[...]) else { return }
        let again = try? CBORValue(parsing: value.encoded[...])
        try demand(again == value, "a value that reads as \(String(describing: again))")
        try demand(value.encoded.count <= input.count, "\(value.encoded.count) bytes of \(input.count)")
    }

    /// A row of notifications that are joined.
    private static let smpPieces = FuzzTarget("smp-pieces", seeds: { [Script.input(SMPTalk.good.heard)] }) {
        input in
        var (reassembly, taken) = (SMPReassembly(), 0)
        for packet in Script(input).packets {
            taken += packet.count
            guard let bytes = try? reassembly.add(packet) else { continue }
            try demand(
                bytes.count >= SMPFrame.headerLength && bytes.count <= taken,
                "a frame of \(bytes.count) bytes")
            try demand(reassembly.isEmpty, "a rest after a frame")
            taken = 0
        }
    }

    /// A row of notifications for the questions of a session.
    private static let smpSession = FuzzTarget("smp-session", seeds: { SMPTalk.answers }) { input in
        let packets = Script(input).packets
        var peer = NotifyingPeer(packets)
        guard let found = try peer.hold(SMPQuery(), { (_) throws(Violation) in }) else { return }
        try demand(found.slots?.count ?? 0 <= 32, "\(found.slots?.count ?? 0) slots")
        try demand(found.slots == nil || found.refusal == nil, "slots and a refusal")
        guard let report = try peer.hold(SMPReading(of: found), { (_) throws(Violation) in }) else { return }
        try demand(report.sizes.count <= 64, "\(report.sizes.count) sizes")
        for text in [report.bootloader, report.board, report.application].compactMap(\.self) {
            try demand(!text.unicodeScalars.contains { $0.value < 0x20 }, "a text with control characters")
        }
        _ = report.reading
    }

    /// The first byte chooses the files, the second what the user wants. The rest is a row of notifications:
    /// an empty one is silence, a lone FF the end of the link.
    private static let smpUpdate = FuzzTarget("smp-update", seeds: { try SMPTalk.conversations() }) { input in
        var script = SMPScript(
            Int(input.first ?? 0), Int(input.dropFirst().first ?? 0),
            Script(Array(input.dropFirst(2))).packets)
        try script.play()
    }

    /// The first byte chooses the beacon. The rest is a row of writes; an empty one ends the link, and a lone
    /// FF takes the power away.
    private static let smpServer = FuzzTarget("smp-server", mutations: 150, seeds: { SMPTalk.writes }) {
        input in
        var device = try SMPTalk.device(Int(input.first ?? 0))
        var now = Duration.zero
        var link = device.connect(at: now)
        for packet in Script(Array(input.dropFirst())).packets {
            now += .milliseconds(50)
            if packet.isEmpty || packet == [0xFF] {
                _ = device.disconnect(at: now)
                if packet == [0xFF] { now += device.reset(at: now) }
                link = device.connect(at: now)
                continue
            }
            var reactions = device.receive(SMPTalk.packet(packet, on: link), by: &link, at: now)
            if let due = device.announcementDue {
                now = max(now, due)
                reactions += device.announce(by: &link, at: now)
            }
            for case .notify(let value, _, _, _) in reactions {
                try demand(value.count <= link.agreedMTU - 3, "\(value.count) bytes in a notification")
            }
            let images = device.server.state()["images"]?.list ?? []
            try demand(images.count <= 4, "\(images.count) images")
        }
        // Whatever was written, something starts.
        _ = device.reset(at: now + .seconds(60))
        try demand(device.runningImage != nil, "no image starts")
    }
}

/// An update by a beacon that sends the packets of a script, whatever the requests, and then nothing.
private struct SMPScript {
    /// Linked for slot 1 of the beacons, for the modes that start images where they are.
    static let files = [
        MCUbootTestImage(400, flags: 0x100, loadAddress: 0x4000),
        MCUbootTestImage(300, image: 1, flags: 0x100, loadAddress: 0x8000),
    ]

    private let uploads: [ImageUpload]
    private let length: Int
    private let payload: [UInt8]
    private var update: SMPUpdate
    private var rows: ArraySlice<[UInt8]>
    /// The bytes of all notifications, and those over the present link.
    private var heard: [UInt8] = []
    private var heardNow: [UInt8] = []
    /// The ends of what was sent, in all files.
    private var ends: Set<Int> = []
    private var now = Duration.zero

    /// More steps than any update by a beacon that sends so little.
    private static let mostSteps = 20_000
    private static let mostLinks = 6

    init(_ files: Int, _ wishes: Int, _ rows: [[UInt8]]) {
        uploads = Self.files.prefix(1 + files & 1).map(\.upload)
        payload = uploads.flatMap(\.bytes)
        length = [244, 20, 60, 495][files >> 1 & 3]
        var preferences = SMPPreferences()
        preferences.confirmation = Confirmation.allCases[wishes % Confirmation.allCases.count]
        preferences.erasesStorage = wishes & 0x10 != 0
        preferences.window = wishes & 0x20 != 0 ? 1 + wishes % 7 : nil
        preferences.risks = wishes & 0x40 != 0 ? [.sameVersion, .lowerVersion] : []
        update = SMPUpdate(uploads, preferences)
        self.rows = rows[...]
    }

    mutating func play() throws(Violation) {
        for _ in 0..<Self.mostLinks {
            heardNow = []
            do throws(UpdateFailure) {
                if try link() { return }
            } catch {
                if let broken { throw broken }
                try demand(error.code != .system.internalError, "\(error)")
                try demand(!error.message.isEmpty && !error.during.isEmpty, "a failure without text")
                guard error.mayReconnect else { return }
            }
            if let broken { throw broken }
            _ = update.disconnectMeaning
        }
    }

    private var broken: Violation?

    /// Returns whether the update is over.
    private mutating func link() throws(UpdateFailure) -> Bool {
        var step = try update.begin(on: LinkFacts(maximumWriteLength: length))
        for _ in 0..<Self.mostSteps {
            if step.notices.contains(.detail(.rebootSent)) { checkRestart() }
            var outcome = DialogueOutcome.done
            var took = Duration.milliseconds(3)
            switch step.command {
            case .end(.complete(let completion)):
                check(completion)
                return true
            case .end: return false
            case .stream(let run): check(run)
            case .expect(_, let time):
                let row = rows.popFirst() ?? []
                if row == [0xFF] { return false }
                outcome = row.isEmpty ? .timedOut : .value(row)
                if row.isEmpty { took = time }
                (heard, heardNow) = (heard + row, heardNow + row)
            default: break
            }
            if broken != nil { return false }
            update.note(CommandTimes(started: now, ended: now + took))
            now += took
            step = try update.advance(after: outcome)
        }
        broken = Violation(description: "requests without end")
        return false
    }

    private mutating func check(_ run: PacketRun) {
        guard let span = run.payload else { return }
        let bytes = run.bytes.dropFirst(span.header)
        let end = span.position + bytes.count
        guard span.position >= 0, end <= payload.count, payload[span.position..<end].elementsEqual(bytes)
        else {
            broken = Violation(
                description: "\(bytes.count) bytes at \(span.position) that are not the image's")
            return
        }
        ends.insert(end)
    }

    /// The beacon is told to start the images: all of them were sent, or are in its list.
    private mutating func checkRestart() {
        var end = 0
        for upload in uploads {
            end += upload.bytes.count
            guard ends.contains(end) || heard.contains(upload.hash) else {
                broken = Violation(description: "a restart before the \(upload.title) was sent")
                return
            }
        }
    }

    private mutating func check(_ completion: Completion) {
        guard let first = uploads.first, completion.proof == nil || heardNow.contains(first.hash) else {
            broken = Violation(description: "done without a list over this link")
            return
        }
    }
}

/// A good update of a simulated beacon, as values, for seeds.
struct SMPTalk {
    private(set) var frames: [[UInt8]] = []
    private(set) var heard: [[UInt8]] = []
    private(set) var sent: [[UInt8]] = []
    private var isComplete = false

    static let good = SMPTalk(choice: 0)
    private static let all = (0..<8).map(SMPTalk.init(choice:))

    static func conversations() throws(Violation) -> [[UInt8]] {
        try demand(all.allSatisfy(\.isComplete), "updates that do not end well")
        return all.enumerated().map { [UInt8($0.offset >> 2), 0] + Script.input($0.element.heard) }
    }
    static var writes: [[UInt8]] {
        all.enumerated().map { [UInt8($0.offset)] + Script.input($0.element.sent) }
    }

    /// The answers of a beacon to the questions of a session.
    static var answers: [[UInt8]] {
        (0..<8).compactMap { choice in
            guard var device = try? device(choice) else { return nil }
            let requests: [SMPRequest] = [
                .imageState, .parameters, .bootloader, .bootloaderMode, .slotInformation,
                .applicationInformation("i"), .applicationInformation("a"),
            ]
            return Script.input(
                requests.enumerated().flatMap { number, request in
                    device.server.answers(to: request.frame(sequence: UInt8(number)).bytes, at: .zero)
                })
        }
    }

    /// A beacon with small slots: bits 0 and 1 choose manner and bootloader, bit 2 a second image.
    static func device(_ choice: Int) throws(Violation) -> MCUbootDevice {
        guard let address = DeviceAddress("DD:34:02:06:5B:60") else {
            throw Violation(description: "no address")
        }
        var description = MCUbootDescription(address: address)
        description.slotSize = 8192
        description.timing = .instant
        description.bootloader.mode = [.swapMove, .swapMove, .overwriteOnly, .directXIP][choice & 3]
        description.server.implementation = choice & 3 == 1 ? .mynewt : .zephyr
        description.server.reassembles = choice & 3 == 2
        if choice & 4 != 0 { description.images = [.init(), .init()] }
        return MCUbootDevice(description, at: .zero)
    }

    /// A write of `value`: with a first byte of 0x12 or 0x02 a packet of the Attribute Protocol as it is.
    static func packet(_ value: [UInt8], on link: AttributeServer) -> [UInt8] {
        if let first = value.first, first == 0x12 || first == 0x02 { return value }
        let handle = link.attributes.last { $0.type == AttributeTable.smpCharacteristic }?.handle ?? 0
        return [0x52, UInt8(truncatingIfNeeded: handle), UInt8(truncatingIfNeeded: handle >> 8)] + value
    }

    private init(choice: Int) {
        guard var device = try? Self.device(choice) else { return }
        var update = SMPUpdate(SMPScript.files.prefix(1 + choice >> 2 & 1).map(\.upload))
        var now = Duration.zero
        for _ in 0..<3 {
            var link = device.connect(at: now)
            send([0x02, 0xF7, 0], to: &device, &link, at: now)
            guard var step = try? update.begin(on: LinkFacts(maximumWriteLength: 244)) else { return }
            var queue: [[UInt8]] = []
            for _ in 0..<1000 {
                now += .milliseconds(10)
                var outcome = DialogueOutcome.done
                switch step.command {
                case .end(.complete):
                    isComplete = true
                    return
                case .subscribe:
                    let handle =
                        link.attributes.last { $0.type == AttributeTable.smpCharacteristic }?.handle ?? 0
                    queue += send(
                        [0x12, UInt8(truncatingIfNeeded: handle + 1), 0, 1, 0], to: &device, &link, at: now)
                case .stream(let run):
                    frames.append(Array(run.bytes))
                    queue += send(Array(run.bytes), to: &device, &link, at: now)
                case .expect:
                    outcome = queue.isEmpty ? .timedOut : .value(queue.removeFirst())
                    if case .value(let value) = outcome { heard.append(value) } else { heard.append([]) }
                default: break
                }
                if case .end = step.command { break }
                guard let next = try? update.advance(after: outcome) else { return }
                step = next
            }
            heard.append([0xFF])
            sent.append([0xFF])
            _ = device.disconnect(at: now)
            now += device.reset(at: now)
        }
    }

    @discardableResult private mutating func send(
        _ value: [UInt8], to device: inout MCUbootDevice, _ link: inout AttributeServer, at now: Duration
    ) -> [[UInt8]] {
        sent.append(value)
        var reactions = device.receive(Self.packet(value, on: link), by: &link, at: now)
        if device.announcementDue != nil { reactions += device.announce(by: &link, at: now) }
        let values = reactions.compactMap { reaction -> [UInt8]? in
            if case .notify(let value, _, _, _) = reaction { value } else { nil }
        }
        frames += values
        return values
    }
}
