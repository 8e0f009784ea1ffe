import Bluetooth
package import UpdateModel

/// Opens a KBeacon's session and reads its identity: the handshake, then the common parameters, in the form of
/// either generation (kbeacon.md, Generations).
package struct KBeaconQuery: SessionDialogue {
    package typealias Ending = Peer
    package struct Peer: Equatable, Sendable {
        package let terms: KBeaconHandshake.Terms
        package let identity: KBeaconIdentity
    }

    private enum Stage {
        case opening(KBeaconHandshake)
        case asking(KBeaconExchange, KBeaconGeneration, KBeaconHandshake.Terms)
        /// Waiting until a busy beacon may answer.
        case pausing(KBeaconGeneration, KBeaconHandshake.Terms)
        /// The beacon has answered the first query late; its reply to the second one is outstanding, and must not be
        /// taken for the answer to a later message.
        case draining(Peer)
    }

    /// How long a beacon may take to answer the first query, which may have the form of the other generation.
    static let firstLimit = Duration.seconds(3)

    private let handshake: KBeaconHandshake
    private let first: KBeaconGeneration
    private var stage: Stage
    /// Why the query was repeated in the other generation's form.
    private var misunderstanding: SessionFailure?
    private var pauses = 0

    /// After `handshake`, sends the query of the generation `first`, and then that of the other.
    package init(after handshake: KBeaconHandshake, asking first: KBeaconGeneration) {
        (self.handshake, self.first) = (handshake, first)
        stage = .opening(handshake)
    }

    package mutating func begin(on link: LinkFacts) throws(SessionFailure) -> Step {
        (misunderstanding, pauses) = (nil, 0)
        var handshake = handshake
        let step = handshake.begin(on: link)
        stage = .opening(handshake)
        return try opened(step)
    }

    package mutating func note(_ times: CommandTimes) {
        guard case .asking(var exchange, let generation, let terms) = stage else { return }
        exchange.note(times)
        stage = .asking(exchange, generation, terms)
    }

    package mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        switch stage {
        case .opening(var handshake):
            let step = try handshake.advance(after: outcome)
            stage = .opening(handshake)
            return try opened(step)
        case .pausing(let generation, let terms): return try ask(generation, terms)
        case .draining(let peer): return Step(.end(peer))
        case .asking(var exchange, let generation, let terms):
            do throws(SessionFailure) {
                let step = try exchange.advance(after: outcome)
                stage = .asking(exchange, generation, terms)
                return try asked(step, generation, terms)
            } catch {
                if error.code == .session.beaconBusy, pauses < KBeaconExchanges.maximumPauses {
                    pauses += 1
                    stage = .pausing(generation, terms)
                    return Step(.rest(KBeaconExchanges.busyPause))
                }
                guard Self.isMisunderstanding(error) else { throw error }
                // A beacon that has not answered the first query and refuses the second has understood the first.
                if let misunderstanding {
                    throw misunderstanding.code == .device.noAnswer ? misunderstanding : error
                }
                misunderstanding = error
                return try ask(generation.other, terms)
            }
        }
    }

    /// Whether a failure may mean that the beacon is of the other generation.
    private static func isMisunderstanding(_ failure: SessionFailure) -> Bool {
        [.session.refusedByDevice, .session.notSupported, .device.noAnswer].contains(failure.code)
    }

    private mutating func opened(_ step: KBeaconHandshake.Step) throws(SessionFailure) -> Step {
        try step.asPart { (terms) throws(SessionFailure) in try ask(first, terms) }
    }

    private mutating func ask(
        _ generation: KBeaconGeneration, _ terms: KBeaconHandshake.Terms
    ) throws(SessionFailure) -> Step {
        var exchange = KBeaconExchange(
            generation.commonParametersQuery.bytes, on: terms,
            within: misunderstanding != nil ? KBeaconExchange.commandLimit : Self.firstLimit,
            during: "reading the identity")
        let step = exchange.begin()
        stage = .asking(exchange, generation, terms)
        return try asked(step, generation, terms)
    }

    private mutating func asked(
        _ step: KBeaconExchange.Step, _ generation: KBeaconGeneration, _ terms: KBeaconHandshake.Terms
    ) throws(SessionFailure) -> Step {
        try step.asPart { (answer) throws(SessionFailure) in
            guard let identity = KBeaconIdentity(answer: answer) else {
                throw SessionFailure(
                    .session.answerMalformed, during: "reading the identity",
                    "the answer of \(answer.count) bytes contains no model")
            }
            let peer = Peer(terms: terms, identity: identity)
            guard misunderstanding != nil, identity.generation != generation else { return Step(.end(peer)) }
            stage = .draining(peer)
            return Step(.expect(from: KBeaconService.answers, within: Self.firstLimit))
        }
    }
}
