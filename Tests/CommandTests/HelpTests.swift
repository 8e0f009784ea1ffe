import ArgumentParser
import Testing

@testable import BeaconCommands

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

    /// Without one, each start of the program derives it from the name of the type, by reflection.
    @Test func `has a stated name of the command`() {
        for command in Self.commands(below: BeaconDFU.self) {
            #expect(command.configuration.commandName != nil, "\(command)")
        }
    }
}
