import Bluetooth
import Bytes
import FoundationEssentials
package import UpdateModel

/// An event of a run: a line of `batch --json`, and the input of ``RunState``. One declaration of the members serves
/// writing and reading; docs/json.md has the members of each event.
package struct RunEvent: Hashable, Codable, Sendable {
    /// The events that change the state of a run, and those of a link. `failed` without a slot is the failure of the
    /// command, which `CommandFailure` writes with more members.
    package enum Name: String, Sendable {
        case runStarted = "batch-started"
        case runFinished = "batch-finished"
        case adapterGone = "adapter-gone"
        case adapterBack = "adapter-back"
        case links, held, released, pace, warning, failed
        case found, attempt, started, stalled, attempted, finished
        case phase, progress, connected, resumed, retry, disconnected
        case linkChanged = "link-changed"

        /// The members that are written as `null` if they have no value.
        fileprivate var nullable: [String] {
            switch self {
            case .runStarted: ["expected", "tray"]
            case .runFinished: ["first_pass_yield", "final_yield", "limited_by", "seconds"]
            case .pace: ["seconds_left"]
            case .progress: ["bytes_per_second"]
            case .connected, .linkChanged: ["interval_ms", "phy"]
            case .found: ["device", "id", "name", "vendor", "model", "rssi"]
            case .started: ["file", "sha256", "kind", "bytes", "version_from", "version_to"]
            case .attempted:
                [
                    "outcome", "code", "seconds", "transfer_seconds", "average_bytes_per_second", "retries",
                    "limited_by", "verified", "times_sent",
                ]
            case .finished, .failed:
                [
                    "device", "version_from", "version", "verified", "outcome", "code", "during", "message",
                    "next_step", "device_state",
                ]
            default: []
            }
        }
    }

    /// A ``UnitState`` with the names of its JSON members.
    struct State: Hashable, Codable, Sendable {
        private let program: String
        private let address: String?
        private let application, message: String

        init(_ state: UnitState) {
            (program, address, application) = (state.program, state.address, state.application)
            message = PathText.shown(state.words)
        }

        var unitState: UnitState {
            UnitState(program: program, address: address ?? "", application: application, words: message)
        }
    }

    package var event: String
    private var schema = 1
    /// The slot of the unit, or the adapter, that the event is about.
    package private(set) var slot: String?, adapter: String?
    // A session: its start, its speed, its end.
    private(set) var run: String?, tray: String?, journal: String?
    private(set) var session: Int?, units: Int?, expected: Int?, open: Int?, exit: Int?
    private(set) var simulated: Bool?
    private(set) var adapters: [String]?
    private(set) var counts: [String: Int]?
    package private(set) var bytesPerSecond: Double?, secondsLeft: Double?
    private(set) var firstPassYield: Double?, finalYield: Double?
    private(set) var links: Int?, limit: Int?
    // A unit: its identity, its firmware, its attempts.
    private(set) var device: String?, id: String?, name: String?, vendor: String?, model: String?
    private(set) var rssi: Int?
    private(set) var file: String?, fileHex: String?, sha256: String?, kind: String?, bytes: Int?
    private(set) var versionFrom: String?, versionTo: String?, version: String?, verified: String?
    private(set) var attempt: Int?, attempts: Int?, sent: Int?, total: Int?, retries: Int?
    private(set) var timesSent: Int?, sentFrom: [Int]?
    private(set) var seconds: Double?, transferSeconds: Double?, averageBytesPerSecond: Double?
    private(set) var limitedBy: String?
    // A link, and what is sent over it.
    private var mtu: Int?, intervalMs: Double?, phy: String?
    private var part: Int?, parts: Int?, percent: Int?, offset: Int?, from: Int?, reason: String?
    // An end, a hold or a warning.
    private(set) var outcome: UnitOutcome?, during: String?
    package private(set) var code: String?, message: String?, nextStep: String?
    private(set) var deviceState: State?

    private init(_ name: Name, _ slot: String? = nil) { (event, self.slot) = (name.rawValue, slot) }

    package func about(_ slot: String) -> RunEvent {
        var event = self
        event.slot = slot
        return event
    }

    /// The event's name, if this program knows it; otherwise nil.
    package var named: Name? { Name(rawValue: event) }
}

// MARK: Writing

