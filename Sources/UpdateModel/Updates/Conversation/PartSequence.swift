/// Parts in sequence, each an update followed by a restart: a SoftDevice and an application cannot be installed in
/// one run (docs/protocols/nordic-secure.md, Several parts). A single part behaves like its procedure alone.
///
/// A part that the device refuses because it has it already is skipped, except the last.
public struct PartSequence: UpdateProcedure {
    /// A part's title in sentences, and its procedure.
    public typealias Part = (title: String, procedure: any UpdateProcedure)

    private var parts: [any UpdateProcedure]
    private let titles: [String]
    private var current = 0
    private var link: LinkFacts?
    public var receiver = Receiver.bootloader {
        didSet { for number in parts.indices { parts[number].receiver = receiver } }
    }
    /// The effect on the application of the parts before the current one.
    private var effectBefore: DeviceState.Application?
    /// The refusals of earlier parts.
    private var refusals: [(number: Int, title: String, failure: UpdateFailure)] = []

    public init(_ first: Part, _ others: [Part] = []) {
        parts = [first.procedure] + others.map(\.procedure)
        titles = [first.title] + others.map(\.title)
    }

    public var total: Int { parts.reduce(0) { $0 + $1.total } }
    public var targetSignature: TargetSignature { parts[current].targetSignature }
    public var applicationAddresses: Set<ExpectedAddress> { parts[current].applicationAddresses }
    public var mayMove: Bool { parts[current].mayMove }
    public var resumes: Bool { parts[current].resumes }
    public var inactivityLimit: Duration? { parts[current].inactivityLimit }
    public func remedy(for failure: UpdateFailure) -> Advice? { parts[current].remedy(for: failure) }
    /// The version of the last part, which runs in the end.
    public var expectedVersion: ExpectedVersion? { parts[parts.count - 1].expectedVersion }

    public var part: UpdatePart? {
        guard parts.count > 1 else { return nil }
        return UpdatePart(
            number: current + 1, of: parts.count, title: titles[current],
            refusing: refusals.map(\.number), startingAt: base)
    }

    /// The effect on the application of all parts up to the current one.
    public var effectOnApplication: DeviceState.Application? {
        let now = parts[current].effectOnApplication
        return effectBefore.map { $0.followed(by: now) } ?? now
    }

    /// Checks the last part, which runs in the end. If it is installed already, the others may still be new.
    public func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] {
        do throws(UpdateFailure) { return try parts[parts.count - 1].check(running) } catch {
            guard parts.count > 1, error.code == .device.sameVersion else { throw error }
            return []
        }
    }

    public mutating func begin(on link: LinkFacts) throws(UpdateFailure) -> UpdateStep {
        self.link = link
        return try step { (part) throws(UpdateFailure) in try part.begin(on: link) }
    }

    public mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep {
        try step { (part) throws(UpdateFailure) in try part.advance(after: outcome) }
    }

    public mutating func note(_ times: CommandTimes) { parts[current].note(times) }

    /// A link that ends after a part may mean that the device is installing it.
    public var disconnectMeaning: DisconnectMeaning {
        switch parts[current].disconnectMeaning {
        case .perhapsDone(let completion) where !isLast: .mayRestart(within: completion.timeout)
        case let ending: ending
        }
    }

    public func meansInstalled(_ failure: UpdateFailure) -> Bool {
        isLast && parts[current].meansInstalled(failure)
    }

    private var isLast: Bool { current == parts.count - 1 }

    /// The bytes of the parts before the current one.
    private var base: Int { parts[..<current].reduce(0) { $0 + $1.total } }

    private mutating func step(
        _ next: (inout any UpdateProcedure) throws(UpdateFailure) -> UpdateStep
    ) throws(UpdateFailure) -> UpdateStep {
        do throws(UpdateFailure) {
            return translate(try next(&parts[current]))
        } catch {
            guard !isLast else { throw explained(error) }
            guard parts[current].meansInstalled(error) else { throw error }
            return try passOver(error)
        }
    }

    /// Continues with the next part over the same link.
    private mutating func passOver(_ refusal: UpdateFailure) throws(UpdateFailure) -> UpdateStep {
        guard let link else { throw refusal }
        let title = titles[current]
        refusals.append((current + 1, title, refusal))
        selectNextPart()
        var step = try begin(on: link)
        if let part { step.notices.insert(.part(part), at: 0) }
        step.notices.insert(.accepted(upTo: base), at: 0)
        step.notices.insert(
            .warning(
                .device.partSkipped,
                "the beacon need not install the \(title) (\(refusal.message)); continuing "
                    + "with the \(titles[current])"), at: 0)
        return step
    }

    /// The step of the whole update for a part's `step`: positions count from the first byte of the first part, and the
    /// end of a part that is not the last is a restart.
    private mutating func translate(_ step: UpdateStep) -> UpdateStep {
        var step = step
        let base = base
        step.notices = step.notices.map { $0.moved(by: base) }
        switch step.command {
        case .stream(let run): step.command = .stream(run.moved(by: base, of: total))
        case .end(.complete(let completion)) where !isLast:
            step.command = .end(.restart(Restart(timeout: completion.timeout)))
            step.notices.append(.phase(.rebooting))
            if completion.isConfirmed {
                selectNextPart()
                if let part { step.notices.append(.part(part)) }
            }
        default: break
        }
        return step
    }

    private mutating func selectNextPart() {
        effectBefore = effectOnApplication
        current += 1
    }

    /// The last part's failure, with the refusals of the parts before it. If they were refused for the same reason,
    /// their remedy applies: the last part depends on what they would have installed.
    private func explained(_ failure: UpdateFailure) -> UpdateFailure {
        guard !refusals.isEmpty else { return failure }
        let before = refusals.map { "the \($0.title) was refused before it: \($0.failure.message)" }
        let alike = refusals.first { $0.failure.code == failure.code }?.failure.remedy
        return UpdateFailure(
            failure.code, during: failure.during,
            message: ([failure.message] + before).joined(separator: "; "), remedy: alike ?? failure.remedy,
            mayReconnect: failure.mayReconnect)
    }
}

extension UpdateNotice {
    func moved(by offset: Int) -> UpdateNotice {
        switch self {
        case .resumed(let position): .resumed(at: position + offset)
        case .retry(let reason, let position, let link):
            .retry(reason: reason, from: position + offset, link: link)
        case .reached(let position): .reached(position + offset)
        case .accepted(let position): .accepted(upTo: position + offset)
        case .phase, .part, .leavingApplication, .warning, .detail: self
        }
    }
}

extension PacketRun {
    func moved(by offset: Int, of total: Int) -> PacketRun {
        PacketRun(
            bytes: bytes, target: target, packetLength: packetLength,
            payload: payload.map {
                PayloadSpan(
                    at: $0.position + offset, of: total, image: $0.image + offset,
                    asksForPosition: $0.asksForPosition, header: $0.header, trailer: $0.trailer)
            })
    }
}
