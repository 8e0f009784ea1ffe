public import Bluetooth
public import UpdateModel

/// One command to a Feasycom beacon's AT engine, and its complete answer (fbeacon.md, Commands).
public struct FBeaconExchange: SessionDialogue {
    /// The requested value; nil for a command without one.
    public typealias Ending = String?

    /// How long a beacon may take for the whole answer.
    public static let limit = Duration.seconds(3)
    /// The maximum number of notifications in an answer.
    static let maximumParts = 512

    private let command: FBeaconCommand
    private let step: String
    private let refusal: SessionFailure?
    private var answer = ATAnswer()
    private var parts = 0
    private var waited = Duration.zero
    /// The rest of the command, in parts that fit the link.
    private var rest: ArraySlice<[UInt8]> = []

    public static let version = FBeaconExchange(
        .asking(for: "VER", answeredBy: ["+VER="]), during: "asking for the version")

    /// Sends `command` and waits for its answer; failures mention `step`. If the beacon answers ERROR, the exchange
    /// throws `refusal`, or a general failure if that is nil.
    public init(_ command: FBeaconCommand, during step: String, refusedAs refusal: SessionFailure? = nil) {
        (self.command, self.step, self.refusal) = (command, step, refusal)
    }

    public mutating func begin(on link: LinkFacts) -> Step {
        (answer, parts, waited) = (ATAnswer(), 0, .zero)
        let bytes = command.bytes.bytes
        let size = max(link.maximumWriteLength, 1)
        rest =
            stride(from: 0, to: bytes.count, by: size).map { start in
                Array(bytes[start..<min(start + size, bytes.count)])
            }[...]
        return send()
    }

    /// Sends the next part. Only the last one is a request, because the answer cannot come before it.
    private mutating func send() -> Step {
        let part = rest.popFirst() ?? []
        guard rest.isEmpty else { return Step(.write(part, on: FBeaconService.requests)) }
        return Step(
            .request(part, on: FBeaconService.requests, answerOn: FBeaconService.answers, within: Self.limit))
    }

    /// Counts the time since the last part was sent.
    public mutating func note(_ times: CommandTimes) {
        if rest.isEmpty { waited += times.ended - times.started }
    }

    public mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        guard rest.isEmpty else { return send() }
        guard case .value(let part) = outcome else { throw silence }
        parts += 1
        guard answer.append(part), parts <= Self.maximumParts else {
            throw failure(.session.answerTooLong, "the beacon's answer to \(command.name) does not end")
        }
        switch answer.verdict(on: command.answer) {
        case .done(let value): return Step(.end(value))
        case .refused:
            throw refusal ?? failure(.session.refusedByDevice, "the beacon answers ERROR to \(command.name)")
        case nil:
            guard waited < Self.limit else { throw silence }
            return Step(.expect(from: FBeaconService.answers, within: Self.limit - waited))
        }
    }

    /// The received bytes are not reported, because they may contain the PIN as an echo.
    private var silence: SessionFailure {
        answer.bytes.isEmpty
            ? failure(.device.noAnswer, "the beacon did not answer \(command.name)")
            : failure(
                .session.answerMalformed,
                "the beacon's answer to \(command.name) is incomplete (\(answer.bytes.count) bytes)")
    }

    private func failure(_ code: FailureCode, _ message: String) -> SessionFailure {
        SessionFailure(code, during: step, message)
    }
}

/// Several commands to a Feasycom beacon's AT engine, one after another (fbeacon.md, Commands).
package typealias FBeaconExchanges = ExchangeSeries<FBeaconExchange>

/// The attributes of a session with a Feasycom beacon (fbeacon.md, Attributes). FFF3, which some
/// beacons have for flow control, is not used.
public enum FBeaconService {
    /// The service; other makers use the same number.
    public static let uuid = BluetoothUUID(0xFFF0)
    /// From the beacon, by notifications.
    static let answers = Characteristic(uuid, BluetoothUUID(0xFFF1))
    /// To the beacon, written with or without response.
    static let requests = Characteristic(uuid, BluetoothUUID(0xFFF2))
    /// Identifies a device that accepts open containers; defined by this project (fbeacon.md, Open devices).
    public static let openMark = Characteristic(
        uuid, BluetoothUUID(high: 0x8E7F_1A60_2D41_4B6E, low: 0x9C35_0FBE_AC0F_0001))
}
