import Bluetooth
import Testing

@testable import UpdateModel

private let point = Characteristic(BluetoothUUID(0xFE59), BluetoothUUID(0x0001))

/// Asks with its number, and takes two answers. Its result names the number, the length of a write, how many commands
/// were timed, and the answers.
private struct Question: SessionDialogue {
    typealias Ending = String

    let number: UInt8
    private var writeLength = 0
    private var timed = 0
    private var answers: [UInt8] = []

    init(_ number: UInt8) { self.number = number }

    static func asked(_ number: UInt8) -> DialogueCommand<[String?]> {
        .request([number], on: point, answerOn: point, within: .seconds(Int(number)))
    }

    mutating func begin(on link: LinkFacts) -> Step {
        writeLength = link.maximumWriteLength
        return Step(.request([number], on: point, answerOn: point, within: .seconds(Int(number))))
    }

    mutating func note(_ times: CommandTimes) { timed += 1 }

    mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        guard case .value(let value) = outcome else { throw Self.failure(outcome) }
        answers += value
        guard answers.count > 1 else { return Step(.expect(from: point, within: .seconds(9))) }
        return Step(.end("\(number) of \(writeLength), \(timed) timed: \(answers)"))
    }

    private static func failure(_ outcome: DialogueOutcome) -> SessionFailure {
        let code: FailureCode =
            switch outcome {
            case .refused(status: 1): .session.beaconBusy
            case .refused: .session.refusedByDevice
            case .absent: .session.notSupported
            default: .device.noAnswer
            }
        return SessionFailure(code, during: "asking", "not answered")
    }
}

private let busy = DialogueOutcome.refused(status: 1)

@Suite struct `A series of exchanges` {
    private typealias Series = ExchangeSeries<Question>

    private static let again = Series.Step(.rest(.milliseconds(500)))
    private static let link = LinkFacts(maximumWriteLength: 64)

