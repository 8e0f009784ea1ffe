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

/// Where the catalogue is, and who has to have signed it.
struct CatalogueOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The catalogue, a folder of YAML files. Default, where there has to be one: the first of the search path in \
            docs/guide/configuration.md, which begins with ./manifests.
            """,
            valueName: "dir"), completion: .directory)
    var catalogue: String?
    @Option(
        help: ArgumentHelp(
            "Refuse a catalogue that this key has not signed, or whose signature has expired (PEM, hex or C).",
            valueName: "file"), completion: .file())
    var requireSignedCatalogue: String?

    var path: String {
        catalogue ?? Defaults[.catalogue] ?? SharedFiles.first(Self.places) ?? Self.places[0]
    }

    /// Where it is looked for without a word about it.
    private static var places: [String] { SharedFiles.places("catalogue", inCheckout: "manifests") }

    /// The options that were given, as they are typed.
    var given: [String] {
        [("--catalogue", catalogue), ("--require-signed-catalogue", requireSignedCatalogue)]
            .filter { $1 != nil }.map(\.0)
    }

    /// The catalogue, signed where it has to be, and then no older one than the journal at `journal` knows, or else the usual one.
    func folder(knownBy journal: String? = nil, risking isRisked: Bool = false) async throws -> (
        CatalogueFolder, seal: VerifiedSeal?
    ) {
        if catalogue == nil, Defaults[.catalogue] == nil, SharedFiles.first(Self.places) == nil {
            throw CommandFailure(
                "file-not-found", during: "looking for the catalogue",
                message: "there is no catalogue in \(Self.places.joined(separator: ", "))",
                nextStep: "name one with --catalogue; docs/catalogue.md says how to write one")
        }
        let folder = try CatalogueFolder(path: path)
        guard let requireSignedCatalogue else { return (folder, nil) }
        let seal = try folder.checkSeal(by: requireSignedCatalogue)
        try await seal?.check(knownBy: journal, risking: isRisked)
        return (folder, seal)
    }

    /// The catalogue where one is named, for commands that work without one too.
    func folderIfNamed() async throws -> CatalogueFolder? {
        catalogue == nil ? nil : try await folder().0
    }

    /// Refuses a key without a catalogue, for commands that work without one too.
    func refuseKeyAlone() throws {
        guard catalogue != nil || requireSignedCatalogue == nil else {
            throw ValidationError("--require-signed-catalogue is about a catalogue, which --catalogue names")
        }
    }
}
