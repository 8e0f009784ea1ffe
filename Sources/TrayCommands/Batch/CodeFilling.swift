import Bluetooth
import Bytes
import CommandKit
import Glibc
import Identity
import Tray
import TrayJournal

/// Fills the slots of a tray from a code scanner, or from a list of scanned codes.
struct CodeFilling: Sendable {
    /// The list, `-` for stdin.
    let path: String
    /// The codes of the list; nil for stdin.
    private let list: ScannedCodeList?
    let overrides: Set<ScanOverride>
    let journal: Journal
    /// The SHA-256 of the tray's firmware file; nil if a catalogue chooses.
    let sha256: String?
    let isSimulated: Bool

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
        do throws(ScannedCodeError) { list = try ScannedCodeList(parsing: text.bytes) } catch {
            throw CommandFailure(.tray.codeInvalid, during: "filling the slots", message: "\(path): \(error)")
        }
    }

    /// `slots` with the beacons of the codes. `heard` are the beacons in range of this bench; `time` detects a code that
    /// is scanned twice in a row.
    func fill(
        _ slots: [TraySlot], heard: BeaconSightings, by time: Timekeeper, _ console: Console
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

    /// Asks at the keyboard about each refused code of a list that can be allowed; the others, and without a terminal
    /// all of them, are reported at once. A skipped code leaves its slot empty: the codes after it are for the slots
    /// after it.
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
                console.warn(.tray.codeRefused, "\(path): line \(entry.line): \(refusal)")
                console.talk("'allow' accepts it, 'skip' leaves it out")
                guard let line = try await lines.next() else {
                    refused.append(Refused(entry.line, refusal))
                    break
                }
                switch ScanAnswer(line) {
                case .allow: allowed.insert(override)
                case .skip:
                    // A code that was scanned twice already has its slot.
                    if override != .move { filling.passOver(entry.code) }
                    break asking
                case .undo, nil: continue
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
        /// The code, and the decisions that allow it; nil if it cannot be allowed.
        var way: (code: ScannedCode, allowed: Set<ScanOverride>)?
        var override: ScanOverride?

        init(_ line: Int, _ refusal: ScanRefusal) {
            (self.line, words, override) = (line, "\(refusal)", refusal.override)
        }

        init(_ line: Int, _ flaw: ScannedCodeError) { (self.line, words) = (line, "\(flaw)") }
    }

    private func refuse(_ refused: [Refused]) throws {
        guard !refused.isEmpty else { return }
        let names = Set(refused.compactMap(\.override?.rawValue)).sorted()
        throw CommandFailure(
            .tray.codeRefused, during: "filling the slots",
            message: path + ": " + refused.map { "line \($0.line): \($0.words)" }.joined(separator: "; "),
            nextStep: names.isEmpty
                ? nil : "if this is intended, add " + names.map { "--allow \($0)" }.joined(separator: " "))
    }

    /// Reads codes from a scanner, which acts as a keyboard and ends each code with Enter. A refused code can
    /// be allowed, skipped, or followed by another one; `undo` removes the last accepted code. If stdin is
    /// not a terminal, a refusal is an error unless the next line decides on it.
    private func fillFromKeyboard(
        _ filling: inout SlotFilling, _ heard: BeaconSightings, _ time: Timekeeper, _ console: Console
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
                do throws(ScannedCodeError) { code = try ScannedCode(line: line) } catch {
                    console.warn(.tray.codeRefused, "\(error)")
                    pending = Refused(number, error)
                    continue
                }
                (allowed, place) = (overrides, number)
            case .allow:
                guard let refused = pending, let way = refused.way else {
                    console.talk("there is no refused code to allow")
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
                console.warn(.tray.codeRefused, "\(refusal)")
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
            return "\(label): scan the label ('undo' removes the last code, an empty line ends)"
        }
        return pending.way == nil
            ? "\(label): scan another label, or the same one again"
            : "\(label): 'allow' accepts the refused code, 'skip' leaves it out; or scan another label"
    }

    private func takeBack(_ filling: inout SlotFilling, _ before: inout [SlotFilling], _ console: Console) {
        guard let last = before.popLast() else {
            console.talk("no code has been accepted yet")
            return
        }
        let changes = Self.changes(from: filling, to: last)
        filling = last
        for slot in changes { console.talk(TerminalText(slot)) }
    }

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
        let status = await status(of: code, heard)
        do throws(ScanRefusal) {
            _ = try filling.fill(with: code, at: moment, status: status, allowing: overrides)
            return nil
        } catch {
            return error
        }
    }

    private func status(of code: ScannedCode, _ heard: BeaconSightings) async -> CodeStatus {
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

/// An operator's answer at the prompt instead of a code; the first letter is enough. An id that is one of
/// these words is entered as `id:undo`.
enum ScanAnswer: String, CaseIterable {
    case allow
    case skip
    /// Removes the last accepted code.
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

/// Reads typed lines from stdin without blocking other tasks.
struct KeyboardLines {
    /// Bytes kept of a line: several times the length of any code with its slot. A truncated line is refused, as the
    /// whole one would be.
    static let most = 1024
    private var typed = LineSplitter(limit: most, excess: .cut)
    private var isOver = false

    /// The next line; nil at the end. Throws when the task is cancelled.
    mutating func next() async throws -> String? {
        let loop = try EventLoop.shared.get()
        while true {
            if let line = typed.next() { return String(decoding: line, as: UTF8.self) }
            guard !isOver else { return typed.rest().map { String(decoding: $0, as: UTF8.self) } }
            await loop.wait(for: .readable, of: STDIN_FILENO)
            // After a cancellation there may be nothing to read, and a read would block.
            try Task.checkCancellation()
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            typed.take(bytes[..<max(0, count)])
            isOver = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)
        }
    }
}
