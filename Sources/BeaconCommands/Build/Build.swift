import ArgumentParser
import UpdateModel

/// Makes packages, with a subcommand for each kind.
struct Build: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a package from firmware.",
        discussion: """
            Example: `beacon-dfu build nordic lamp.zip --application lamp.hex --application-version 3 --hw-version 52 \
            --sd-req 0x98 --key-file product.pem`.

            The same input gives the same bytes. The written file is read back and checked.
            """,
        subcommands: [BuildNordic.self, BuildNordicLegacy.self, BuildSUOTA.self, BuildFBeacon.self])
}

extension FirmwareKind {
    /// The subcommand of `build` that makes this kind: the one whose name is the longest prefix of the kind.
    var buildCommand: String? {
        Build.configuration.subcommands.compactMap { $0.configuration.commandName }
            .filter { rawValue == $0 || rawValue.hasPrefix("\($0)-") }
            .max { $0.count < $1.count }
    }
}
