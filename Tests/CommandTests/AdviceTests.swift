import ArgumentParser
import Dialog
import Firmware
import Testing
import UpdateModel

@testable import BeaconCommands
@testable import CommandKit
@testable import FileCommands

@Suite struct `Hints on the command line` {
    @Test func `name options and commands instead of settings and tasks of the libraries`() {
        let advice: Advice =
            "check with \(task: .info, .device, "F0") what runs, or use \(.blockSize, "240") and \(.pins)"
        #expect(
            advice.withOptions
                == "check with `beacon-dfu info --device F0` what runs, or use --block-size 240 and --pins")
        #expect(
            advice.description
                == "check with a query of the beacon with the device F0 what runs, or use the block size 240 and the pins"
        )
    }

    @Test func `name the beacon that a query needs`() {
        let advice: Advice = "see with \(task: .info) what runs"
        #expect(advice.withOptions == "see with `beacon-dfu info --device ADDRESS` what runs")
    }

    private static func helps(of command: any ParsableCommand.Type) -> [String] {
        [BeaconDFU.helpMessage(for: command, includeHidden: true)]
            + command.configuration.subcommands.flatMap(helps)
    }

    private static let help = helps(of: BeaconDFU.self)

    @Test(arguments: Setting.allCases) func `name only options that a command accepts`(_ setting: Setting) {
        let name = setting.option.prefix { $0 != " " }
        #expect(Self.help.contains { $0.contains(name) }, "\(name)")
    }

    @Test func `name only vendors' options that a command accepts`() {
        for option in KnownVendors.options.flatMap({ $0.options }) {
            #expect(Self.help.contains { $0.contains("  --\(option.name)") }, "\(option.name)")
        }
    }

    @Test(
        arguments: [
            .scan, .info, .validate, .inspect, .flash, .readSettings, .writeSettings, .makeKey,
            .signCatalogue,
            .build(nil),
        ] + KnownVendors.kinds.map { ProgramTask.build($0) })
    func `name only existing commands`(_ task: ProgramTask) throws {
        var tree = try #require(CommandTree.once)
        let words = task.command.split(separator: " ").dropFirst().prefix {
            $0.allSatisfy { !$0.isUppercase }
        }
        for word in words where !word.hasPrefix("--") {
            tree = try #require(tree.commands.first { $0.commandName == word }, "\(task.command)")
        }
    }
}
