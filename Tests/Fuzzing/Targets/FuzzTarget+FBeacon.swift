import Bytes
import Feasycom
import UpdateModel

extension FuzzTarget {
    /// Answers of a Feasycom beacon.
    static let fbeacon = [fbeaconAnswers, fbeaconSettings, fbeaconUpgrade]

    /// The first byte chooses the command; the rest is a row of notifications.
    private static let fbeaconAnswers = FuzzTarget("fbeacon-answers", seeds: { answers }) { input in
        let choice = (input.first ?? 0) & 1
        guard
            let command = choice == 0 ? FBeaconCommand.asking(for: "NAME") : .setting("NAME", to: "Shelf")
        else { throw Violation(description: "no command") }
        var exchange = FBeaconExchange(command, during: "asking")
        _ = exchange.begin(on: LinkFacts(maximumWriteLength: 20))
        for packet in Script(Array(input.dropFirst())).packets {
            let step: DialogueStep<String?, Never>
            do throws(SessionFailure) { step = try exchange.advance(after: .value(packet)) } catch { return }
            guard case .end(let value) = step.command else { continue }
            try demand((value != nil) == (choice == 0), "a value, or none, for a command of the other kind")
            try demand(value?.utf8.contains { $0 == 0x0D || $0 == 0x0A } != true, "a value of two lines")
            return
        }
    }

    /// A row of notifications; an empty one is silence.
    private static let fbeaconSettings = FuzzTarget("fbeacon-settings", seeds: { settings }) { input in
        let wanted = try FBeaconSettings(
            try YAMLValue(parsing: Array("ADVIN: 500\nNAME: Shelf".utf8)), besides: [])
        var change = SettingsChange(to: wanted, of: ())
        var step = try change.begin(on: LinkFacts(maximumWriteLength: 20))
        var isSet = false
        for packet in Script(input).packets {
            if case .request(let bytes, _, _, _) = step.command {
                let line = String(decoding: bytes, as: UTF8.self)
                try demand(
                    line.hasSuffix("\r\n") && line.utf8.count { $0 == 0x0A } == 1, "not one line: \(line)")
                isSet = isSet || line.contains("=")
            }
            do throws(SessionFailure) {
                step = try change.advance(after: packet.isEmpty ? .timedOut : .value(packet))
            } catch { return }
            guard case .end(let changes) = step.command else { continue }
            try demand(isSet == !changes.isEmpty, "\(changes.count) changes, set: \(isSet)")
            return
        }
    }

    /// A row of notifications; an empty one is silence. The first is the value of the mark.
    private static let fbeaconUpgrade = FuzzTarget("fbeacon-upgrade", seeds: { upgrades }) { input in
        let rows = Script(input).packets
        let container = OpenContainer(
            versions: 800...840, modelNumber: 20, payload: [UInt8](repeating: 7, count: 2500))
        var upgrade = FBeaconUpgrade(container)
        var step = upgrade.begin(on: LinkFacts(maximumWriteLength: 244))
        var (isMarked, hasEnded, place) = (false, false, 0)
        while place < rows.count {
            let outcome: DialogueOutcome
            switch step.command {
            case .subscribe, .stream, .write: outcome = .done
            case .read:
                isMarked = rows[place].first == 1
                outcome = .value(rows[place])
                place += 1
            case .request(let bytes, _, _, _):
                try demand(isMarked, "\(bytes.count) bytes to a device without a mark")
                hasEnded = hasEnded || bytes == [4]
                fallthrough
            case .expect:
                outcome = rows[place].isEmpty ? .timedOut : .value(rows[place])
                place += 1
            case .end(.complete(let completion)):
                try demand(hasEnded || !completion.isConfirmed, "confirmed before its end")
                return
            case .end(.restart): step = upgrade.begin(on: LinkFacts(maximumWriteLength: 20)); continue
            default: throw Violation(description: "\(step.command)")
            }
            do throws(UpdateFailure) { step = try upgrade.advance(after: outcome) } catch { return }
        }
    }

    private static let answers: [[UInt8]] = [
        ["\r\n+NAME=Shelf\r\n\r\nOK\r\n"], ["+NA", "ME=Sh", "elf\r", "\nO", "K\r\n"], ["+NAME=", "OK", "OK"],
        ["ERROR"], ["OK", "+NAME=1\r\nOK"],
    ].flatMap { parts in [0, 1].map { [$0] + Script.input(parts.map { Array($0.utf8) }) } }

    private static let settings: [[UInt8]] = [
        ["ERROR", "+ADVIN=1000\r\n\r\nOK\r\n", "ERROR", "ERROR", "ERROR", "ERROR", "ERROR", "ERROR"],
        [
            "+LENAME=Shelf\r\nOK", "+ADVIN=500\r\nOK", "ERROR", "+KEYCFG=500,3000\r\nOK", "ERROR",
            "+BWMODE=0\r\nOK", "+TLM=0\r\nOK", "+BADVDATA=,0,020106,1\r\n\r\n+BADVDATA=,1,00,0\r\n\r\nOK\r\n",
        ],
        [
            "+NAME=a\r\nOK", "+ADVIN=1\r\nOK", "ERROR", "ERROR", "ERROR", "ERROR", "ERROR", "ERROR", "OK",
            "OK",
            "+NAME=Shelf\r\nOK",
            "+ADVIN=500\r\nOK", "ERROR", "ERROR", "ERROR", "ERROR", "ERROR", "ERROR",
        ],
    ].map { parts in Script.input(parts.map { Array($0.utf8) }) }

    private static let upgrades: [[UInt8]] = [
        [[1, 0x30], Array("OK,3E038B021400".utf8), [0x53], [6], [6], [6], [6]],
        [
            [1, 0], Array("OK,3E03".utf8), Array("8B021500".utf8), [1, 0x31], [0x15], [0x15], [], [6], [6],
            [0x18],
        ],
        [[1, 0x31], Array("OK,3E038B021400".utf8), [], [], [0x43], [6], [], [0x53], [], [6], [6], [4], [6]],
        [[1, 0x31], Array("OK,48038B021400".utf8), [], [], [6]],
    ].map { Script.input($0) }
}
