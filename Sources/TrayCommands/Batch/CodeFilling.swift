import Bluetooth
import Bytes
import CommandKit
import Firmware
import Glibc
import Tray
import TrayJournal

/// Fills the slots of a tray with codes, from a list or a scanner.
struct CodeFilling: Sendable {
    /// The path of the list of codes; `-` for stdin.
    let path: String
    /// The codes of the list; nil for stdin.
    private let list: ScannedCodeList?
    let overrides: Set<ScanOverride>
    let journal: Journal
    /// The SHA-256 of the tray's firmware file; nil if the tray names none.
    let sha256: String?
    let isSimulated: Bool
    private let survey: UnitSurvey

    init(
        path: String, overrides: Set<ScanOverride>, journal: Journal, sha256: String?, isSimulated: Bool,
        survey: UnitSurvey
    ) throws {
        (self.path, self.overrides, self.journal) = (path, overrides, journal)
        (self.sha256, self.isSimulated, self.survey) = (sha256, isSimulated, survey)
        guard path != "-" else {
            list = nil
            return
        }
        let text = try FileContent(path: path)
        do throws(ScannedCodeError) { list = try ScannedCodeList(parsing: text.bytes) } catch {
            throw CommandFailure(.tray.codeInvalid, during: "filling the slots", message: "\(path): \(error)")
        }
    }

    /// Fills `slots` with the beacons of the codes, and leaves out slots that the operator skips. A scanner's codes are read
    /// while the adapters listen; a list is used after a scan for its beacons. Codes may also come from `page`.
    func fill(_ slots: [TraySlot], _ console: Console, _ page: RunPage? = nil) async throws -> [TraySlot] {
        guard let tray = try? TrayFile(units: .slots(slots), firmware: .file("none")) else { return slots }
        var filling = SlotFilling(tray)
        if let list {
            try await survey.scan(until: .devices(list.entries.map(\.code.device)), telling: console)
            try await fill(&filling, from: list, console)
        } else {
            let prompt = CodePrompt(console, page)
            filling = try await survey.scanning(telling: console) { [filling] in
                try await prompt.reading { lines in
                    try await filledFromScanner(filling, &lines, prompt, console)
                }
            }
        }
        let skipped = Set(filling.skipped)
        if let labels = filling.tray.slots.runs(where: { skipped.contains($0.label) }) {
            console.notice("left out of this run, because they stay empty: \(TerminalText(labels))")
        }
        return filling.tray.slots.filter { !skipped.contains($0.label) }
    }

    /// Asks at the keyboard about each refused code of a list that can be allowed. The others, and without a terminal all
    /// refused codes, are reported together at the end. If a code is left out, its slot stays empty, and the next code is
    /// for the next slot.
    private func fill(
        _ filling: inout SlotFilling, from list: ScannedCodeList, _ console: Console
    ) async throws {
        var lines = TypedLines()
        var refused: [Refused] = []
        for entry in list.entries {
            var allowed = overrides
            asking: while let refusal = try await refusal(
                of: entry.code, by: &filling, allowing: allowed, console)
            {
                let undecided = Refused(entry.line, refusal, of: entry.code)
                guard isatty(STDIN_FILENO) == 1, let override = refusal.override else {
                    undecided.leave(&filling, in: &refused)
                    break
                }
                console.warn(.tray.codeRefused, "\(path): line \(entry.line): \(refusal)")
                if survey.beacon(of: entry.code.device) != nil {
                    console.notice(TerminalText("scanned: \(words(entry.code.device))"))
                }
                console.notice("\(Self.question(override)) 'y' accepts it, 'n' leaves it out")
                guard let line = try await lines.next() else {
                    undecided.leave(&filling, in: &refused)
                    break
                }
                switch ScanAnswer(line) {
                case .allow: allowed.insert(override)
                case .skip, .no:
                    undecided.passOver(&filling)
                    break asking
                case .undo, .end, .help, nil: continue
                }
            }
        }
        try refuse(refused)
    }

    /// A refused code that still needs a decision.
    private struct Refused {
        /// The line number, from 1.
        let line: Int
        let words: String
        /// Whether it would have filled the next empty slot: it names no slot, and its beacon has none yet.
        let isForNextSlot: Bool
        /// The code, and the decisions that allow it; nil if it cannot be allowed or is from a list.
        var acceptance: (code: ScannedCode, allowed: Set<ScanOverride>)?
        var override: ScanOverride?
        /// Whether a person saw the refusal at the prompt.
        let isSeen: Bool

        init(_ line: Int, _ refusal: ScanRefusal, of code: ScannedCode, isSeen: Bool = false) {
            (self.line, words, override, self.isSeen) = (line, "\(refusal)", refusal.override, isSeen)
            isForNextSlot = code.slot == nil && override != .move
        }

