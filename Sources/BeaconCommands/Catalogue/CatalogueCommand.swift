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
    @OptionGroup var seal: SealOptions

    /// The catalogue, signed where it has to be.
    func folder() throws(CommandFailure) -> CatalogueFolder {
        let folder = try CatalogueFolder(path: catalogue)
        try seal.check(folder)
        return folder
    }
}

/// Where the catalogue is, for commands that work without one too.
struct OptionalCatalogueOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Which firmware there is for which beacons: a catalogue, a folder of YAML files.",
            valueName: "dir"), completion: .directory)
    var catalogue: String?
    @OptionGroup var seal: SealOptions

    func validate() throws {
        guard catalogue != nil || seal.requireSignedCatalogue == nil else {
            throw ValidationError("--require-signed-catalogue is about a catalogue, which --catalogue names")
        }
    }

    /// The catalogue where one is named, signed where it has to be.
    func folder() throws(CommandFailure) -> CatalogueFolder? {
        guard let catalogue else { return nil }
        let folder = try CatalogueFolder(path: catalogue)
        try seal.check(folder)
        return folder
    }
}

/// Who has to have signed the catalogue.
struct SealOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Refuse a catalogue that this key has not signed, or whose signature has expired (PEM, hex or C).",
            valueName: "file"), completion: .file())
    var requireSignedCatalogue: String?

    /// Throws where the catalogue has to be signed, and is not.
    func check(_ folder: CatalogueFolder) throws(CommandFailure) {
        if let requireSignedCatalogue { try folder.checkSeal(by: requireSignedCatalogue) }
    }
}
