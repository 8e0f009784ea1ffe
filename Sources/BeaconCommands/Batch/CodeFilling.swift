import BeaconIdentity
import BluetoothTypes
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
            for entry in list.entries { try await fill(&filling, with: entry.code, line: entry.line, heard) }
        }
        return filling.tray.slots
    }

    private func fill(
        _ filling: inout SlotFilling, with code: ScannedCode, line: Int, _ heard: BeaconSightings
    ) async throws {
        do throws(ScanRefusal) {
            _ = try filling.fill(
                with: code, standing: await standing(of: code, heard), allowing: overrides)
        } catch {
            throw CommandFailure(
                "code-refused", during: "filling the slots", message: "\(path): line \(line): \(error)",
                nextStep: error.override.map { "if that is so, --allow \($0.rawValue)" })
        }
    }

    /// A scanner is a keyboard that ends with Enter: a code that is refused can be followed by another one.
    private func fillFromKeyboard(
        _ filling: inout SlotFilling, _ heard: BeaconSightings, _ time: ScanTime, _ console: Console
    ) async throws {
        var lines = KeyboardLines()
        while let next = filling.next {
            console.talk("\(filling.tray.slots[next].label): scan the label (an empty line ends)")
            guard let line = await lines.next(), !line.allSatisfy(\.isWhitespace) else { return }
            let code: ScannedCode
            do throws(ScannedCodeFlaw) { code = try ScannedCode(line: line) } catch {
                console.warn("code-refused", "\(error)")
                continue
            }
            await take(code, &filling, heard, time.now, console)
        }
    }

    private func take(
        _ code: ScannedCode, _ filling: inout SlotFilling, _ heard: BeaconSightings, _ moment: Duration,
        _ console: Console
    ) async {
        do throws(ScanRefusal) {
            let outcome = try filling.fill(
                with: code, at: moment, standing: await standing(of: code, heard), allowing: overrides)
            guard case .filled(let slot) = outcome else { return }
            console.talk("\(filling.tray.slots[slot].label): \(code.device)")
        } catch {
            let hint = error.override.map { "; if that is so, begin again with --allow \($0.rawValue)" } ?? ""
            console.warn("code-refused", "\(error)\(hint)")
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

/// The clock that tells a scanner that reads twice.
struct ScanTime: Sendable {
    private let read: @Sendable () -> Duration
    init(_ adapter: some Adapter) { read = { adapter.time.now } }
    var now: Duration { read() }
}