        init(_ line: Int, _ flaw: ScannedCodeError, isSeen: Bool) {
            (self.line, words, self.isSeen, isForNextSlot) = (line, "\(flaw)", isSeen, true)
        }

        /// Leaves the code's slot empty: the next code is for the next slot.
        func passOver(_ filling: inout SlotFilling) { if isForNextSlot { _ = filling.skipSlot() } }

        /// Leaves the code undecided, which is an error once all codes were read.
        func leave(_ filling: inout SlotFilling, in refused: inout [Refused]) {
            refused.append(self)
            passOver(&filling)
        }
    }

    private func refuse(_ refused: [Refused]) throws {
        guard !refused.isEmpty else { return }
        let names = Set(refused.compactMap(\.override?.rawValue)).sorted()
        throw CommandFailure(
            .tray.codeRefused, during: "filling the slots",
            message: (list == nil ? "stdin, " : path + ": ")
                + refused.map { "line \($0.line): \($0.words)" }.joined(separator: "; "),
            nextStep: names.isEmpty
                ? nil : "if this is intended, add " + names.map { "--allow \($0)" }.joined(separator: " "))
    }

    /// Reads codes from a scanner, which acts as a keyboard and ends each code with Enter. A refused code can be accepted,
    /// left out, or followed by another one; `undo` takes the last step back. If nobody sees the prompt, the next line has
    /// to decide about a refused code; otherwise the refusal is an error, and the next code is for the next slot.
    func filledFromScanner(
        _ empty: SlotFilling, _ lines: inout CodeLines, _ prompt: CodePrompt, _ console: Console
    ) async throws -> SlotFilling {
        var filling = empty
        var before: [SlotFilling] = []
        var pending: Refused?
        var unsettled: [Refused] = []
        var number = 0
        while let next = filling.next {
            let label = filling.tray.slots[next].label
            let (full, short) = Self.prompt(for: label, after: pending)
            prompt.ask(
                full, short: short, next: label, asks: pending?.override != nil, filling, beacons: words)
            guard let line = try await lines.next() else { break }
            number += 1
            if line.text.allSatisfy(\.isWhitespace) {
                guard line.isSeen else { break }
                if pending == nil { prompt.talk(Self.keys) }
                pending = nil
                continue
            }
            let (code, allowed, place): (ScannedCode, Set<ScanOverride>, Int)
            switch ScanAnswer(line.text) {
            case nil:
                if let pending, !pending.isSeen { pending.leave(&filling, in: &unsettled) }
                pending = nil
                do throws(ScannedCodeError) { code = try ScannedCode(line: line.text) } catch {
                    prompt.warn("\(error)")
                    pending = Refused(number, error, isSeen: line.isSeen)
                    continue
                }
                (allowed, place) = (overrides, number)
            case .allow:
                guard let refused = pending, let acceptance = refused.acceptance else {
                    prompt.talk("there is no refused code to accept")
                    continue
                }
                (code, allowed, place) = (acceptance.code, acceptance.allowed, refused.line)
                pending = nil
            case .no:
                prompt.talk(pending == nil ? "there is no refused code to leave out" : Self.isLeftOut)
                pending = nil
                continue
            case .skip:
                if pending != nil {
                    prompt.talk(Self.isLeftOut)
                } else {
                    before.append(filling)
                    if let label = filling.skipSlot() { prompt.talk("\(label): stays empty") }
                }
                pending = nil
                continue
            case .undo:
                pending = nil
                undo(&filling, &before, prompt)
                continue
            case .end:
                pending = nil
                while filling.skipSlot() != nil {}
                continue
            case .help:
                prompt.talk(Self.keys)
                continue
            }
            let old = filling
            if let refusal = try await refusal(
                of: code, by: &filling, at: survey.time.now, allowing: allowed, console)
            {
                prompt.warn("\(refusal)")
                if survey.beacon(of: code.device) != nil { prompt.talk("scanned: \(words(code.device))") }
                if case .passed = refusal {
                } else if let open = filling.openSlots {
                    prompt.talk("slots without a beacon: \(open)")
                }
                pending = Refused(place, refusal, of: code, isSeen: line.isSeen)
                pending?.acceptance = refusal.override.map { (code, allowed.union([$0])) }
            } else if filling.tray != old.tray {
                before.append(old)
                showChanges(from: old, to: filling, prompt)
            }
        }
        if let pending, !pending.isSeen { pending.leave(&filling, in: &unsettled) }
        try refuse(unsettled)
        return filling
    }

