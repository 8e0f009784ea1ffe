package import ArgumentParser

/// The commands for catalogues.
package struct CatalogueCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "catalogue",
        abstract: "Show and check which firmware there is for which beacons.",
        discussion: """
            Example: `beacon-dfu catalogue match --model Blinker --version 1.0.0`.

            A catalogue is a folder of YAML files; docs/catalogue.md shows how to write one.
            """,
        subcommands: [
            ListCatalogue.self, CheckCatalogue.self, MatchCatalogue.self, DiffCatalogues.self,
            ImportCatalogue.self, SignCatalogue.self,
        ])

    package init() {}
}
