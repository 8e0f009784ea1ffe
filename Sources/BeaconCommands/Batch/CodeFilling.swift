import BeaconIdentity
import BluetoothTypes
import Glibc
import PacketSockets
import Radio
import Timing
import Tray
import TrayJournal

/// Fills the slots of a tray from a scanner, or from a list of what one has read.
struct CodeFilling: Sendable {
    /// The list, `-` for stdin.
    let path: String
    /// What is in it; nil for stdin.
    private let list: ScannedCodeList?
    /// What the operator has decided.
    let overrides: Set<ScanOverride>
    let journal: Journal
    /// The SHA-256 of the tray's own file; nil where a catalogue chooses.
    let sha256: String?
    /// Whether the beacons are simulated.
    let isSimulated: Bool

    /// Reads the list at `path`; what it means is found out by `fill`.
    init(
        path: String, overrides: Set<ScanOverride>, journal: Journal, sha256: String?, isSimulated: Bool
    ) throws {
        (self.path, self.overrides, self.journal) = (path, overrides, journal)
        (self.sha256, self.isSimulated) = (sha256, isSimulated)
        guard path != "-" else {
            list = nil
            return
        }
        let text = try FirmwareFile(path: path)
        do throws(ScannedCodeFlaw) { list = try ScannedCodeList(parsing: text.bytes) } catch {
            throw CommandFailure("code-invalid", during: "filling the slots", message: "\(path): \(error)")
        }
    }

    /// `slots` with the beacons of the codes. `heard` are those that belong to this bench.
    func fill(
        _ slots: [TraySlot], heard: BeaconSightings, by time: ScanTime, _ console: Console
    ) async throws -> [TraySlot] {
        guard let tray = try? TrayFile(units: .slots(slots), firmware: .file("none")) else { return slots }
        var filling = SlotFilling(tray)
        if let list {
            try await fill(&filling, from: list, heard, console)
        } else {
            try await fillFromKeyboard(&filling, heard, time, console)
        }
        return filling.tray.slots
    }

    /// Each code of a list that is refused is settled at the keyboard, where there is one; otherwise all of them are told at once. What is
    /// left out leaves its slot empty: the codes after it are for the slots after it.
    private func fill(
        _ filling: inout SlotFilling, from list: ScannedCodeList, _ heard: BeaconSightings, _ console: Console
    ) async throws {
        var lines = KeyboardLines()
        var refused: [Refused] = []
        for entry in list.entries {
            var allowed = overrides
            asking: while let refusal = await refusal(of: entry.code, by: &filling, heard, allowing: allowed)
            {
                guard isatty(STDIN_FILENO) == 1, let override = refusal.override else {
                    refused.append(Refused(entry.line, refusal))
                    break
                }
                console.warn("code-refused", "\(path): line \(entry.line): \(refusal)")
                console.talk("'allow' takes it, 'skip' leaves it out")
                guard let line = try await lines.next() else {
                    refused.append(Refused(entry.line, refusal))
                    break
                }
                switch ScanAnswer(line) {
                case .allow: allowed.insert(override)
                case .skip:
                    // One that was read twice has its slot.
                    if override != .move { filling.passOver(entry.code) }
                    break asking
                case .undo, nil: continue
                }
            }
        }
        try refuse(refused)
    }

    /// A code that was refused and not settled.
    private struct Refused {
        /// Its line, from 1.
        let line: Int
        /// Why, for people.
        let words: String
        /// The code, and what lets it in; nil where nothing does.
        var way: (code: ScannedCode, allowed: Set<ScanOverride>)?
        /// The decision that is missing.
        var override: ScanOverride?

        init(_ line: Int, _ refusal: ScanRefusal) {
            (self.line, words, override) = (line, "\(refusal)", refusal.override)
        }

        init(_ line: Int, _ flaw: ScannedCodeFlaw) { (self.line, words) = (line, "\(flaw)") }
    }

    /// Throws where codes were refused.
    private func refuse(_ refused: [Refused]) throws {
        guard !refused.isEmpty else { return }
        let names = Set(refused.compactMap(\.override?.rawValue)).sorted()
        throw CommandFailure(
            "code-refused", during: "filling the slots",
            message: path + ": " + refused.map { "line \($0.line): \($0.words)" }.joined(separator: "; "),
            nextStep: names.isEmpty
                ? nil : "if that is so, " + names.map { "--allow \($0)" }.joined(separator: " "))
    }

