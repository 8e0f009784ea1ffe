import ArgumentParser

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Read and change the settings of a beacon.",
        discussion: """
            Example: `beacon-dfu config read --device BC:57:29:02:45:9F > bench.yaml`.

            For KBeacons, in a session: by their password in --secrets, or the one of the factory.
            """,
        subcommands: [ReadSettings.self, CompareSettings.self, WriteSettings.self, ResetSettings.self])
}
