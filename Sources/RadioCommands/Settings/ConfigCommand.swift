package import ArgumentParser

package struct ConfigCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Read and change the settings of a beacon.",
        discussion: """
            Example: `beacon-dfu config read --device BC:57:29:02:45:9F > bench.yaml`.

            For KBeacons and Feasycom beacons, in a session with the password or PIN in --secrets, or the factory password. For \
            Orange Beacon Tags, after a press of their button: give --wait, and press it.
            """,
        subcommands: [
            ReadSettings.self, CompareSettings.self, WriteSettings.self, ResetSettings.self,
            ChangePassword.self,
        ])

    package init() {}
}
