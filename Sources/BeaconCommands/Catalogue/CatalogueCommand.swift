import ArgumentParser

/// What there is for which beacon, and whether that is true.
struct CatalogueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue",
        abstract: "Say which firmware there is for which beacons.",
        discussion: """
            Example: `beacon-dfu catalogue match --model Blinker --version 1.0.0`.

            A catalogue is a folder of YAML files; docs/catalogue.md shows how to write one.
            """,
        subcommands: [
            ListCatalogue.self, CheckCatalogue.self, MatchCatalogue.self, DiffCatalogues.self,
            ImportCatalogue.self, SignCatalogue.self,
        ])
}

/// Where the catalogue is.
struct CatalogueOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The catalogue: a folder of YAML files.", valueName: "dir"), completion: .directory
    )
    var catalogue = "manifests"
    @Option(
        help: ArgumentHelp(
            "Refuse a catalogue that this key has not signed, or whose signature has expired (PEM, hex or C).",
            valueName: "file"), completion: .file())
    var requireSignedCatalogue: String?

    /// The catalogue, signed where it has to be.
    func folder() throws(CommandFailure) -> CatalogueFolder {
        let folder = try CatalogueFolder(path: catalogue)
        if let requireSignedCatalogue { try folder.checkSeal(by: requireSignedCatalogue) }
        return folder
    }
}
