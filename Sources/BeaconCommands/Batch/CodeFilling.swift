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
    /// What the operator has decided.
    let overrides: Set<ScanOverride>
    let journal: Journal
    /// The SHA-256 of the tray's own file; nil where a catalogue chooses.
    let sha256: String?
    /// Whether the beacons are simulated.
    let isSimulated: Bool

    /// `slots` with the beacons of the codes. `heard` are those that belong to this bench.
    func fill(
        _ slots: [TraySlot], heard: BeaconSightings, by time: ScanTime, _ console: Console
    ) async throws -> [TraySlot] {
        guard let tray = try? TrayFile(units: .slots(slots), firmware: .file("none")) else { return slots }
        var filling = SlotFilling(tray)
        if path == "-" {
            try await fillFromKeyboard(&filling, heard, time, console)
        } else {
            let text = try FirmwareFile(path: path)
            let list: ScannedCodeList
            do throws(ScannedCodeFlaw) { list = try ScannedCodeList(parsing: text.bytes) } catch {
                throw Self.failure("\(path): \(error)")
            }
            try await fill(&filling, from: list, heard, console)
        }
        return filling.tray.slots
    }

    /// Each code of a list that is refused is settled at the keyboard, where there is one; otherwise all of them are told at once.
    private func fill(
        _ filling: inout SlotFilling, from list: ScannedCodeList, _ heard: BeaconSightings, _ console: Console
    ) async throws {
        var lines = KeyboardLines()
        var refused: [(line: Int, refusal: ScanRefusal)] = []
        for entry in list.entries {
            var allowed = overrides
            asking: while let refusal = await refusal(of: entry.code, by: &filling, heard, allowing: allowed)
            {
                guard isatty(STDIN_FILENO) == 1, let override = refusal.override else {
                    refused.append((entry.line, refusal))
                    break
                }
                console.warn("code-refused", "\(path): line \(entry.line): \(refusal)")
                console.talk("'allow' takes it, 'skip' leaves it out")
                guard let line = await lines.next() else {
                    refused.append((entry.line, refusal))
                    break
                }
                switch ScanAnswer(line) {
                case .allow: allowed.insert(override)
                case .skip: break asking
                case .undo, nil: continue
                }
            }
        }
        guard !refused.isEmpty else { return }
        let names = Set(refused.compactMap(\.refusal.override?.rawValue)).sorted()
        throw CommandFailure(
            "code-refused", during: "filling the slots",
            message: path + ": " + refused.map { "line \($0.line): \($0.refusal)" }.joined(separator: "; "),
            nextStep: names.isEmpty
                ? nil : "if that is so, " + names.map { "--allow \($0)" }.joined(separator: " "))
    }

    /// A scanner is a keyboard that ends with Enter. A code that is refused can be allowed, or followed by another one; `undo` takes
    /// back the last one that was taken.
    private func fillFromKeyboard(
        _ filling: inout SlotFilling, _ heard: BeaconSightings, _ time: ScanTime, _ console: Console
    ) async throws {
        var lines = KeyboardLines()
        var before: [SlotFilling] = []
        var refused: (code: ScannedCode, allowed: Set<ScanOverride>)?
        while let next = filling.next {
            let label = filling.tray.slots[next].label
            console.talk(
                refused == nil
                    ? "\(label): scan the label ('undo' takes the last one back, an empty line ends)"
                    : "\(label): 'allow' takes the refused code, 'skip' leaves it out; or scan another label")
            guard let line = await lines.next() else { return }
            let code: ScannedCode
            var allowed = overrides
            switch ScanAnswer(line) {
            case nil:
                refused = nil
                do throws(ScannedCodeFlaw) { code = try ScannedCode(line: line) } catch {
                    console.warn("code-refused", "\(error)")
                    continue
                }
            case .allow:
                guard let pending = refused else {
                    console.talk("no code was refused")
                    continue
                }
                (code, allowed) = (pending.code, pending.allowed)
            case .skip:
                if refused == nil, line.allSatisfy(\.isWhitespace) { return }
                refused = nil
                continue
            case .undo:
                refused = nil
                takeBack(&filling, &before, console)
                continue
            }
            let old = filling
            if let refusal = await refusal(of: code, by: &filling, heard, at: time.now, allowing: allowed) {
                console.warn("code-refused", "\(refusal)")
                refused = refusal.override.map { (code, allowed.union([$0])) }
            } else if filling.tray != old.tray {
                before.append(old)
                refused = nil
                for slot in Self.changes(from: old, to: filling) { console.talk(TerminalText(slot)) }
            }
        }
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

    private func standing(of code: ScannedCode, _ heard: BeaconSightings) async -> CodeStanding {
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

    private static func failure(_ message: String) -> CommandFailure {
        CommandFailure("code-invalid", during: "filling the slots", message: message)
    }
}

/// What an operator answers at the prompt in place of a code; the first letter will do. An id that is one of these words is scanned as
/// `id:undo`.
enum ScanAnswer: String, CaseIterable {
    /// The refused code is taken.
    case allow
    /// The refused code is left out; an empty line too.
    case skip
    /// The last code that was taken is taken back.
    case undo

    init?(_ line: String) {
        let word = String(line.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }).lowercased()
        guard
            let answer = word.isEmpty
                ? .skip
                : Self.allCases.first(where: { [$0.rawValue, String($0.rawValue.prefix(1))].contains(word) }),
            line.split(whereSeparator: \.isWhitespace).count < 2
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