    /// The prompt for a terminal, and for a page, which has a button for each answer.
    private static func prompt(for label: String, after pending: Refused?) -> (TerminalText, String) {
        guard let pending else {
            return (
                "\(label): scan the label, or type 'skip', 'undo' or 'end' ('?' explains them)",
                "Scan the label for \(label)."
            )
        }
        let isNext = !pending.isSeen && pending.isForNextSlot
        let next: TerminalText =
            isNext ? "the next code is for the slot after \(label)" : "scan another label for \(label)"
        guard let override = pending.override else {
            return (
                isNext ? next : "\(label): scan another label, or the same one again",
                "Refused: \(pending.words). Scan another label for \(label), or the same one again."
            )
        }
        return (
            "\(question(override)) 'y' accepts it, 'n' leaves it out; or \(next)",
            "Refused: \(pending.words). \(question(override).prefix(1).uppercased() + question(override).dropFirst())"
        )
    }

    /// The answers at the prompt.
    static let keys =
        "y accepts a refused code, n leaves it out; skip leaves the slot empty; undo takes the last code or skip back; end leaves all open slots empty, and the run begins. The first letter is enough; a code that is such a word is written as id:WORD"

    private static let isLeftOut = "the refused code is left out"

    private static func question(_ override: ScanOverride) -> String {
        switch override {
        case .move: "was it moved?"
        case .replace: "does it replace the other one?"
        case .unknown: "is it a unit of this tray?"
        case .again: "update it again?"
        }
    }

    private func undo(_ filling: inout SlotFilling, _ before: inout [SlotFilling], _ prompt: CodePrompt) {
        guard let last = before.popLast() else {
            prompt.talk("no code has been accepted yet")
            return
        }
        let old = filling
        filling = last
        if old.tray == last.tray {
            for label in Set(old.skipped).subtracting(last.skipped).sorted() {
                prompt.talk("\(label): open again")
            }
        }
        showChanges(from: old, to: filling, prompt)
    }

    /// Shows the slots that have changed, with what is heard of their beacons.
    private func showChanges(from old: SlotFilling, to new: SlotFilling, _ prompt: CodePrompt) {
        for (old, new) in zip(old.tray.slots, new.tray.slots) where old.device != new.device {
            prompt.talk("\(new.label): \(new.device.map(words) ?? "empty again")")
        }
    }

    /// The code's beacon, with address, name and signal as heard.
    private func words(_ device: DeviceSelector) -> String {
        guard let beacon = survey.beacon(of: device) else { return "\(device), not heard" }
        let address = "\(beacon.address)" == "\(device)" ? nil : "\(beacon.address)"
        let signal = beacon.rssi.map { "\($0) dBm" }
        return ["\(device)", address, beacon.data.name, signal].compactMap(\.self).joined(separator: ", ")
    }

    private func refusal(
        of code: ScannedCode, by filling: inout SlotFilling, at moment: Duration? = nil,
        allowing overrides: Set<ScanOverride>, _ console: Console
    ) async throws -> ScanRefusal? {
        let status = try await status(of: code, allowing: overrides, console)
        do throws(ScanRefusal) {
            _ = try filling.fill(with: code, at: moment, status: status, allowing: overrides)
            return nil
        } catch { return error }
    }

    private func status(
        of code: ScannedCode, allowing overrides: Set<ScanOverride>, _ console: Console
    ) async throws -> CodeStatus {
        if let sha256,
            let row = try? await journal.pass(of: code.device, sha256: sha256, simulated: isSimulated)
        {
            return .passed(
                EarlierPass(
                    at: row.attempt.began, run: row.run.id, isSingle: row.run.isSingle == true,
                    order: row.run.orderNumber))
        }
        if overrides.contains(.unknown) { return .expected }
        return try await survey.awaitBeacon(of: code.device, telling: console) == nil ? .unknown : .expected
    }
}

/// An operator's answer at the prompt instead of a code; the first letter is enough. An id that is one of
/// these words is entered as `id:undo`.
enum ScanAnswer: String, CaseIterable {
    /// Accepts the refused code; also `y` and `yes`.
    case allow
    /// The refused code is left out.
    case no
    /// Leaves out the refused code, if there is one; else leaves the slot empty.
    case skip
    case undo
    case end
    /// Shows the answers; also `?`.
    case help

    init?(_ line: String) {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let word = words.first?.lowercased() else { return nil }
        let other: [String: ScanAnswer] = ["y": .allow, "yes": .allow, "?": .help]
        let named = Self.allCases.first { [$0.rawValue, String($0.rawValue.prefix(1))].contains(word) }
        guard let answer = other[word] ?? named else { return nil }
        self = answer
    }
}