    private static func answer(
        _ series: inout Series, _ first: UInt8, _ second: UInt8
    ) throws(SessionFailure) -> Series.Step {
        #expect(
            try series.advance(after: .value([first])).command == .expect(from: point, within: .seconds(9)))
        return try series.advance(after: .value([second]))
    }

    @Test func `takes place one after another, on the facts of the link`() throws {
        var series = Series([.init(Question(1)), .init(Question(2))])
        #expect(try series.begin(on: Self.link).command == Question.asked(1))
        #expect(try Self.answer(&series, 10, 11).command == Question.asked(2))
        series.note(CommandTimes(started: .zero, ended: .seconds(1)))
        #expect(
            try Self.answer(&series, 20, 21).command
                == .end(["1 of 64, 0 timed: [10, 11]", "2 of 64, 1 timed: [20, 21]"]))
    }

    @Test func `has no result if it has no exchange`() throws {
        var series = Series([])
        #expect(try series.begin(on: Self.link).command == .end([]))
    }

    @Test func `forgets earlier results when it begins again`() throws {
        var series = Series([.init(Question(1)), .init(Question(2))])
        _ = try series.begin(on: Self.link)
        #expect(try Self.answer(&series, 10, 11).command == Question.asked(2))
        #expect(try series.begin(on: LinkFacts(maximumWriteLength: 20)).command == Question.asked(1))
        #expect(try Self.answer(&series, 12, 13).command == Question.asked(2))
        #expect(
            try Self.answer(&series, 20, 21).command
                == .end(["1 of 20, 0 timed: [12, 13]", "2 of 20, 0 timed: [20, 21]"]))
    }

    @Test func `asks a busy beacon three more times for each exchange, then fails`() throws {
        var series = Series([.init(Question(1)), .init(Question(2), mayBeRefused: true)])
        _ = try series.begin(on: Self.link)
        for _ in 0..<3 {
            #expect(try series.advance(after: busy) == Self.again)
            // The pause is not a command of the exchange.
            series.note(CommandTimes(started: .zero, ended: .seconds(1)))
            #expect(try series.advance(after: .done).command == Question.asked(1))
        }
        #expect(try Self.answer(&series, 10, 11).command == Question.asked(2))
        for _ in 0..<3 {
            #expect(try series.advance(after: busy) == Self.again)
            #expect(try series.advance(after: .done).command == Question.asked(2))
        }
        let failure = SessionFailure(
            .session.beaconBusy, during: "asking", "not answered; requests accepted before: 1 of 2")
        #expect(throws: failure) { try series.advance(after: busy) }
    }

    @Test func `repeats an exchange from its begin`() throws {
        var series = Series([.init(Question(1))])
        _ = try series.begin(on: Self.link)
        _ = try series.advance(after: .value([10]))
        #expect(try series.advance(after: busy) == Self.again)
        #expect(try series.advance(after: .done).command == Question.asked(1))
        #expect(try Self.answer(&series, 11, 12).command == .end(["1 of 64, 0 timed: [11, 12]"]))
    }

    @Test(arguments: [.refused(status: 2), .absent] as [DialogueOutcome])
    func `continues after an optional exchange that the beacon refuses`(_ refusal: DialogueOutcome) throws {
        var series = Series([.init(Question(1), mayBeRefused: true), .init(Question(2))])
        _ = try series.begin(on: Self.link)
        #expect(try series.advance(after: refusal).command == Question.asked(2))
        #expect(try Self.answer(&series, 20, 21).command == .end([nil, "2 of 64, 0 timed: [20, 21]"]))
    }

    @Test(
        arguments: [
            (false, .refused(status: 2), "refused-by-device"), (false, .absent, "not-supported"),
            (true, .timedOut, "no-answer"),
        ] as [(Bool, DialogueOutcome, String)])
    func `fails with an exchange that has to be answered`(
        mayBeRefused: Bool, _ outcome: DialogueOutcome, _ code: String
    ) throws {
        var series = Series([.init(Question(1), mayBeRefused: mayBeRefused), .init(Question(2))])
        _ = try series.begin(on: Self.link)
        let failure = #expect(throws: SessionFailure.self) { try series.advance(after: outcome) }
        #expect(failure?.code.description == code)
    }

    @Test func `names in a refusal how many exchanges were accepted before`() throws {
        var series = Series([.init(Question(1)), .init(Question(2))])
        _ = try series.begin(on: Self.link)
        _ = try Self.answer(&series, 10, 11)
        let failure = #expect(throws: SessionFailure.self) { try series.advance(after: .refused(status: 2)) }
        #expect(failure?.message == "not answered; requests accepted before: 1 of 2")
    }

    @Test func `does not count a refused exchange as accepted`() throws {
        var series = Series([.init(Question(1), mayBeRefused: true), .init(Question(2))])
        _ = try series.begin(on: Self.link)
        _ = try series.advance(after: .refused(status: 2))
        let failure = #expect(throws: SessionFailure.self) { try series.advance(after: .refused(status: 2)) }
        #expect(failure?.message == "not answered")
    }
}

@Suite struct `A dialogue within another one` {
    private static func commands<Ending: Sendable>() -> [DialogueCommand<Ending>] {
        let service = ServiceDeclaration(uuid: BluetoothUUID(0xFE59), handles: 1...9)
        return [
            .subscribe(point), .request([1], on: point, answerOn: point, within: .seconds(2)),
            .expect(from: point, within: .seconds(3)), .write([4], on: point, mayRefuse: true),
            .write([5], on: point), .open(psm: 6, within: .seconds(6)), .find(point), .read(point),
            .readIfAllowed(point), .readHandle(7, of: BluetoothUUID(0x2A00), within: .seconds(7)),
            .list(.services, within: .seconds(8)), .list(.characteristics(of: service), within: .seconds(9)),
            .rest(.seconds(10)),
        ]
    }

    @Test func `has the same commands`() {
        let parts = (Self.commands() as [DialogueCommand<Int>]).map { command in
            DialogueStep<Int, Never>(command).asPart { _ in DialogueStep<String, Never>(.end("over")) }
                .command
        }
        #expect(parts == Self.commands())
    }

    @Test func `ends with the next step of the other one`() {
        let step = DialogueStep<Int, Never>(.end(3)).asPart { DialogueStep<String, Never>(.end("\($0)")) }
        #expect(step.command == .end("3"))
    }

    @Test func `gets the facts and times of the link`() throws {
        var whole = MappedDialogue(Question(1)) { $0.uppercased() }
        _ = try whole.begin(on: LinkFacts(maximumWriteLength: 30))
        whole.note(CommandTimes(started: .zero, ended: .seconds(1)))
        _ = try whole.advance(after: .value([1]))
        #expect(try whole.advance(after: .value([2])).command == .end("1 OF 30, 1 TIMED: [1, 2]"))
    }
}