extension RunEvent {
    /// The event as a line of JSON, with its members sorted by name.
    package var text: String { VisibleText.json(WithNulls(event: self), snakeCase: true) }

    private struct WithNulls: Encodable {
        let event: RunEvent

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: TextKey.self)
            for name in event.named?.nullable ?? [] {
                try members.encodeNil(forKey: TextKey(stringValue: name))
            }
            try event.encode(to: encoder)
        }
    }

    package static func started(_ run: TrayRecord, units: Int, journal: String) -> RunEvent {
        var event = RunEvent(.runStarted)
        let session = run.sessions.last
        (event.run, event.session, event.units) = (run.id, session?.number, units)
        (event.expected, event.tray, event.journal) = (run.expected, run.tray, journal)
        (event.adapters, event.simulated) = (session?.adapters.map(\.name), run.isSimulated == true)
        return event
    }

    /// The event for the end of the last session of `run`. `exit`: the exit status of the command.
    package static func finished(_ run: TrayRecord, exit: Int) -> RunEvent {
        var event = RunEvent(.runFinished)
        let (session, counts) = (run.sessions.last, run.counts)
        (event.run, event.units, event.open, event.exit) = (run.id, counts.units, counts.open, exit)
        event.counts = counts.byOutcome
        event.firstPassYield = counts.firstPassYield.share?.thousandths
        event.finalYield = counts.finalYield.share?.thousandths
        (event.limitedBy, event.seconds) = (session?.limitedBy, session?.seconds?.thousandths)
        return event
    }

    static func pace(bytesPerSecond: Int, secondsLeft: Double?) -> RunEvent {
        var event = RunEvent(.pace)
        (event.bytesPerSecond, event.secondsLeft) = (Double(bytesPerSecond), secondsLeft?.thousandths)
        return event
    }

    /// A warning about the unit in `slot`, or about the run.
    package static func warning(_ code: String, _ message: String, slot: String? = nil) -> RunEvent {
        RunEvent(.warning, slot, code: code, message)
    }

    private init(_ name: Name, _ slot: String? = nil, code: String, _ message: String) {
        self.init(name, slot)
        (self.code, self.message) = (code, PathText.shown(message))
    }

    /// The event with slots and adapters by name instead of number; nil for an event that is not written.
    package init?(_ event: TrayEvent, slot: (UnitNumber) -> String, adapters: [String]) {
        switch event {
        case .found(let unit, let record):
            self.init(.found, slot(unit))
            (device, id, name, vendor, model, rssi) = record.identity
        case .began(let unit, let record):
            self.init(.attempt, slot(unit))
            (attempt, adapter, device) = (record.number, record.adapter, record.address)
        case .planned(let unit, let record):
            self.init(.started, slot(unit))
            (attempt, adapter, device) = (record.number, record.adapter, record.address)
            versionFrom = record.versionBefore
            guard let firmware = record.firmware else { return }
            (file, sha256, kind) = (PathText.shown(firmware.path), firmware.sha256, firmware.kind)
            (bytes, versionTo) = (firmware.bytes, firmware.version)
            // JSON cannot hold a path that is not UTF-8: `file` is then only readable, and `file_hex` is exact.
            if file != firmware.path { fileHex = HexText.encode(PathText.bytes(of: firmware.path)) }
        case .update(let unit, let update):
            self.init(update)
            self.slot = slot(unit)
        case .warning(let unit, let warning): self = .warning(warning.code, warning.message, slot: slot(unit))
        case .stalled(let unit): self.init(.stalled, slot(unit))
        case .attempted(let unit, let record):
            self.init(.attempted, slot(unit))
            (attempt, seconds, verified) = (record.number, record.seconds?.thousandths, record.verified)
            (outcome, code) = (record.verdict?.outcome, record.verdict?.code)
            (timesSent, sentFrom) = (record.timesSent, record.sentFrom)
            guard let transfer = record.transfer else { return }
            transferSeconds = transfer.seconds.thousandths
            averageBytesPerSecond = transfer.average.thousandths
            (retries, limitedBy) = (transfer.retries, transfer.limitedBy)
        case .ended(let unit, let record):
            let (last, verdict) = (record.attempts.last, record.verdict)
            self.init(verdict?.outcome.isGood == true ? .finished : .failed, slot(unit))
            (device, attempts, verified) = (record.address, record.attempts.count, last?.verified)
            (versionFrom, version) = (last?.versionBefore, last?.versionAfter)
            (outcome, code, during) = (verdict?.outcome, verdict?.code, verdict?.during)
            (message, nextStep) = (verdict?.message.map(PathText.shown), verdict?.nextStep)
            deviceState = verdict?.state.map(State.init)
        case .hold(let hold):
            self.init(hold.released == nil ? .held : .released, code: hold.code, hold.message)
        case .adapter(let number, let links, let limit):
            self.init(.links)
            (adapter, self.links, self.limit) = (adapters[number.value], links, limit)
        case .presence(let number, let isThere):
            self.init(isThere ? .adapterBack : .adapterGone)
            adapter = adapters[number.value]
        case .heard, .canBlink, .blinking: return nil
        }
    }

    /// The event of an update. `part`: the part that is being sent, if there are several. Nil for an event that
    /// concerns neither the state of the unit nor its link.
    package init?(_ event: UpdateEvent, part: UpdatePart? = nil) {
        switch event {
        case .phase(let phase):
            self.init(.phase)
            (name, self.part, parts) = (phase.rawValue, part?.number, part?.count)
        case .progress(let sent, let total, let rate):
            self.init(.progress)
            (self.sent, self.total, bytesPerSecond) = (sent, total, rate.thousandths)
            // Rounded down, so that it is 100 only when everything has arrived.
            percent = total > 0 ? sent * 100 / total : 100
        case .connected(let address, let link):
            self.init(.connected, link)
            device = address.description
        case .detail(.linkChanged(let link)): self.init(.linkChanged, link)
        case .disconnected(let address):
            self.init(.disconnected)
            device = address.description
        case .resumed(let offset):
            self.init(.resumed)
            self.offset = offset
        case .retry(let attempt, let reason, let offset, _):
            self.init(.retry)
            (self.attempt, self.reason, from) = (attempt, reason.rawValue, offset)
        case .warning(let code, let message): self = .warning(code.rawValue, message)
        case .part, .speed, .steadySpeed, .currentSpeed, .detail: return nil
        }
    }

    private init(_ name: Name, _ link: LinkDescription) {
        self.init(name)
        (mtu, phy) = (link.mtu, link.phy)
        intervalMs = link.interval.flatMap { ($0 / .milliseconds(1)).thousandths }
    }
}

