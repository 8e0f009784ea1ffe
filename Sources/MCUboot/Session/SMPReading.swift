package import UpdateModel

/// Reads what a beacon reports about itself besides its images. All facts are optional: a beacon may refuse a
/// request, or never answer it (docs/protocols/mcuboot-smp.md, Commands).
package struct SMPReading: SessionDialogue {
    package typealias Ending = SMPReport

    private enum Query: CaseIterable {
        case parameters, bootloader, mode, sizes, board, application

        var request: SMPRequest {
            switch self {
            case .parameters: .parameters
            case .bootloader: .bootloader
            case .mode: .bootloaderMode
            case .sizes: .slotInformation
            // The hardware platform, which is Zephyr's name of the board.
            case .board: .applicationInformation("i")
            case .application: .applicationInformation("a")
            }
        }
    }

    static let step = "reading what the beacon reports"
    /// How long to wait for one answer. Connection intervals may be up to 4 s, but no known beacon uses such.
    static let limit = Duration.seconds(2)
    /// The number of requests without an answer after which no more are sent.
    private static let mostSilences = 2

    private var report: SMPReport
    private var queries = Query.allCases[...]
    private var sequence: UInt8
    private var silences = 0
    private var exchange: SMPExchange?
    private var reassembly = SMPReassembly()
    private var link = LinkFacts(maximumWriteLength: 20)

    package init(of peer: SMPPeer) { (report, sequence) = (SMPReport(peer), peer.sequence) }

    package mutating func begin(on link: LinkFacts) throws(SessionFailure) -> Step {
        (self.link, report, sequence) = (link, SMPReport(report.peer), report.peer.sequence)
        (queries, silences, reassembly) = (Query.allCases[...], 0, SMPReassembly())
        return try ask()
    }

    package mutating func note(_ times: CommandTimes) { exchange?.note(times) }

    package mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        guard var exchange else { return Step(.end(report)) }
        let step: SMPExchange.Step
        do throws(SessionFailure) {
            step = try exchange.advance(after: outcome)
            self.exchange = exchange
        } catch {
            // An invalid answer counts as no answer.
            self.exchange = exchange
            return try ended(.silence)
        }
        return try follow(step)
    }

    private mutating func ask() throws(SessionFailure) -> Step {
        guard silences < Self.mostSilences, let query = queries.first else {
            exchange = nil
            return Step(.end(report))
        }
        var exchange = SMPExchange(
            query.request, sequence: sequence, within: Self.limit, during: Self.step, after: reassembly)
        sequence &+= 1
        let step = exchange.begin(on: link)
        self.exchange = exchange
        return try follow(step)
    }

    private mutating func follow(_ step: SMPExchange.Step) throws(SessionFailure) -> Step {
        try step.asPart { (reply) throws(SessionFailure) in try ended(reply) }
    }

    private mutating func ended(_ reply: SMPExchange.Ending) throws(SessionFailure) -> Step {
        if let exchange { reassembly = exchange.reassembly }
        guard let query = queries.popFirst() else { return Step(.end(report)) }
        switch reply {
        case .answer(let content, _): store(content, of: query)
        case .silence: silences += 1
        case .refusal: break
        }
        // Only MCUboot has modes. The last two queries are one command with two formats.
        if query == .bootloader, report.bootloader != "MCUboot" { queries.removeFirst() }
        if query == .board, report.board == nil { queries = [] }
        return try ask()
    }

    private mutating func store(_ content: CBORMap, of query: Query) {
        switch query {
        case .parameters:
            report.bufferSize = content.count("buf_size", upTo: SMPFrame.headerLength + 0xFFFF)
            report.bufferCount = content.count("buf_count", upTo: 0xFFFF)
        case .bootloader: report.bootloader = content.text("bootloader").flatMap(DeviceText.plain)
        case .mode:
            report.mode = content.integer("mode").flatMap(BootloaderMode.init)
            report.refusesDowngrades = content.flag("no-downgrade")
        case .sizes: report.sizes = SlotSize.sizes(in: content)
        case .board: report.board = content.text("output").flatMap(DeviceText.plain)
        case .application: report.application = content.text("output").flatMap(DeviceText.plain)
        }
    }
}

extension CBORMap {
    /// The number in the member `key`; nil unless it is from 1 to `most`.
    fileprivate func count(_ key: String, upTo most: Int) -> Int? {
        integer(key).flatMap { (1...most).contains($0) ? $0 : nil }
    }
}

package struct SlotSize: Equatable, Sendable {
    package let image: Int
    /// The slot within the image, 0 or 1.
    package let slot: Int
    /// In bytes.
    package let size: Int

    /// The sizes in the answer to ``SMPRequest/slotInformation``; slots without a valid size are left out.
    static func sizes(in content: CBORMap) -> [SlotSize] {
        let images = content.list("images")?.prefix(16) ?? []
        return images.flatMap { (value) -> [SlotSize] in
            guard case .map(let entry) = value, let slots = entry.list("slots") else { return [] }
            let image = entry.integer("image") ?? 0
            return slots.prefix(4).compactMap { value in
                guard case .map(let slot) = value, let number = slot.integer("slot"),
                    let size = slot.count("size", upTo: Int(UInt32.max)), (0...255).contains(number),
                    (0...255).contains(image)
                else { return nil }
                return SlotSize(image: image, slot: number, size: size)
            }
        }
    }
}
