package import UpdateModel

/// One request over SMP and its answer (docs/protocols/mcuboot-smp.md, Frames).
///
/// The request is written without response; the answer comes in one or several notifications. A device may still answer
/// an earlier request: such a frame is recognised by operation, group, command and sequence number, and skipped.
package struct SMPExchange: SessionDialogue {
    package enum Ending: Equatable, Sendable {
        /// The content; `version` is the number in the header, 0 for version 1.
        case answer(CBORMap, version: UInt8)
        case refusal(SMPError, version: UInt8)
        /// No answer came in time. A device without a free buffer drops a request, and old devices do not answer
        /// requests that they do not support.
        case silence
    }

    private enum Stage { case idle, finding, subscribing, sending, waiting }

    /// The maximum number of skipped frames: more than any device sends as late answers.
    static let maximumSkipped = 16
    /// The maximum number of notifications: enough for the longest frame in pieces of 20 bytes.
    static let maximumPieces = SMPReassembly.longestFrame / 20 + 100

    private let request: SMPRequest
    private let sequence: UInt8
    private let limit: Duration
    private let step: String
    private let subscribes: Bool
    /// The received part of a frame. The next exchange continues it, because the rest may still arrive.
    private(set) var reassembly: SMPReassembly
    private var stage = Stage.idle
    private var link = LinkFacts(maximumWriteLength: 20)
    private var waited = Duration.zero
    private var (pieces, skipped) = (0, 0)
    /// Why received bytes were not a valid frame; nil if all were.
    private var frameError: SMPFrameError?

    /// Sends `request` with the number `sequence`, and waits up to `limit` for the whole answer. The first exchange of
    /// a link subscribes to answers; later ones take the `reassembly` of the one before. Failures mention `step`.
    package init(
        _ request: SMPRequest, sequence: UInt8, within limit: Duration, during step: String,
        subscribing subscribes: Bool = false, after reassembly: SMPReassembly = SMPReassembly()
    ) {
        (self.request, self.sequence, self.limit, self.step) = (request, sequence, limit, step)
        (self.subscribes, self.reassembly) = (subscribes, reassembly)
    }

    package mutating func begin(on link: LinkFacts) -> Step {
        (self.link, waited, pieces, skipped, frameError) = (link, .zero, 0, 0, nil)
        guard subscribes else { return send() }
        (stage, reassembly) = (.finding, SMPReassembly())
        return Step(.find(SMPService.characteristic))
    }

    package mutating func note(_ times: CommandTimes) {
        if stage == .waiting { waited += times.ended - times.started }
    }

    package mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        switch (stage, outcome) {
        case (.finding, .done):
            stage = .subscribing
            return Step(.subscribe(SMPService.characteristic))
        case (.subscribing, .done): return send()
        case (.sending, .done):
            stage = .waiting
            return wait()
        case (.waiting, .value(let piece)): return try receive(piece)
        case (.waiting, _): return try handleTimeout()
        default: throw failure(.session.notOffered, "the beacon does not offer SMP")
        }
    }

    private mutating func send() -> Step {
        stage = .sending
        return .streaming(
            request.frame(sequence: sequence).bytes[...], to: SMPService.characteristic,
            inPacketsOf: max(link.maximumWriteLength, 1))
    }

    private func wait() -> Step { Step(.expect(from: SMPService.characteristic, within: limit - waited)) }

    private mutating func receive(_ piece: [UInt8]) throws(SessionFailure) -> Step {
        pieces += 1
        guard pieces <= Self.maximumPieces else {
            throw failure(.session.answerTooLong, "the beacon's answer does not end")
        }
        do throws(SMPFrameError) {
            if let bytes = try reassembly.add(piece) {
                let frame = try SMPFrame(parsing: bytes)
                if request.isAnswered(by: frame, sequence: sequence) { return Step(.end(ending(frame))) }
                skipped += 1
            }
        } catch {
            frameError = error
            skipped += 1
        }
        guard skipped <= Self.maximumSkipped else {
            throw failure(
                .session.answerMalformed,
                frameError.map { "the beacon's answers are not valid: \($0)" }
                    ?? "the beacon sends answers to other requests only")
        }
        return waited < limit ? wait() : try handleTimeout()
    }

    private func ending(_ frame: SMPFrame) -> Ending {
        SMPError(in: frame.content).map { .refusal($0, version: frame.version) }
            ?? .answer(frame.content, version: frame.version)
    }

    private func handleTimeout() throws(SessionFailure) -> Step {
        if let frameError {
            throw failure(.session.answerMalformed, "the beacon's answer is not valid: \(frameError)")
        }
        guard reassembly.isEmpty else {
            throw failure(.session.answerMalformed, "the beacon's answer is incomplete")
        }
        return Step(.end(.silence))
    }

    private func failure(_ code: FailureCode, _ message: String) -> SessionFailure {
        SessionFailure(code, during: step, message)
    }
}
