import ArgumentParser
import Testing

@testable import BeaconCommands
@testable import CommandKit

@Suite struct `The help of every command` {
    private static func commands(below command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap { commands(below: $0) }
    }

    /// ArgumentParser prints the defaults it knows by itself.
    @Test func `states each default once`() {
        let commands = Self.commands(below: BeaconDFU.self)
        #expect(commands.count > 20)
        for command in commands {
            let help = BeaconDFU.helpMessage(for: command, includeHidden: true, columns: 10_000)
            for line in help.split(separator: "\n") {
                let count = line.matches(of: /(?i)\bdefault:/).count
                #expect(count <= 1, "\(command.configuration.commandName ?? "\(command)"): \(line)")
            }
        }
    }

    /// Every command takes them, as scripts may pass them to all.
    @Test(
        arguments: [
            (["inspect", "a"], false, false), (["explain", "x"], false, false),
            (["catalogue", "list"], false, false),
            (["keys", "generate", "a"], false, false),
            (["build", "suota", "a", "b", "--header", "58x", "--version", "1"], false, true),
            (["history"], false, true),
            (["catalogue", "sign", "a", "--key", "b", "--expires", "0"], false, true),
            (["scan"], true, true), (["batch", "a"], true, true), (["doctor"], true, true),
        ] as [([String], Bool, Bool)])
    func `lists the options for diagnostics and outputs only if they have an effect`(
        _ line: [String], _ hasLog: Bool, _ hasOutput: Bool
    ) throws {
        let command = try BeaconDFU.parseAsRoot(line)
        let help = BeaconDFU.helpMessage(for: type(of: command))
        #expect(help.contains("--log-file") == hasLog && help.contains("--log-level") == hasLog)
        #expect(help.contains("--overwrite") == hasOutput)
        #expect(help.contains("--json") && help.contains("--timeout"))
        let all = ["--log-level", "debug", "--log-file", "l", "--overwrite", "--json"]
        let running = try #require(try BeaconDFU.parseAsRoot(line + all) as? any RunningCommand)
        #expect(running.common.json && running.common.logFile == "l" && running.common.overwrite)
    }

    @Test(arguments: ["flash", "batch"])
    func `lists all choices for links and bootloaders together`(_ command: String) throws {
        let arguments = command == "flash" ? ["a.zip", "--device", "F0:0D:BE:AC:01:00"] : ["tray.yaml"]
        let type = type(of: try BeaconDFU.parseAsRoot([command] + arguments))
        let help = BeaconDFU.helpMessage(for: type, columns: 100)
        let group = try #require(help.split(separator: "\n\n").first { $0.contains("LINK:") })
        for option in [
            "--bootloader ", "--bootloader-name ", "--no-bootloader-name ", "--prn ", "--interval ",
        ] {
            #expect(group.contains("  \(option)"), "\(option)")
        }
    }

    /// Without one, each start of the program derives it from the name of the type, by reflection.
    @Test func `has a stated name of the command`() {
        for command in Self.commands(below: BeaconDFU.self) {
            #expect(command.configuration.commandName != nil, "\(command)")
        }
    }
}
