package import ArgumentParser
import Firmware
import UpdateModel

package struct CatalogueOptions: ParsableArguments {
    @Option(
        """
        The catalogue, a folder of YAML files. Default, for commands that need one: the first on the search path \
        in docs/guide/configuration.md, which begins with ./manifests.
        """, valueName: "dir", completion: .directory)
    package var catalogue: String?
    @Option(
        "Refuse a catalogue that this key has not signed, or whose signature has expired (PEM, hex or C).",
        valueName: "file", completion: .file())
    package var requireSignedCatalogue: String?

    package var path: String {
        catalogue ?? Defaults[.catalogue] ?? SharedFiles.firstReadable(of: Self.paths) ?? Self.paths[0]
    }

    private static var paths: [String] { SharedFiles.paths(of: "catalogue", inCheckout: "manifests") }

    package var given: [String] {
        [("--catalogue", catalogue), ("--require-signed-catalogue", requireSignedCatalogue)]
            .filter { $1 != nil }.map(\.0)
    }

    /// The catalogue. With a required key, checks that it is signed, and not older than the one in the journal at
    /// `journal` (by default the usual journal).
    package func folder(
        checkedByJournalAt journal: String? = nil, acceptingOlder acceptsOlder: Bool = false
    ) async throws -> (CatalogueFolder, seal: VerifiedSeal?) {
        if catalogue == nil, Defaults[.catalogue] == nil, SharedFiles.firstReadable(of: Self.paths) == nil {
            throw CommandFailure(
                .file.fileNotFound, during: "looking for the catalogue",
                message: "there is no catalogue in \(Self.paths.joined(separator: ", "))",
                nextStep: "name one with --catalogue; docs/catalogue.md shows how to write one")
        }
        let folder = try CatalogueFolder(path: path)
        guard let requireSignedCatalogue else { return (folder, nil) }
        let seal = try folder.checkSeal(by: requireSignedCatalogue)
        try await seal?.check(againstJournalAt: journal, acceptingOlder: acceptsOlder)
        return (folder, seal)
    }

    /// The catalogue if one is named, for commands that also work without one.
    package func folderIfNamed() async throws -> CatalogueFolder? {
        catalogue == nil ? nil : try await folder().0
    }

    /// Refuses a key without a catalogue, for commands that also work without one.
    package func refuseKeyAlone() throws {
        try require(
            catalogue != nil || requireSignedCatalogue == nil,
            "--require-signed-catalogue requires --catalogue")
    }

    package init() {}
}
