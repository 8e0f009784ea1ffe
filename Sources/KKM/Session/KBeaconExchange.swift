package import UpdateModel

/// One message to a KBeacon whose session is open, and its complete answer (kbeacon.md, Acks).
///
/// A message is sent in pieces, each when the beacon requests it. An answer may follow the last ack,
/// be sent in separate reports, or start in an ack and continue in reports. A binary answer
/// of the second generation is one frame or several, and ends when the beacon reports completion.
package struct KBeaconExchange: SessionDialogue {
    /// The answer's bytes, of all its frames; empty if the beacon reports only completion.
    package typealias Ending = [UInt8]

    package enum Form: Sendable {
        case text
        case binary(KBeaconGeneration)

        var isText: Bool { if case .text = self { true } else { false } }
        var command: KBeaconPacket.Kind { isText ? .command : .binaryCommand }
        var report: KBeaconPacket.Kind { isText ? .report : .binaryReport }
        /// Whether an answer may have several frames: then the last packet of a report ends only its frame, and cause 0
        /// or 6 ends the answer. Other answers end with the last packet of their report, or with cause 0.
        var hasFrames: Bool { if case .binary(.second) = self { true } else { false } }
    }

    private enum State: Equatable {
        case idle
        /// The piece from `offset` was sent; `isRepeated` if the beacon has already requested it again.
        case sending(from: Int, isRepeated: Bool)
        case waiting
        /// Part of the answer is acknowledged; `isLast` if it was the last one.
        case acknowledging(isLast: Bool)
    }

    /// How long a beacon may take for the next packet.
    package static let commandLimit = Duration.seconds(15)
    /// How often a beacon may announce another frame without sending it.
    static let maximumExtensions = 8
    /// The maximum number of packets out of order.
    static let maximumStrays = 32
    /// The first byte of binary reports that contain log text.
    private static let logText: UInt8 = 0x10
    /// The maximum total time, however often something arrives.
    static let longest = Duration.seconds(120)
    /// The longest frame of either generation, in bytes.
    static let longestFrame = 4096
    /// The longest accepted answer, in bytes.
    static let longestAnswer = 1 << 16

    private let message: [UInt8]
    private let form: Form
    private let dataLength: Int
    private let limit: Duration
    private let step: String
    private var state = State.idle
    /// The completed frames of the answer.
    private(set) var answer: [UInt8] = []
    /// The received part of the current frame.
    private(set) var frame: [UInt8]?
    /// Whether all of `frame` came in an ack; then a report may send it again from its start.
    private var isFromAck = false
    /// The latest completed frame.
    private var lastFrame: [UInt8]?
    /// Whether a packet arrived too early and the one before it is still missing.
    private var hasGap = false
    /// The time waited for the next packet, and in total.
    private var waited = Duration.zero
    private var elapsed = Duration.zero
    private var extensions = 0
    private var strays = 0
    /// The offset of the packet that was last ignored as a duplicate.
    private var lastDuplicate: Int?

    /// Sends `message` as `terms` allow, and waits `limit` for each packet of the answer; failures mention `step`.
    package init(
        _ message: [UInt8], _ form: Form = .text, on terms: KBeaconHandshake.Terms,
        within limit: Duration = Self.commandLimit, during step: String
    ) {
        (self.message, self.form, self.limit, self.step) = (message, form, limit, step)
        dataLength = terms.dataLength
    }

    /// The link's packet size is part of the terms already.
    package mutating func begin(on link: LinkFacts) -> Step { begin() }

    mutating func begin() -> Step {
        (answer, frame, isFromAck, lastFrame, hasGap) = ([], nil, false, nil, false)
        (waited, elapsed, extensions, strays, lastDuplicate) = (.zero, .zero, 0, 0, nil)
        return send(from: 0)
    }

    package mutating func note(_ times: CommandTimes) {
        waited += times.ended - times.started
        elapsed += times.ended - times.started
    }

    package mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        switch (state, outcome) {
        case (.sending, .value(let bytes)), (.waiting, .value(let bytes)): return try receive(bytes)
        case (.acknowledging(let isLast), .done):
            guard !isLast else { return ending }
            state = .waiting
            return try expect()
        case (_, .timedOut): throw failure(.device.noAnswer, "the beacon did not answer in time")
        default: throw failure(.session.answerMalformed, "unexpected outcome \(outcome) in state \(state)")
        }
    }

    private mutating func receive(_ bytes: [UInt8]) throws(SessionFailure) -> Step {
        guard let packet = KBeaconPacket(bytes) else {
            throw failure(
                .session.answerMalformed, "the received data is not a session packet (\(bytes.count) bytes)")
        }
        switch packet.kind {
        case form.command:
            guard let ack = KBeaconAck(packet) else {
                throw failure(.session.answerMalformed, "an ack of \(bytes.count) bytes is too short")
            }
            return try receive(ack)
        case form.report: return try receive(packet)
        // Log text, or an unsolicited report.
        default: return try ignore()
        }
    }

    private mutating func receive(_ ack: KBeaconAck) throws(SessionFailure) -> Step {
        switch ack.cause {
        case .nextPacket: return try proceed(to: ack.offset)
        case .executing:
            // If an answer has already started, this packet is a duplicate.
            guard frame == nil, lastFrame == nil else { return try ignore() }
            state = .waiting
            guard !ack.data.isEmpty else { return try expect() }
            try addToFrame(ack.data, begins: true)
            isFromAck = true
            return acknowledge(isLast: false)
        case .moreToFollow:
            try checkGap()
            guard extensions < Self.maximumExtensions else {
                throw failure(.device.noAnswer, "the beacon keeps requesting more time")
            }
            (extensions, waited) = (extensions + 1, .zero)
            return try expect()
        case .done:
            guard !ack.data.isEmpty else { return try end() }
            guard frame == nil || isFromAck else { throw unfinished }
            try addToFrame(ack.data, begins: true)
            return try end()
        case .complete:
            // It ends only answers with frames. It may also arrive after the end, while the next message is sent.
            if !form.hasFrames { return try ignore() }
            if case .sending = state, frame == nil, lastFrame == nil { return try ignore() }
            return try end()
        default: throw ack.cause.failure(during: step)
        }
    }

    private mutating func proceed(to offset: Int) throws(SessionFailure) -> Step {
        guard case .sending(let sent, let isRepeated) = state, offset < message.count else {
            state = .waiting
            return try expect()
        }
        // The first repeated request of a piece may be a duplicated ack.
        if offset <= sent, !isRepeated {
            state = .sending(from: sent, isRepeated: true)
            return try ignore()
        }
        return send(from: offset)
    }

    private mutating func receive(_ packet: KBeaconPacket) throws(SessionFailure) -> Step {
        let isLast = packet.tag == .end || packet.tag == .single
        let begins = packet.tag == .start || packet.tag == .single && packet.offset == 0
        if packet.data.isEmpty, !isLast { return try ignore() }
        if packet.kind == .binaryReport, begins, packet.data.first == Self.logText { return try ignore() }
        let isNext =
            begins ? packet.offset == 0 && (frame == nil || isFromAck) : packet.offset == frame?.count
        guard isNext else { return try handleUnexpected(packet, begins: begins) }
        try addToFrame(packet.data, begins: begins)
        guard isLast else { return acknowledge(isLast: false) }
        let count = frame?.count ?? 0
        try completeFrame()
        return acknowledge(upTo: count, isLast: !form.hasFrames)
    }

    /// Handles a packet that is not the next one. Data received before is ignored once as a duplicate; if it comes again,
    /// the beacon has missed the ack. If data comes too early, the missing packet is requested.
    private mutating func handleUnexpected(_ packet: KBeaconPacket, begins: Bool) throws(SessionFailure)
        -> Step
    {
        let held = frame ?? lastFrame ?? []
        let isDuplicate = held.dropFirst(packet.offset).starts(with: packet.data)
        if isDuplicate, lastDuplicate != packet.offset {
            lastDuplicate = packet.offset
            return try ignore()
        }
        guard isDuplicate || !begins || frame == nil else { throw unfinished }
        (lastDuplicate, hasGap) = (nil, hasGap || !isDuplicate)
        try countStray()
        state = .acknowledging(isLast: false)
        return write(
            KBeaconAck(form.report, upTo: isDuplicate ? held.count : frame?.count ?? 0, .outOfSequence))
    }

    private mutating func addToFrame(_ data: ArraySlice<UInt8>, begins: Bool) throws(SessionFailure) {
        let begun = begins ? [] : frame ?? []
        (extensions, waited, isFromAck, lastDuplicate, hasGap) = (0, .zero, false, nil, false)
        guard begun.count + data.count <= Self.longestFrame else {
            throw failure(
                .session.answerTooLong, "a part of the answer is longer than \(Self.longestFrame) bytes")
        }
        frame = begun + data
    }

    /// Completes the frame. A frame that equals the previous one is a duplicate, because each contains another position
    /// of the next records.
    private mutating func completeFrame() throws(SessionFailure) {
        guard let frame else { return }
        self.frame = nil
        guard frame != lastFrame else { return try countStray() }
        guard answer.count + frame.count <= Self.longestAnswer else {
            throw failure(.session.answerTooLong, "the answer is longer than \(Self.longestAnswer) bytes")
        }
        answer += frame
        lastFrame = frame
    }

    /// Ends the answer. Any incomplete frame belongs to it; the parser finds out whether it is complete.
    private mutating func end() throws(SessionFailure) -> Step {
        try checkGap()
        try completeFrame()
        return ending
    }

    /// Throws if the beacon continues, or ends, without the missing packet.
    private func checkGap() throws(SessionFailure) {
        guard !hasGap else { throw failure(.session.answerMalformed, "a packet of the answer is missing") }
    }

    private mutating func acknowledge(upTo count: Int? = nil, isLast: Bool) -> Step {
        state = .acknowledging(isLast: isLast)
        return write(KBeaconAck(form.report, upTo: count ?? frame?.count ?? 0))
    }

    private func write(_ ack: KBeaconAck) -> Step { Step(.write(ack.bytes, on: KBeaconService.requests)) }

    private mutating func send(from offset: Int) -> Step {
        state = .sending(from: offset, isRepeated: false)
        waited = .zero
        let piece = KBeaconPacket(form.command, of: message, from: offset, length: dataLength)
        return Step(
            .request(
                piece.bytes, on: KBeaconService.requests, answerOn: KBeaconService.answers, within: limit))
    }

    private mutating func ignore() throws(SessionFailure) -> Step {
        try countStray()
        return try expect()
    }

    private mutating func countStray() throws(SessionFailure) {
        strays += 1
        guard strays <= Self.maximumStrays else {
            throw failure(
                .session.answerMalformed, "the beacon keeps sending data that does not belong to the answer")
        }
    }

    private func expect() throws(SessionFailure) -> Step {
        guard waited < limit, elapsed < Self.longest else {
            throw failure(.device.noAnswer, "the beacon did not answer in time")
        }
        return Step(.expect(from: KBeaconService.answers, within: limit - waited))
    }

    private var ending: Step { Step(.end(answer)) }

    private var unfinished: SessionFailure {
        failure(.session.answerMalformed, "a part of the answer begins before the previous one has ended")
    }

    private func failure(_ code: FailureCode, _ message: String) -> SessionFailure {
        SessionFailure(code, during: step, message)
    }
}

/// Several messages to a KBeacon whose session is open, one after another (kbeacon.md, Acks).
package typealias KBeaconExchanges = ExchangeSeries<KBeaconExchange>

extension KBeaconExchanges {
    /// One message; the series fails if `peer` refuses it.
    init(_ message: KBeaconMessage, to peer: KBeaconQuery.Peer, during step: String) {
        self.init([Part(KBeaconExchange(message.bytes, on: peer.terms, during: step))])
    }
}
