import ArgumentParser
import CommandKit
import Firmware
import UpdateModel

struct CheckCatalogue: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find contradictions in a catalogue, and in the packages that it names.",
        discussion: """
            Example: `beacon-dfu catalogue check --catalogue manifests`.

            Every package is read and compared with its SHA-256 and its entry. Exits with 1 if there is any error.
            """)

    @OptionGroup var source: CatalogueOptions
    @OptionGroup var common: CommonOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        let check = try CatalogueCheck(
            of: source.path, signedBy: source.requireSignedCatalogue, telling: console)
        try await check.seal?.check()
        let catalogue = check.folder.catalogue
        let releases = catalogue.models.reduce(0) { $0 + $1.firmware.count }
        console.event(
            JSONLine(
                "checked",
                [
                    "files": .integer(check.folder.files.count), "models": .integer(catalogue.models.count),
                    "releases": .integer(releases), "packages": .integer(check.packages),
                    "flaws": .integer(check.flaws),
                ]))
        if !console.style.isJSON {
            let words = [
                CatalogueCheck.some(catalogue.models.count, "model"),
                CatalogueCheck.some(releases, "release"), CatalogueCheck.some(check.packages, "package"),
            ].joined(separator: ", ")
            console.result(
                "\(words): \(check.flaws == 0 ? console.paint("no errors", .green) : console.paint(CatalogueCheck.some(check.flaws, "error"), .red))"
            )
        }
        return check.flaws == 0 ? .done : .failed
    }
}
