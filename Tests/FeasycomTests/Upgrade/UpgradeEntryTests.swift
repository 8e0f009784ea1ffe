import Bluetooth
import TestSupport
import Testing
import UpdateModel

@testable import Feasycom

@Suite struct `Entering an upgrade` {
    private static func failure(_ body: () throws -> Void) -> UpdateFailure? {
        #expect(throws: UpdateFailure.self) { try body() }
    }

    @Test(
        arguments: [[], [1], [0, 0x30], [2, 0x30], [1, 1], [1, 0x32], Array("1\u{30}".utf8)] as [[UInt8]])
    func `writes nothing to a device without the mark of open containers`(value: [UInt8]) throws {
        var talk = try UpgradeTalk.begun(1024)
        #expect(talk.command == .read(openMark))
        let failed = Self.failure { try talk.take(.value(value)) }
        #expect(failed?.code.rawValue == "not-an-open-fbeacon")
        #expect(talk.dialogue.effectOnApplication == nil)
        var absent = try UpgradeTalk.begun(1024)
        #expect(Self.failure { try absent.take(.absent) }?.code.rawValue == "not-an-open-fbeacon")
    }

    @Test(
        arguments: [
            ([1, 0x30], false, nil, "1"), ([1, 0x30], true, nil, "0"), ([1, 0x31], false, nil, "0"),
            ([1, 0x31], true, nil, "1"), ([1, 0], false, nil, "0"), ([1, 0], false, .zero, "1"),
            ([1, 0], true, .one, "1"), ([1, 0x30, 9, 9], true, .one, "0"),
        ] as [([UInt8], Bool, EntryDigit?, String)])
    func `sends the digit for the device`(
        mark: [UInt8], restoring: Bool, named: EntryDigit?, digit: String
    ) throws {
        var preferences = FBeaconPreferences()
        preferences.restoringDigit = named
        var talk = try UpgradeTalk.begun(
            FBeaconUpgrade(UpgradeTalk.container(1024, restoring: restoring), preferences))
        try talk.enter(mark: mark)
        #expect(talk.request == Array("EnterDFU\(digit)".utf8))
    }

    @Test func `does not guess the digit that restores`() throws {
        var talk = try UpgradeTalk.begun(FBeaconUpgrade(UpgradeTalk.container(1024, restoring: true)))
        #expect(Self.failure { try talk.enter(mark: [1, 0]) }?.code.rawValue == "restore-digit-unknown")
    }

    @Test func `reads the documented reply, whole or in pieces and after other bytes`() throws {
        let reply = try #require(UpgradeReply(in: UpgradeTalk.reply))
        #expect((reply.version, reply.bootloader, reply.model) == (830, 651, 21) && !reply.staysConnected)
        for parts in [
            ["OK,3E038B021500"], ["OK", ",3E03", "8B021500\r\n"], ["+X\r\nOK\r\n", "OK,3e038b021500"],
        ] {
            var talk = try UpgradeTalk.begun(1024, model: 21)
            try talk.enter()
            for part in parts { try talk.hear(Array(part.utf8)) }
            let restart = try #require(talk.restart)
            #expect(restart.disconnectTimeout == .seconds(1) && restart.pause == .seconds(3))
        }
    }

    @Test func `has no result from a part of a reply`() throws {
        for length in 0..<UpgradeTalk.reply.count {
            var talk = try UpgradeTalk.begun(1024, model: 21)
            try talk.enter()
            if length > 0 { try talk.hear(Array(UpgradeTalk.reply.prefix(length))) }
            let failed = Self.failure { try talk.take(.timedOut) }
            #expect(failed?.code.rawValue == (length == 0 ? "no-answer" : "answer-malformed"))
        }
    }

    @Test func `refuses a reply with an invalid digit`() {
        for place in 3..<15 {
            for byte in [0x00, 0x0A, 0x20, 0x2B, 0x2D, 0x47, 0x67, 0xFF] as [UInt8] {
                var bytes = UpgradeTalk.reply
                bytes[place] = byte
                #expect(UpgradeReply(in: bytes) == nil)
            }
        }
        #expect(UpgradeReply(in: Array("OK,3E03 8B02 1500".utf8)) == nil)
    }