extension Double {
    /// Rounded to thousandths, as in all JSON output; nil if it is not finite.
    fileprivate var thousandths: Double? { isFinite ? (self * 1000).rounded() / 1000 : nil }
}

// MARK: Reading

extension RunEvent {
    /// The longest line that is read, in bytes.
    private static let mostBytes = 1 << 18

    /// Reads a line of JSON; nil if it is not an event of schema 1. An unknown event keeps only its name; a known one with
    /// a wrongly typed member is nil.
    package init?(line: some Sequence<UInt8>) {
        let data = Data(line)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard data.count <= Self.mostBytes else { return nil }
        if let event = try? decoder.decode(RunEvent.self, from: data), event.schema == 1 {
            self = event
            return
        }
        // A member of an unknown event may have the name of a known one, but another type.
        guard let head = try? decoder.decode(Head.self, from: data), head.schema == 1,
            Name(rawValue: head.event) == nil
        else { return nil }
        event = head.event
    }

    private struct Head: Decodable { let event: String, schema: Int }

    func writeIdentity(to record: inout UnitRecord) {
        record.identity = (device ?? record.address, id, name, vendor, model, rssi)
    }

    var firmware: FirmwareRecord? {
        file.map {
            FirmwareRecord(
                path: $0, sha256: sha256 ?? "", kind: kind ?? "", bytes: bytes ?? 0, version: versionTo)
        }
    }

    var verdict: UnitVerdict? {
        outcome.map {
            UnitVerdict(
                $0, code: code.map { FailureCode(named: $0) }, during: during, message: message,
                nextStep: nextStep, state: deviceState?.unitState)
        }
    }

    /// The transfer of an attempt, without its number of bytes, which the event does not have.
    var transfer: AttemptRecord.Transfer? {
        transferSeconds.map {
            AttemptRecord.Transfer(
                bytes: 0, seconds: $0, average: averageBytesPerSecond ?? 0, retries: retries ?? 0,
                limitedBy: limitedBy)
        }
    }
}