    /// A scanner is a keyboard that ends with Enter. A code that is refused can be allowed, left out, or followed by another one; `undo`
    /// takes back the last one that was taken. Where stdin is no terminal, nobody sees a refusal: there it is an error, unless the next
    /// line settles it.
    private func fillFromKeyboard(
        _ filling: inout SlotFilling, _ heard: BeaconSightings, _ time: ScanTime, _ console: Console
    ) async throws {
        let isSeen = isatty(STDIN_FILENO) == 1
        var lines = KeyboardLines()
        var before: [SlotFilling] = []
        var pending: Refused?
        var unsettled: [Refused] = []
        var number = 0
        while let next = filling.next {
            console.talk(Self.prompt(for: filling.tray.slots[next].label, after: pending))
            guard let line = try await lines.next() else { break }
            number += 1
            if line.allSatisfy(\.isWhitespace) {
                guard isSeen, pending != nil else { break }
                pending = nil
                continue
            }
            let (code, allowed, place): (ScannedCode, Set<ScanOverride>, Int)
            switch ScanAnswer(line) {
            case nil:
                unsettled += [pending].compactMap(\.self)
                pending = nil
                do throws(ScannedCodeFlaw) { code = try ScannedCode(line: line) } catch {
                    console.warn("code-refused", "\(error)")
                    pending = Refused(number, error)
                    continue
                }
                (allowed, place) = (overrides, number)
            case .allow:
                guard let refused = pending, let way = refused.way else {
                    console.talk("no code can be allowed")
                    continue
                }
                (code, allowed, place) = (way.code, way.allowed, refused.line)
                pending = nil
            case .skip:
                pending = nil
                continue
            case .undo:
                takeBack(&filling, &before, console)
                continue
            }
            let old = filling
            if let refusal = await refusal(of: code, by: &filling, heard, at: time.now, allowing: allowed) {
                console.warn("code-refused", "\(refusal)")
                pending = Refused(place, refusal)
                pending?.way = refusal.override.map { (code, allowed.union([$0])) }
            } else if filling.tray != old.tray {
                before.append(old)
                for slot in Self.changes(from: old, to: filling) { console.talk(TerminalText(slot)) }
            }
        }
        if !isSeen { try refuse(unsettled + [pending].compactMap(\.self)) }
    }

    private static func prompt(for label: String, after pending: Refused?) -> TerminalText {
        guard let pending else {
            return "\(label): scan the label ('undo' takes the last one back, an empty line ends)"
        }
        return pending.way == nil
            ? "\(label): scan another label, or the same once more"
            : "\(label): 'allow' takes the refused code, 'skip' leaves it out; or scan another label"
    }

    private func takeBack(_ filling: inout SlotFilling, _ before: inout [SlotFilling], _ console: Console) {
        guard let last = before.popLast() else {
            console.talk("no code was taken yet")
            return
        }
        let changes = Self.changes(from: filling, to: last)
        filling = last
        for slot in changes { console.talk(TerminalText(slot)) }
    }

    /// The slots that have another beacon now, or none.
    private static func changes(from old: SlotFilling, to new: SlotFilling) -> [String] {
        zip(old.tray.slots, new.tray.slots).compactMap { old, new in
            old.device == new.device ? nil : "\(new.label): \(new.device.map { "\($0)" } ?? "empty again")"
        }
    }

    private func refusal(
        of code: ScannedCode, by filling: inout SlotFilling, _ heard: BeaconSightings,
        at moment: Duration? = nil,
        allowing overrides: Set<ScanOverride>
    ) async -> ScanRefusal? {
        let standing = await standing(of: code, heard)
        do throws(ScanRefusal) {
            _ = try filling.fill(with: code, at: moment, standing: standing, allowing: overrides)
            return nil
        } catch {
            return error
        }
    }

    private func standing(of code: ScannedCode, _ heard: BeaconSightings) async -> CodeStatus {
        if let sha256,
            let row = try? await journal.pass(of: code.device, sha256: sha256, simulated: isSimulated)
        {
            return .passed(
                EarlierPass(
                    at: row.attempt.began, run: row.run.id, isSingle: row.run.isSingle == true,
                    order: row.run.orderNumber))
        }
        let isHeard = heard.all.contains {
            code.device.matches($0) || code.device.means($0.address.neighbour(-1)) && $0.isBootloader
        }
        return isHeard ? .expected : .unknown
    }
}

/// What an operator answers at the prompt in place of a code; the first letter will do. An id that is one of these words is scanned as
/// `id:undo`.
enum ScanAnswer: String, CaseIterable {
    /// The refused code is taken.
    case allow
    /// The refused code is left out.
    case skip
    /// The last code that was taken is taken back.
    case undo

    init?(_ line: String) {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let word = words.first?.lowercased(),
            let answer = Self.allCases.first(where: {
                [$0.rawValue, String($0.rawValue.prefix(1))].contains(word)
            })
        else { return nil }
        self = answer
    }
}

/// The clock that tells a scanner that reads twice.
struct ScanTime: Sendable {
    private let read: @Sendable () -> Duration
    init(_ adapter: some Adapter) { read = { adapter.time.now } }
    var now: Duration { read() }
}
