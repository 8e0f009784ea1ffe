public import Sessions

/// One command to a Feasycom beacon's AT engine, and the whole answer to it (fbeacon.md, Commands).
public struct FBeaconExchange: Dialogue {
    /// The value that was asked for; nil where a command has none.
    public typealias Ending = String?
    /// It says nothing on its way.
    public typealias Notice = Never
    /// Why it goes no further.
    public typealias Failure = SessionFailure

    /// How long a beacon may take for the whole answer.
    public static let limit = Duration.seconds(3)
    /// How many notifications an answer may come in.
    static let maximumParts = 512

    private let command: FBeaconCommand
    private let step: String
    private var answer = ATAnswer()
    private var parts = 0
    private var waited = Duration.zero
    /// What is still to be written, in parts that fit the link.
    private var rest: ArraySlice<[UInt8]> = []

    /// Asks for the firmware version.
    public static let version = FBeaconExchange(
        .asking(for: "VER", answeredBy: ["+VER="]), during: "asking for the version")

    /// Holds `command` and waits for its answer; failures are about `step`.
    public init(_ command: FBeaconCommand, during step: String) {
        (self.command, self.step) = (command, step)
    }

    /// Sends the command, a long one in parts.
    public mutating func begin(on link: LinkFacts) -> DialogueStep<String?, Never> {
        (answer, parts, waited) = (ATAnswer(), 0, .zero)
        let bytes = command.bytes.bytes
        let size = max(link.maximumWriteLength, 1)
        rest =
            stride(from: 0, to: bytes.count, by: size).map { start in
                Array(bytes[start..<min(start + size, bytes.count)])
            }[...]
        return send()
    }

    /// Answers come to the end of a command, and what is there before it is none.
    private mutating func send() -> DialogueStep<String?, Never> {
        let part = rest.popFirst() ?? []
        guard rest.isEmpty else { return DialogueStep(.write(part, on: FBeaconService.requests)) }
        return DialogueStep(
            .request(
                part, on: FBeaconService.requests, answerOn: FBeaconService.answers, within: Self.limit))
    }

    /// Time that was waited counts against the limit.
    public mutating func note(_ times: CommandTimes) {
        if rest.isEmpty { waited += times.ended - times.started }
    }

    /// The step that follows from the outcome of the last one.
    public mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<String?, Never> {
        guard rest.isEmpty else { return send() }
        guard case .value(let part) = outcome else { throw silence }
        parts += 1
        guard answer.take(part), parts <= Self.maximumParts else {
            throw failure(.tooLong, "the beacon does not come to an end of its answer to \(command.name)")
        }
        switch answer.verdict(on: command.answer) {
        case .done(let value): return DialogueStep(.end(value))
        case .refused: throw failure(.refused, "the beacon answers ERROR to \(command.name)")
        case nil:
            guard waited < Self.limit else { throw silence }
            return DialogueStep(.expect(from: FBeaconService.answers, within: Self.limit - waited))
        }
    }

    /// What came, which may have the PIN in it as an echo, is not told.
    private var silence: SessionFailure {
        answer.bytes.isEmpty
            ? failure(.noAnswer, "the beacon did not answer to \(command.name)")
            : failure(
                .malformed,
                "what the beacon sent after \(command.name), \(answer.bytes.count) bytes, is no whole answer to it"
            )
    }

    private func failure(_ code: SessionFailure.Code, _ message: String) -> SessionFailure {
        SessionFailure(code, during: step, message)
    }
}
