import Bluetooth
import Nordic
import TestSupport
import Testing
import UpdateModel

/// An entry in short words: `done`, `timeout` or the hexadecimal text of an answer, and the entry's next command.
private struct EntryScript {
    var entry: ButtonlessEntry
    let entryCharacteristic: Characteristic
    private(set) var handoff: BootloaderHandoff?
    private(set) var failure: UpdateFailure?

    init(_ entryCharacteristic: Characteristic = ButtonlessService.unbonded, name: String? = "Dfu12345") {
        entry = ButtonlessEntry(name: name)
        self.entryCharacteristic = entryCharacteristic
        entry.choose(entryCharacteristic)
    }

    mutating func begin() throws -> String {
        try text(try entry.begin(on: LinkFacts(maximumWriteLength: 20)))
    }

    mutating func expect(_ rows: [(String, String)], sourceLocation: SourceLocation = #_sourceLocation) {
        for (number, row) in rows.enumerated() {
            #expect(after(row.0) == row.1, "row \(number + 1)", sourceLocation: sourceLocation)
        }
    }

    private mutating func after(_ words: String) -> String {
        let outcome: DialogueOutcome =
            switch words {
            case "done": .done
            case "timeout": .timedOut
            default: .value([UInt8](hex: words))
            }
        do throws(UpdateFailure) { return try text(try entry.advance(after: outcome)) } catch {
            failure = error
            return "fail \(error.code)" + (error.mayReconnect ? ", again" : "")
        }
    }

    private mutating func text(_ step: EntryStep) throws(UpdateFailure) -> String {
        switch step.command {
        case .subscribe(entryCharacteristic): return "subscribe"
        case .request(let bytes, entryCharacteristic, entryCharacteristic, _): return "ask \(bytes.hex)"
        case .expect(entryCharacteristic, _): return "listen"
        // It is about to leave without a name.
        case .rest(.zero): return try text(try entry.advance(after: .done))
        case .rest(let length): return "rest \(Int(length / .milliseconds(1)))"
        case .end(let handoff):
            self.handoff = handoff
            return "depart"
        default: return "\(step.command)"
        }
    }
}

private let name = "0208446675" + "3132333435"

