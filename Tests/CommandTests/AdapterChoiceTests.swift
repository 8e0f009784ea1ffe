import ArgumentParser
import BlueZ
import Testing
import UpdateModel

@testable import BeaconCommands
@testable import CommandKit

@Suite struct `The choice of an adapter` {
    private static let address = "00:1B:DC:07:00:02"

    private static func own(_ text: String) throws -> ControllerName { try #require(ControllerName(text)) }

    @Test(
        arguments: [
            ("hci1", ["hci1"], 1), ("00:1b:dc:07:00:02", [address], 1), ("hci0,hci1", ["hci0", "hci1"], 2),
            ("hci0,00:1B:DC:07:00:02,hci3", ["hci0", address, "hci3"], 3),
        ] as [(String, [String], Int)])
    func `is one or several kernel adapters by number or address`(
        _ text: String, _ names: [String], _ count: Int
    ) throws {
        let choice = try #require(AdapterChoice(argument: text))
        #expect(choice.names == (try names.map(Self.own)))
        #expect(choice.count == count)
        #expect(AdapterChoice(argument: choice.text) == choice)
        // From the environment or a file of defaults, too.
        #expect(DefaultSetting.adapter.flaw(of: text) == nil)
    }

    @Test(arguments: ["exclusive:hci1", "exclusive:\(address)"]) func `may be exclusive`(_ text: String)
        throws
    {
        let choice = try #require(AdapterChoice(argument: text))
        guard case .exclusive(let name) = choice else {
            Issue.record("\(choice)")
            return
        }
        #expect("exclusive:\(name)" == text)
        #expect(choice.names == [name] && choice.count == 1)
        #expect(AdapterChoice(argument: choice.text) == choice)
        for (command, isExclusive) in [
            (["scan", "--adapter", text], true), (["scan", "--adapter", "hci1"], false),
            (["doctor", "--tray", "--adapter", text], true), (["doctor", "--adapter", "hci1"], false),
        ] {
            let command = try #require(try BeaconDFU.parseAsRoot(command) as? any RunningCommand)
            #expect(command.kernelAdapters == 1 && command.hasExclusiveAdapter == isExclusive)
        }
    }

    @Test(arguments: [
        "exclusive:", "exclusive:hci0,hci1", "exclusive:sim", "exclusive:exclusive:hci0",
        "", "hci", "hci01", "hci0,", ",hci0", "hci0,hci0", "00:1B:DC:07:00:02,00:1b:dc:07:00:02", "hci0,sim",
        "00:1B:DC:07:00", "00:1B:DC:07:00:0G", "sim:", "eth0",
    ])
    func `is refused if it is not an adapter`(_ text: String) {
        #expect(AdapterChoice(argument: text) == nil)
        #expect(DefaultSetting.adapter.flaw(of: text) != nil)
    }

    @Test(arguments: [
        ("exclusive:hci0,hci1", "one exclusive adapter and no other one: 'exclusive:hci0'"),
        ("hci1,exclusive:hci0", "without 'exclusive:' it may be several, 'hci0,hci1'"),
        ("exclusive:sim", "only an adapter of this machine can be exclusive"),
        ("exclusive:sim:tray.yaml", "write 'sim:tray.yaml'"),
        ("exclusive:", "'exclusive:' is followed by one adapter: 'exclusive:hci0'"),
        ("exclusive:eth0", "'exclusive:' is followed by one adapter"),
        ("sim:", "'sim:' is followed by a scenario file"), ("hci0,sim", "are not used together"),
        ("hci0,hci0", "each adapter is named once"), ("hci0,", "an adapter is hci0"), ("simm", "mean 'sim'?"),
    ])
    func `is refused with the reason and the right form`(_ text: String, _ words: String) {
        #expect(AdapterChoice(argument: text) == nil)
        #expect(AdapterChoice.flaw(in: text).contains(words), "\(AdapterChoice.flaw(in: text))")
        let failure = Defaults.failure(.adapter, of: text)
        #expect(failure.exit == .usage && failure.message.contains(words))
        #expect(failure.message.hasPrefix("BEACON_DFU_ADAPTER: '\(text)' is not an adapter: "))
        #expect(failure.nextStep == "correct BEACON_DFU_ADAPTER, or unset it")
    }

    /// As many management channels are opened before the capability for them is given up.
    @Test(
        arguments: [
            (["batch", "t.yaml", "--adapter", "hci0,hci1"], 2), (["scan", "--adapter", "hci0"], 1),
            (["batch", "t.yaml", "--adapter", "hci0,00:1B:DC:07:00:02,hci2"], 3),
            (["doctor", "--tray", "--adapter", "hci0,hci1"], 2),
            (["scan", "--adapter", "sim"], 0), (["simulate", "--adapter", address], 1),
            (["explain", "x"], 0),
        ] as [([String], Int)])
    func `has the number of kernel adapters that are used at the same time`(
        _ arguments: [String], _ count: Int
    ) throws {
        let command = try #require(try BeaconDFU.parseAsRoot(arguments) as? any RunningCommand)
        #expect(command.kernelAdapters == count)
    }
}
