package import ArgumentParser
import UpdateModel

/// Makes packages, with a subcommand for each kind.
package struct Build: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        abstract: "Make a package from firmware.",
        discussion: """
            Example: `beacon-dfu build nordic lamp.zip --application lamp.hex --application-version 3 --hw-version 52 \
            --sd-req 0x98 --key-file product.pem`.

            The same input gives the same bytes. The written file is read back and checked.
            """,
        subcommands: [BuildNordic.self, BuildNordicLegacy.self, BuildSUOTA.self, BuildFBeacon.self])

    package init() {}
}
