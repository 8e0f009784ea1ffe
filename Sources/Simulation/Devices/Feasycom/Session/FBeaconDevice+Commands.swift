extension FBeaconDevice {
    private static let entry = Array("EnterDFU".utf8)
    /// The time from the response to `AT+RESTORE` to the restart; our choice.
    private static let restartDelay = Duration.milliseconds(50)

    /// Processes writes while no update is under way (fbeacon.md, Commands, PIN, Entering). Opening and entering are
    /// whole writes; commands may come in pieces, each up to its CR and LF.
    mutating func processCommand(_ value: [UInt8], by server: AttributeServer, at now: Duration)
        -> [BeaconReaction]
    {
        if value == FBeaconSession.opening {
            counts.openings += 1
            session.isOpen = !isBusy
            return send(session.isOpen ? "$OK,Opened$" : FBeaconAnswers.error, by: server, at: now)
        }
        if value.starts(with: Self.entry) {
            return enter(Array(value.dropFirst(Self.entry.count)), by: server, at: now)
        }
        guard session.isOpen else { return note(.commandBeforeOpening) }
        let (lines, isEndless) = session.commands(in: value)
        var reactions: [BeaconReaction] = []
        for line in lines where !line.isEmpty {
            let (answer, endsLink) = answer(to: String(decoding: line, as: UTF8.self), at: now)
            reactions += send(answer, by: server, at: now)
            if endsLink { return reactions + [.disconnect(at: now)] }
            if session.isRestarting {
                return reactions + [.reset(at: receiver.idle(at: now) + Self.restartDelay)]
            }
        }
        guard isEndless else { return reactions }
        return reactions + note(.endlessCommand) + send(FBeaconAnswers.error, by: server, at: now)
    }

    /// Whether the session belongs to another central, according to the description or a fault.
    private var isBusy: Bool {
        description.access.isBusy || receiver.faults.has(.busy(counts.openings + counts.entryRequests))
    }

    private mutating func answer(to command: String, at now: Duration) -> (text: String, endsLink: Bool) {
        let parts = command.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        guard let name = parts.first, name.hasPrefix("AT+") else {
            return (command == "AT" && session.isTrusted ? FBeaconAnswers.done : FBeaconAnswers.error, false)
        }
        let value = parts.count == 2 ? parts[1] : nil
        if name == "AT+PIN", let value { return tryPIN(value) }
        guard session.isTrusted else {
            _ = note(.commandBeforePIN)
            return (FBeaconAnswers.error, false)
        }
        if name == "AT+RESTORE", value == nil { return (restore(at: now), false) }
        return (carryOut(String(name.dropFirst(3)), value, at: now), false)
    }

    private mutating func restore(at now: Duration) -> String {
        guard description.answers.restore != .refused else { return FBeaconAnswers.error }
        settings = FBeaconSettings(description)
        receiver.flash.store(settings, now)
        session.isRestarting = true
        return description.answers.restore == .answered ? FBeaconAnswers.done : ""
    }

    private mutating func tryPIN(_ pin: String) -> (text: String, endsLink: Bool) {
        guard let wanted = description.access.pin else { return (FBeaconAnswers.done, false) }
        counts.pinTries += 1
        session.isTrusted = pin == wanted
        guard !session.isTrusted else { return (FBeaconAnswers.done, false) }
        counts.wrongPINs += 1
        return (FBeaconAnswers.error, description.access.endsLinkAfterWrongPIN)
    }

    private mutating func enter(
        _ digits: [UInt8], by server: AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        counts.entryRequests += 1
        guard session.isTrusted, digits == [0x30] || digits == [0x31], let digit = digits.first else {
            _ = note(session.isTrusted ? .unknownDigit : .commandBeforePIN)
            return send(FBeaconAnswers.error, by: server, at: now)
        }
        guard !isBusy else { return send(FBeaconAnswers.error, by: server, at: now) }
        let rules = description.entry
        if let refusal = rules.refusal { return send(refusal, by: server, at: now) }
        let model = description.advertiser.model
        let answer = rules.answer(version: version, bootloader: description.bootloader, model: UInt16(model))
        let sent = String(answer.prefix(rules.length ?? answer.count))
        guard sent == answer else { return send(sent, by: server, at: now) }
        counts.entries.append(digit - 0x30)
        restoresSettings = rules.restoringDigit == digit - 0x30
        let reactions = send(answer, by: server, at: now)
        guard rules.staysConnected ?? FBeaconEntry.stayingModels.contains(model) else {
            phase = .leaving
            return reactions + [.disconnect(at: now + rules.linkEndsAfter)]
        }
        phase = .transfer
        receiver.begin(restoringSettings: restoresSettings, at: receiver.idle(at: now))
        return reactions
    }

    /// Sends `text` once flash is idle.
    func send(_ text: String, by server: AttributeServer, at now: Duration) -> [BeaconReaction] {
        server.send(text, at: receiver.idle(at: now))
    }
}

