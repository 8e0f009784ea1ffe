public import Bluetooth
public import Bytes
public import UpdateModel

extension MarbleVendor: SettingsVendor {
    /// The settings.
    public typealias Settings = MarbleSettings

    /// The word for one of its beacons.
    public var beaconNoun: String { "Marble beacon" }

    /// PINs, which are sent as plain text.
    public var secretRules: SecretRules? {
        SecretRules(form: "a Marble beacon's PIN has four digits", captured: .pin, factory: Secret("0000")) {
            $0.bytes.count == 4 && $0.bytes.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    /// By its update service.
    public func recognises(_ beacon: HeardBeacon) -> Bool { beacon.services.contains(MarbleService.uuid) }

    /// By the service of sessions.
    public func isOffered(by device: DeviceInventory, heardAs beacon: HeardBeacon) -> Bool {
        device.offers(MarbleService.request)
    }

    /// The model is not advertised.
    public func reportedFacts(hasSecret: Bool) -> Set<String> { ["model"] }

    /// Without a PIN, the factory's is tried.
    public func session(
        with beacon: HeardBeacon, at address: DeviceAddress, by secret: Secret?
    ) throws(SessionFailure) -> MarbleSession {
        let pin = secret ?? Secret("0000")
        guard secretRules?.allows(pin) == true else {
            throw SessionFailure(
                .session.passwordWrong, during: MarbleSession.step,
                "the PIN for \(address) is not valid: it has four digits")
        }
        return MarbleSession(pin: pin)
    }

    /// The model, and the setting.
    public func reading(of peer: MarblePeer) -> MappedDialogue<MarbleSettings.Reading, SessionReading> {
        MappedDialogue(MarbleSettings.reading(of: peer)) { (settings) throws(SessionFailure) in
            SessionReading(
                "marble", facts: ["model": .text(peer.model)],
                rows: [("session", "Marble, PIN accepted"), ("model", peer.model)]
                    + settings.lines.map { ("setting", $0) },
                application: ApplicationFacts(
                    model: peer.model, settings: ReportedSettings(settings)))
        }
    }
}

/// What a Marble beacon has reported when its session is open.
public struct MarblePeer: Equatable, Sendable {
    let model: String
}

/// Sessions with Marble beacons (README.md, Session).
public struct MarbleSession: SessionKind {
    static let step = "opening the session"
    let pin: Secret

    /// No pause is needed.
    public var leastInterval: Duration { .zero }

    /// Sends the PIN, and asks for the model.
    public func opening(to address: DeviceAddress) -> MappedDialogue<MarbleExchange, MarblePeer> {
        let exchange = MarbleExchange([[0x10] + pin.bytes, [0x30]], during: Self.step, isFirst: true)
        return MappedDialogue(exchange) { (answers) throws(SessionFailure) in
            MarblePeer(model: String(decoding: answers.last ?? [], as: UTF8.self))
        }
    }
}

/// Requests to a Marble beacon, one after another (README.md, Session).
public struct MarbleExchange: SessionDialogue {
    /// The contents of the answers.
    public typealias Ending = [[UInt8]]
    /// It has no notices.
    public typealias Notice = Never
    /// Why it failed.
    public typealias Failure = SessionFailure

    private enum State { case looking, subscribing, asking }
    private static let timeout = Duration.seconds(5)

    private let requests: [[UInt8]]
    private let step: String
    private let isFirst: Bool
    private var state = State.asking
    private var answers: [[UInt8]] = []

    /// The first exchange on a link also looks for the service.
    init(_ requests: [[UInt8]], during step: String, isFirst: Bool = false) {
        (self.requests, self.step, self.isFirst) = (requests, step, isFirst)
    }

    /// Looks for the service, or sends the first request.
    public mutating func begin(on link: LinkFacts) -> DialogueStep<[[UInt8]], Never> {
        (answers, state) = ([], isFirst ? .looking : .asking)
        return isFirst ? DialogueStep(.find(MarbleService.request)) : next
    }

    /// No time limit depends on it.
    public mutating func note(_ times: CommandTimes) {}

    /// The step after the outcome of the last one.
    public mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<[[UInt8]], Never> {
        switch (state, outcome) {
        case (.looking, .done):
            state = .subscribing
            return DialogueStep(.subscribe(MarbleService.answer))
        case (.looking, _): throw failure(.session.notOffered, "the beacon offers no Marble session")
        case (.subscribing, .done): state = .asking
        case (.asking, .value(let bytes)): answers.append(try content(of: bytes))
        default: throw failure(.device.noAnswer, "the beacon did not answer in time")
        }
        return next
    }

    private var next: DialogueStep<[[UInt8]], Never> {
        guard answers.count < requests.count else { return DialogueStep(.end(answers)) }
        return DialogueStep(
            .request(
                requests[answers.count], on: MarbleService.request, answerOn: MarbleService.answer,
                within: Self.timeout))
    }

    private func content(of answer: [UInt8]) throws(SessionFailure) -> [UInt8] {
        guard answer.count >= 2, answer.first == requests[answers.count].first else {
            throw failure(.session.answerMalformed, "the beacon answered \(HexText.encode(answer))")
        }
        switch answer[1] {
        case 0x00: return Array(answer[2...])
        case 0x01: throw failure(.session.passwordWrong, "the beacon has another PIN")
        case 0x02: throw failure(.marble.beaconSealed, "the beacon's settings were sealed in the factory")
        default: throw failure(.session.refusedByDevice, "the beacon refuses \(HexText.encode(answer))")
        }
    }

    private func failure(_ code: FailureCode, _ message: String) -> SessionFailure {
        SessionFailure(code, during: step, message)
    }
}

/// The settings of a Marble beacon (README.md, Session).
public struct MarbleSettings: VendorSettings {
    /// A setting.
    public enum Path: String, CaseIterable, CustomStringConvertible, Sendable {
        /// How long it shines after it was moved, in seconds.
        case shine = "shine_s"

        /// Its name in a file.
        public var description: String { rawValue }
    }

    /// The values.
    public let values: [Path: SettingValue]
    /// The settings that have values.
    public var paths: [Path] { Path.allCases.filter { values[$0] != nil } }

    private static let range = 0.0...60

    private init(shine: Int) { values = [.shine: .number(Double(shine))] }

    /// Parses the members of a file.
    public init(_ file: YAMLValue, besides others: [String]) throws(YAMLProblem) {
        var values: [Path: SettingValue] = [:]
        for member in try file.members() where !others.contains(member.key) {
            guard let path = Path(rawValue: member.key) else {
                throw member.unknown(Path.allCases.map(\.rawValue))
            }
            guard let number = Int(try member.value.text()) else {
                throw member.value.problem("\(path) is a whole number")
            }
            values[path] = .number(Double(number))
        }
        self.values = values
    }

    /// The lines of a file.
    public var lines: [String] {
        paths.compactMap { path in values[path].map { "\(path): \($0)" } }
    }

    /// All models have the same settings.
    public func check(against peer: MarblePeer) {}

    /// Throws for a value that no beacon takes.
    public func check(
        _ changes: [SettingDifference<Path>], to found: MarbleSettings, of peer: MarblePeer
    ) throws(SessionFailure) {
        for change in changes {
            guard case .number(let value) = change.wanted, !Self.range.contains(value) else { continue }
            throw SessionFailure(
                .session.settingOutOfRange, during: "comparing the settings",
                "\(change.path) is \(change.wanted), but must be 0 to 60")
        }
    }

    /// None.
    public func lockOuts(of found: MarbleSettings) -> [LockOut] { [] }

    /// Asks for the only setting.
    public static func reading(of peer: MarblePeer) -> MappedDialogue<MarbleExchange, MarbleSettings> {
        let step = "reading the settings"
        return MappedDialogue(MarbleExchange([[0x20]], during: step)) { (answers) throws(SessionFailure) in
            guard let shine = answers.first?.first else {
                throw SessionFailure(.session.answerMalformed, during: step, "the answer is empty")
            }
            return MarbleSettings(shine: Int(shine))
        }
    }

    /// One request for each change.
    public static func writing(
        _ changes: [SettingDifference<Path>], to found: MarbleSettings, of peer: MarblePeer
    ) -> MarbleExchange {
        MarbleExchange(
            changes.map { [0x21, UInt8(clamping: $0.wanted.integer ?? 0)] }, during: "writing the settings")
    }
}
