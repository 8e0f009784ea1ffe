package import UpdateModel

/// Makes a Feasycom beacon blink or beep, and keeps the link until it is done (fbeacon.md, Showing itself).
package struct FBeaconBlink: Dialogue {
    /// It has blinked or beeped for the requested time.
    package typealias Ending = Void
    package typealias Notice = Never
    package typealias Failure = SessionFailure

    /// The light or the buzzer.
    package enum Means: Sendable {
        case light
        case beep
    }

    private enum Stage {
        case asking(FBeaconExchange)
        case telling(FBeaconExchange, before: UInt32?)
        case holding(Duration, before: UInt32?)
        case ending(FBeaconExchange)
    }

    package static let longest = Duration.seconds(60)
    static let step = "blinking"
    /// The maximum number of unexpected notifications in that time.
    private static let maximumStrays = 256

    private let means: Means
    private let length: Duration
    private var link = LinkFacts(maximumWriteLength: 20)
    private var stage: Stage
    private var strays = 0

    /// Makes a beacon whose session is open blink or beep by `means` for `length`.
    package init(by means: Means, for length: Duration) {
        (self.means, self.length) = (means, min(max(length, .milliseconds(1)), Self.longest))
        stage = .asking(FBeaconExchange(.asking(for: "LED", answeredBy: ["+LED="]), during: Self.step))
    }

    package mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<Void, Never> {
        self.link = link
        guard means == .light, case .asking(var exchange) = stage else { return try tell(before: nil) }
        let step = exchange.begin(on: link)
        stage = .asking(exchange)
        return try asked(step)
    }

    package mutating func note(_ times: CommandTimes) {
        switch stage {
        case .asking(var exchange):
            exchange.note(times)
            stage = .asking(exchange)
        case .telling(var exchange, let before):
            exchange.note(times)
            stage = .telling(exchange, before: before)
        case .holding(let left, let before):
            stage = .holding(left - (times.ended - times.started), before: before)
        case .ending(var exchange):
            exchange.note(times)
            stage = .ending(exchange)
        }
    }

    /// The step that follows from the outcome of the last one.
    package mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<Void, Never> {
        switch stage {
        case .asking(var exchange):
            let step = try supported { () throws(SessionFailure) in try exchange.advance(after: outcome) }
            stage = .asking(exchange)
            return try asked(step)
        case .telling(var exchange, let before):
            let step = try supported { () throws(SessionFailure) in try exchange.advance(after: outcome) }
            stage = .telling(exchange, before: before)
            return try told(step, before: before)
        case .holding(let left, let before):
            strays += 1
            guard left > .zero, outcome != .timedOut else { return try end(before: before) }
            guard strays < Self.maximumStrays else {
                throw SessionFailure(
                    .session.answerMalformed, during: Self.step,
                    "the beacon keeps sending unexpected notifications")
            }
            return wait(left)
        case .ending(var exchange):
            let step = try exchange.advance(after: outcome)
            stage = .ending(exchange)
            return try ended(step)
        }
    }

    /// A beacon that answers ERROR has no light, or no buzzer.
    private func supported<Value>(
        _ body: () throws(SessionFailure) -> Value
    ) throws(SessionFailure) -> Value {
        do throws(SessionFailure) { return try body() } catch {
            guard error.code == .session.refusedByDevice else { throw error }
            throw SessionFailure(
                .session.notSupported, during: Self.step,
                means == .light ? "the beacon has no switchable light" : "the beacon has no buzzer")
        }
    }

    private mutating func asked(
        _ step: DialogueStep<String?, Never>
    ) throws(SessionFailure) -> DialogueStep<Void, Never> {
        DialogueStep(
            try step.command.asPart { (before) throws(SessionFailure) in
                // A value that is not a number is not written back.
                try tell(before: before.flatMap { UInt32($0) }).command
            })
    }

    private mutating func tell(before: UInt32?) throws(SessionFailure) -> DialogueStep<Void, Never> {
        let command: FBeaconCommand =
            means == .light ? .setting(lightFor: UInt32(length / .milliseconds(1))) : .sounding(true)
        var exchange = FBeaconExchange(command, during: Self.step)
        let step = exchange.begin(on: link)
        stage = .telling(exchange, before: before)
        return try told(step, before: before)
    }

    private mutating func told(
        _ step: DialogueStep<String?, Never>, before: UInt32?
    ) throws(SessionFailure) -> DialogueStep<Void, Never> {
        DialogueStep(
            try step.command.asPart { (_) throws(SessionFailure) in
                let hold = max(.seconds(1), length + .milliseconds(500))
                stage = .holding(hold, before: before)
                return wait(hold).command
            })
    }

    /// Restores the light's setting, or silences the buzzer.
    private mutating func end(before: UInt32?) throws(SessionFailure) -> DialogueStep<Void, Never> {
        let command: FBeaconCommand
        switch (means, before) {
        case (.beep, _): command = .sounding(false)
        case (.light, let before?): command = .setting(lightFor: before)
        case (.light, nil): return DialogueStep(.end(()))
        }
        var exchange = FBeaconExchange(command, during: "stopping the signal")
        let step = exchange.begin(on: link)
        stage = .ending(exchange)
        return try ended(step)
    }

    private func ended(
        _ step: DialogueStep<String?, Never>
    ) throws(SessionFailure) -> DialogueStep<Void, Never> {
        DialogueStep(try step.command.asPart { (_) throws(SessionFailure) in .end(()) })
    }

    /// Detects the end of the link in the meantime.
    private func wait(_ left: Duration) -> DialogueStep<Void, Never> {
        DialogueStep(.expect(from: FBeaconService.answers, within: left))
    }
}