/// Reading and changing settings, and blinking or beeping (fbeacon.md, Settings, Showing itself).
extension FBeaconDevice {
    /// `VER` is read-only, `BUZ` write-only.
    mutating func carryOut(_ name: String, _ value: String?, at now: Duration) -> String {
        guard let value else {
            let found = name == "VER" ? [advertiser.software] : settings[name]
            return found.map { description.answers.values($0, of: name) } ?? FBeaconAnswers.error
        }
        let isDone = name == "BUZ" ? sound(value, at: now) : change(name, to: value, at: now)
        return isDone ? FBeaconAnswers.done : FBeaconAnswers.error
    }

    private mutating func change(_ name: String, to value: String, at now: Duration) -> Bool {
        guard settings[name] != nil else { return false }
        counts.changes += 1
        var changed = settings
        guard !receiver.faults.has(.refuseSetting(counts.changes)), changed.set(name, to: value) else {
            return false
        }
        if name == "LED" { turnOnLight(for: changed.light, at: now) }
        guard !receiver.faults.has(.forgetSetting(counts.changes)) else { return true }
        settings = changed
        receiver.flash.store(settings, now)
        return true
    }

    /// Turns the LED on for `time` from now, whether or not it is on already.
    private mutating func turnOnLight(for time: Duration, at now: Duration) {
        counts.stopLight(at: now)
        if time > .zero { counts.lights.append(FBeaconSignal(from: now, for: time)) }
    }

    /// Turns the buzzer off (`0`), or on (`1` and a number whose meaning is not public); returns whether that is valid.
    private mutating func sound(_ value: String, at now: Duration) -> Bool {
        guard description.advertiser.features.contains(.buzzer) else { return false }
        if value == "0" {
            counts.stopSound(at: now)
            return true
        }
        guard let (isOn, number) = FBeaconSetting.interval(value), isOn == 1, 1...65_535 ~= number else {
            return false
        }
        let isSounding = counts.sounds.last.map { $0.end == nil } ?? false
        if !isSounding { counts.sounds.append(FBeaconSignal(from: now)) }
        return true
    }
}

/// A period during which the LED or buzzer of a Feasycom beacon was on (fbeacon.md, Showing itself).
package struct FBeaconSignal: Hashable, Sendable {
    package let start: Duration
    /// When it ended, or will end by itself; nil if it has no end.
    private(set) var end: Duration?

    package var lasted: Duration { (end ?? start) - start }

    init(from start: Duration, for length: Duration? = nil) {
        self.start = start
        end = length.map { start + $0 }
    }

    mutating func stop(at now: Duration) { end = min(end ?? now, max(start, now)) }
}

extension FBeaconStatistics {
    mutating func stopSignals(at now: Duration) {
        stopLight(at: now)
        stopSound(at: now)
    }

    mutating func stopLight(at now: Duration) {
        if let last = lights.indices.last { lights[last].stop(at: now) }
    }

    mutating func stopSound(at now: Duration) {
        if let last = sounds.indices.last { sounds[last].stop(at: now) }
    }
}

/// The format of a Feasycom beacon's responses to commands (fbeacon.md, Commands, Settings).
package struct FBeaconAnswers: Hashable, Sendable {
    package enum Form: String, CaseIterable, Hashable, Sendable {
        case lines
        /// An empty line after each value, as the vendor's library expects.
        case spaced
    }

    /// The response to `AT+RESTORE` (fbeacon.md, Restoring).
    package enum Restore: String, CaseIterable, Hashable, Sendable {
        /// `OK` precedes the restart.
        case answered
        case silent
        case refused
    }

    package var form = Form.lines
    package var restore = Restore.answered
    /// Whether the response to `AT+NAME` is `+LENAME=`.
    package var usesLENAME = false

    static let done = "OK\r\n"
    static let error = "ERROR\r\n"

    func values(_ values: [String], of name: String) -> String {
        let title = name == "NAME" && usesLENAME ? "LENAME" : name
        let space = form == .spaced ? "\r\n" : ""
        return values.map { "+\(title)=\($0)\r\n\(space)" }.joined() + Self.done
    }
}

struct FBeaconSession: Hashable, Sendable {
    var isOpen = false
    var isRestarting = false
    var isTrusted: Bool
    private var line: [UInt8] = []

    /// The maximum length of a command in bytes; our choice.
    private static let longest = 128
    static let opening = Array("$OpenFscAtEngine$".utf8)

    init(_ access: FBeaconAccess) { isTrusted = access.pin == nil }

    /// The complete commands, without CR and LF, and whether an unfinished one exceeds the maximum length.
    mutating func commands(in bytes: [UInt8]) -> (lines: [[UInt8]], isEndless: Bool) {
        line += bytes
        var lines: [[UInt8]] = []
        while let end = line.indices.first(where: { line[$0...].starts(with: [0x0D, 0x0A]) }) {
            lines.append(Array(line[..<end]))
            line.removeFirst(end + 2)
        }
        guard line.count > Self.longest else { return (lines, false) }
        line = []
        return (lines, true)
    }
}

/// The access control of a Feasycom beacon (fbeacon.md, PIN).
package struct FBeaconAccess: Hashable, Sendable {
    /// The PIN that must be sent first: four zeros on older units, six digits on newer ones; nil if none is needed.
    package var pin: String?
    package var endsLinkAfterWrongPIN = false
    package var isBusy = false
}