@Suite struct `Sending an application to its bootloader` {
    @Test func `names the bootloader, then enters it`() throws {
        var script = EntryScript()
        #expect(try script.begin() == "subscribe")
        script.expect([("done", "ask \(name)"), ("200201", "ask 01"), ("200101", "depart")])
        #expect(
            script.handoff
                == BootloaderHandoff(expectedAddresses: [.nextAddress, .sameAddress], name: "Dfu12345"))
    }

    @Test(arguments: ["200202", "200204", "200205", "200207", "200200", "2002ff"])
    func `continues without the name if it is refused`(_ answer: String) throws {
        var script = EntryScript()
        _ = try script.begin()
        script.expect([("done", "ask \(name)"), (answer, "ask 01"), ("200101", "depart")])
        #expect(script.handoff?.name == nil)
    }

    @Test(arguments: ["200202", "200204"])
    func `has not told the application to leave while it surveys nearby beacons`(_ answer: String) throws {
        var entry = ButtonlessEntry(name: "Dfu12345")
        entry.choose(ButtonlessService.unbonded)
        _ = try entry.begin(on: LinkFacts(maximumWriteLength: 20))
        _ = try entry.advance(after: .done)
        let step = try entry.advance(after: .value([UInt8](hex: answer)))
        #expect(step.notices == [.leavingApplication(isNamed: false)])
        #expect(entry.linkEnded() == .staying)
        _ = try entry.advance(after: .done)
        #expect(entry.linkEnded() != .staying)
    }

    @Test func `waits for an application that is busy, three times`() throws {
        var script = EntryScript()
        _ = try script.begin()
        script.expect([
            ("done", "ask \(name)"), ("200206", "rest 500"), ("done", "ask \(name)"), ("200206", "rest 500"),
            ("done", "ask \(name)"), ("200206", "ask 01"), ("200101", "depart"),
        ])
        #expect(script.handoff?.name == nil)
    }

    @Test func `does not name the bootloader twice after the link was lost meanwhile`() throws {
        var script = EntryScript()
        _ = try script.begin()
        script.expect([("done", "ask \(name)")])
        #expect(script.entry.linkEnded() == .staying)
        #expect(try script.begin() == "subscribe")
        script.expect([("done", "ask 01"), ("200101", "depart")])
        #expect(script.handoff?.name == nil)
    }

    @Test func `tries a new link, without the name, when the naming is not answered`() throws {
        var script = EntryScript()
        _ = try script.begin()
        script.expect([("done", "ask \(name)"), ("timeout", "fail no-answer, again")])
        _ = try script.begin()
        script.expect([("done", "ask 01")])
    }

    @Test func `sends the name again to an application that has accepted it before`() throws {
        var script = EntryScript()
        _ = try script.begin()
        script.expect([("done", "ask \(name)"), ("200201", "ask 01")])
        _ = try script.begin()
        script.expect([("done", "ask \(name)"), ("200201", "ask 01"), ("200101", "depart")])
        #expect(script.handoff?.name == "Dfu12345")
    }

    @Test func `sends it no third time when the second one cost the link`() throws {
        var script = EntryScript()
        _ = try script.begin()
        script.expect([("done", "ask \(name)"), ("200201", "ask 01")])
        _ = try script.begin()
        script.expect([("done", "ask \(name)")])
        _ = try script.begin()
        script.expect([("done", "ask 01"), ("200101", "depart")])
        #expect(script.handoff?.name == nil)
    }

    @Test func `treats silence and a lost link as consent`() throws {
        var script = EntryScript(name: nil)
        _ = try script.begin()
        script.expect([("done", "ask 01")])
        let expected = BootloaderHandoff(expectedAddresses: [.nextAddress, .sameAddress], name: nil)
        #expect(script.entry.linkEnded() == .leaving(expected))
        script.expect([("timeout", "depart")])
        #expect(script.entry.linkEnded() == .leaving(expected))
    }

    @Test(
        arguments: [
            ("200102", "does not support"), ("200104", "write-protected"), ("200106", "busy"),
            ("200107", "not bonded"), ("200100", "invalid"), ("2001aa", "result AA"),
        ])
    func `ends with the application's refusal`(_ answer: String, _ words: String) throws {
        var script = EntryScript(name: nil)
        _ = try script.begin()
        script.expect([("done", "ask 01"), (answer, "fail entry-refused")])
        #expect(script.failure?.message.contains(words) == true)
    }

    @Test func `skips up to sixteen unrelated answers`() throws {
        var script = EntryScript()
        _ = try script.begin()
        script.expect([
            ("done", "ask \(name)"), ("200101", "listen"), ("", "listen"), ("60", "listen"),
            ("2002", "listen"),
            ("200201ff", "ask 01"),
        ])
        for stray in 0..<16 { script.expect([(stray.isMultiple(of: 2) ? "200201" : "20", "listen")]) }
        script.expect([("200201", "fail unexpected-answer")])
    }

    @Test func `sends no name through characteristics without that command`() throws {
        for entryCharacteristic in [ButtonlessService.bonded, ButtonlessService.experimental] {
            var script = EntryScript(entryCharacteristic)
            _ = try script.begin()
            script.expect([("done", "ask 01"), ("200101", "depart")])
            let places: Set<ExpectedAddress> =
                entryCharacteristic == ButtonlessService.bonded
                ? [.sameAddress] : [.nextAddress, .sameAddress]
            #expect(script.handoff == BootloaderHandoff(expectedAddresses: places, name: nil))
        }
    }

    @Test(arguments: ["", "a name that is long", "Überlänge im Byte"])
    func `sends no name that does not fit a packet of 23 bytes`(_ name: String) throws {
        var script = EntryScript(name: name)
        _ = try script.begin()
        let fits = (1...18).contains(name.utf8.count)
        script.expect(
            [("done", fits ? "ask 02\(String(name.utf8.count, radix: 16))" : "ask 01")].filter { _ in !fits })
    }

    @Test func `fails on an unexpected outcome`() throws {
        var script = EntryScript()
        _ = try script.begin()
        script.expect([("200101", "fail unexpected-answer")])
    }
}
