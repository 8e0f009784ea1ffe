import Bluetooth
import TestSupport
import Testing
import UpdateModel

@testable import Nordic

/// An entry in short words: an outcome, and the entry's next command, such as `subscribe`, `ask 01`, `listen`, `depart`.
private struct EntryScript: DialogueScript {
    var played: PlayedDialogue<ButtonlessEntry>
    let entryCharacteristic: Characteristic

    init(_ entryCharacteristic: Characteristic = ButtonlessService.unbonded, name: String? = "Dfu12345") {
        var entry = ButtonlessEntry(name: name)
        entry.choose(entryCharacteristic)
        played = PlayedDialogue(unbegun: entry)
        self.entryCharacteristic = entryCharacteristic
    }

    var entry: ButtonlessEntry { procedure }
    var handoff: BootloaderHandoff? { played.ending }

    mutating func begin() throws -> String { try begin(writing: 20) }

    func outcome(_ words: [String]) -> DialogueOutcome? { nil }

    /// It is about to leave without a name.
    func omittedOutcome(of command: DialogueCommand<BootloaderHandoff>) -> DialogueOutcome? {
        if case .rest(.zero) = command { .done } else { nil }
    }

    func text(_ command: DialogueCommand<BootloaderHandoff>) -> String? {
        switch command {
        case .subscribe(entryCharacteristic): "subscribe"
        case .request(let bytes, entryCharacteristic, entryCharacteristic, _): "ask \(bytes.hex)"
        case .expect(entryCharacteristic, _): "listen"
        default: nil
        }
    }

    func text(_ handoff: BootloaderHandoff) -> String { "depart" }
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
        #expect(entry.handoffOnLoss == nil)
        _ = try entry.advance(after: .done)
        #expect(entry.handoffOnLoss != nil)
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
        #expect(script.entry.handoffOnLoss == nil)
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
        #expect(script.entry.handoffOnLoss == expected)
        script.expect([("timeout", "depart")])
        #expect(script.entry.handoffOnLoss == expected)
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

@Suite struct `Random names of bootloaders` {
    @Test func `fit a request and an advertisement, and never collide`() {
        let names = (0..<10_000).map { _ in BootloaderName.random() }
        #expect(Set(names).count == names.count)
        // The request to set one, in a packet of the default MTU: opcode, length and name in 20 bytes.
        #expect(names.allSatisfy { $0.utf8.count <= 18 && $0.hasPrefix("Dfu") })
    }
}