    @Test(arguments: [
        ("OK,3E038B020C00", "wrong-device"), ("OK,1F038B021400", "installed-version-too-low"),
        ("OK,48038B021400", "same-version"), ("OK,49038B021400", "firmware-version-too-low"),
        ("OK,3E038A021400", "bootloader-version-too-low"),
    ]) func `leaves a device that the container is not for`(reply: String, code: String) throws {
        var talk = try UpgradeTalk.begun(1024)
        try talk.enter()
        try talk.hear(Array(reply.utf8))
        for _ in 0..<3 {
            #expect(talk.request == UpgradeTalk.cancel && talk.limit == .milliseconds(200))
            try talk.take(.timedOut)
        }
        #expect(talk.limit == .seconds(3))
        guard case .refused = talk.dialogue.disconnectMeaning else { throw LateFailure() }
        #expect(Self.failure { try talk.hear(UpgradeTalk.cancel) }?.code.rawValue == code)
        #expect(talk.dialogue.effectOnApplication == .intact)
    }

    @Test
    func `sends nothing further to a device that the container is not for`()
        throws
    {
        var talk = try UpgradeTalk.begun(1024)
        try talk.enter()
        #expect(
            Self.failure { try talk.hear(Array("OK,3E038B021500".utf8)) }?.code.rawValue == "wrong-device")
        #expect(talk.dialogue.effectOnApplication == .intact)
    }

    private struct LateFailure: Error {}

    @Test func `checks the application's data before it writes`() throws {
        var container = UpgradeTalk.container(1024)
        container.records = [try #require(ExtensionRecord(.modelType, Array("BT909".utf8)))]
        let upgrade = FBeaconUpgrade(container)
        func code(_ facts: ApplicationFacts) -> String? {
            do { _ = try upgrade.check(facts) } catch { return error.code.rawValue }
            return nil
        }
        #expect(code(ApplicationFacts(version: "830", model: "bt909")) == nil)
        #expect(code(ApplicationFacts(model: "BP102")) == "wrong-device")
        #expect(code(ApplicationFacts(version: "799")) == "installed-version-too-low")
        #expect(code(ApplicationFacts(version: "BT909,8.40")) == "same-version")
        #expect(code(ApplicationFacts(version: "841")) == "firmware-version-too-low")
        #expect(code(ApplicationFacts(version: "1.2.3")) == nil)
    }

    @Test func `reports a refusal`() throws {
        var talk = try UpgradeTalk.begun(1024)
        try talk.enter()
        #expect(Self.failure { try talk.hear(Array("ERROR\r\n".utf8)) }?.code == .device.entryRefused)
    }

    @Test func `waits sixteen times for the first byte, and enters a lost device again`() throws {
        var talk = try UpgradeTalk.begun(1024)
        try talk.enter()
        try talk.hear(UpgradeTalk.stayingReply)
        for _ in 0..<16 {
            #expect(talk.limit == .milliseconds(800))
            if talk.limit != nil, talk.now < .seconds(60) { do { try talk.take(.timedOut) } catch { break } }
        }
        var lost = try UpgradeTalk.sending()
        try lost.begin()
        try lost.enter()
        for _ in 0..<FBeaconUpgrade.pollsInDoubt {
            #expect(lost.limit == .milliseconds(800))
            try lost.take(.timedOut)
        }
        try lost.take(.done)
        #expect(lost.request == Array("EnterDFU0".utf8))
    }

    @Test func `comes first, on another link than the transfer`() throws {
        var upgrade = FBeaconUpgrade(UpgradeTalk.container(1024, model: 21))
        let pin = try #require(PlainPIN(Secret("1234")))
        let address = try #require(DeviceAddress("DD:34:02:06:5B:5C"))
        upgrade.identityQuery = try FeasycomVendor().identityQuery(by: FBeaconSession(by: pin), to: address)
        var talk = try UpgradeTalk.begun(upgrade)
        try talk.take(.value([1, 0x30]))
        for outcome in [.done, .done, .value(Array("Opened".utf8))] as [DialogueOutcome] {
            try talk.take(outcome)
        }
        #expect(talk.request == Array("AT+PIN=1234\r\n".utf8))
        try talk.hear(Array("OK".utf8))
        try talk.take(.done)
        #expect(talk.request == Array("EnterDFU1".utf8))
        try talk.hear(UpgradeTalk.reply)
        try talk.begin()
        try talk.enter()
        #expect(talk.limit == .milliseconds(800) && talk.request == nil)
    }
}
