package import Bluetooth
package import UpdateModel

/// Sessions with beacons that have SMP: without a password, but some beacons require a paired link.
package struct SMPSession: SessionKind {
    /// No pause is needed between two requests, because each waits for the answer to the previous one.
    package let leastInterval = Duration.zero
    package func opening(to address: DeviceAddress) -> SMPQuery { SMPQuery() }
}

/// What a beacon reports about its images when a session is opened.
package struct SMPPeer: Equatable, Sendable {
    /// The slots with an image; nil if it does not list them.
    package let slots: [SlotState]?
    /// The beacon's error instead of the list.
    package var refusal: SMPError?
    /// The version number in the beacon's headers; 0 for version 1.
    package var version: UInt8 = 1
    /// The number for the next request.
    package var sequence: UInt8 = 0

    /// The version of the image that runs as image 0; nil if none is known.
    package var runningVersion: String? {
        slots?.first { $0.image == 0 && $0.isActive }.flatMap(\.reportedVersion)
    }
}

/// Subscribes to a beacon's answers and reads its list of images (docs/protocols/mcuboot-smp.md, Commands).
package struct SMPQuery: SessionDialogue {
    package typealias Ending = SMPPeer

    static let step = "reading the list of images"
    /// How long to wait for the list, for which the beacon reads its flash.
    static let limit = Duration.seconds(4)
    /// How often the request is sent: a device without a free buffer drops it without an answer.
    private static let mostTries = 2

    private var link = LinkFacts(maximumWriteLength: 20)
    private var tries = 0
    private var exchange = Self.exchange(sequence: 0, subscribing: true)

    package init() {}

    private static func exchange(
        sequence: UInt8, subscribing: Bool = false, after reassembly: SMPReassembly = SMPReassembly()
    ) -> SMPExchange {
        SMPExchange(
            .imageState, sequence: sequence, within: limit, during: step, subscribing: subscribing,
            after: reassembly)
    }

    package mutating func begin(on link: LinkFacts) throws(SessionFailure) -> Step {
        (self.link, tries, exchange) = (link, 1, Self.exchange(sequence: 0, subscribing: true))
        return try follow(exchange.begin(on: link))
    }

    package mutating func note(_ times: CommandTimes) { exchange.note(times) }

    package mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        try follow(try exchange.advance(after: outcome))
    }

    private mutating func follow(_ step: SMPExchange.Step) throws(SessionFailure) -> Step {
        try step.asPart { (reply) throws(SessionFailure) in try ended(reply) }
    }

    private mutating func ended(_ reply: SMPExchange.Ending) throws(SessionFailure) -> Step {
        let next = UInt8(truncatingIfNeeded: tries)
        switch reply {
        case .answer(let content, let version):
            return Step(.end(SMPPeer(slots: SlotState.slots(in: content), version: version, sequence: next)))
        case .refusal(let error, let version):
            return Step(.end(SMPPeer(slots: nil, refusal: error, version: version, sequence: next)))
        case .silence where tries < Self.mostTries:
            tries += 1
            exchange = Self.exchange(sequence: next, after: exchange.reassembly)
            return try follow(exchange.begin(on: link))
        case .silence:
            throw SessionFailure(
                .device.noAnswer, during: Self.step, "the beacon does not answer requests over SMP")
        }
    }
}
