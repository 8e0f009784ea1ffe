import ArgumentParser
import Bytes
package import CommandKit
import Firmware
import UpdateModel

struct CheckCatalogue: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find contradictions in a catalogue, and in the packages that it names.",
        discussion: """
            Example: `beacon-dfu catalogue check --catalogue manifests`.

            Every package is read and compared with its SHA-256 and its entry. Exits with 1 if there is any error.
            """)

    @OptionGroup var source: CatalogueOptions
    @OptionGroup var plain: PlainOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        let check = try CatalogueCheck(
            of: source.path, signedBy: source.requireSignedCatalogue, telling: console)
        try await check.seal?.check()
        let catalogue = check.folder.catalogue
        let releases = catalogue.families.reduce(0) { $0 + $1.firmware.count }
        let words = [
            Quantities.count(catalogue.families.count, "model"), Quantities.count(releases, "release"),
            Quantities.count(check.packages, "package"),
        ].joined(separator: ", ")
        let flaws =
            check.flaws == 0
            ? console.paint("no errors", .green) : console.paint(Quantities.count(check.flaws, "error"), .red)
        console.report(
            JSONLine("checked").adding([
                "files": .integer(check.folder.files.count), "models": .integer(catalogue.families.count),
                "releases": .integer(releases), "packages": .integer(check.packages),
                "flaws": .integer(check.flaws),
            ]), ["\(words): \(flaws)"])
        return check.flaws == 0 ? .done : .failed
    }
}

/// The result of checking a catalogue and its packages for contradictions.
package struct CatalogueCheck {
    let folder: CatalogueFolder
    let packages: Int
    package let flaws: Int
    /// The seal, verified with the given key; nil if no key was given.
    let seal: VerifiedSeal?

    /// Reads the catalogue at `path` and reports errors as they are found. Throws if there is no catalogue, or if the
    /// key in the file `keyPath` has not signed it.
    package init(of path: String, signedBy keyPath: String? = nil, telling console: Console) throws {
        folder = try CatalogueFolder(checking: path)
        var count = 0
        var seal: VerifiedSeal?
        do throws(CommandFailure) { seal = try folder.checkSeal(by: keyPath) } catch {
            // If no key is required, an error of the seal is reported like other errors of the catalogue.
            guard keyPath == nil else { throw error }
            Self.report(error.code, error.message, file: CatalogueFolder.sealPath(in: path), nil, console)
            count += 1
        }
        let catalogue = folder.catalogue
        for error in folder.errors { Self.report(error.problem, in: error.file, console) }
        var flaws =
            catalogue.findings
            + catalogue.families.flatMap { $0.unknownWords + $0.unreadVersion + $0.settingFlaws }
        var packages = 0
        for model in catalogue.families {
            for release in model.firmware where release.file != nil {
                packages += 1
                flaws += release.packageFindings(for: model)
                try Task.checkCancellation()
            }
        }
        flaws.sort { ($0.place.file, $0.place.line) < ($1.place.file, $1.place.line) }
        for flaw in flaws { Self.report(flaw, console) }
        (self.packages, self.seal) = (packages, seal)
        self.flaws = count + flaws.count + folder.errors.count
    }

    private static func report(_ flaw: CatalogueFinding, _ console: Console) {
        report(flaw.code, flaw.message, file: flaw.place.file, (flaw.place.line, flaw.place.column), console)
    }

    private static func report(_ problem: YAMLProblem, in file: String, _ console: Console) {
        let place = problem.line.map { (line: $0, column: problem.column ?? 1) }
        report(.command.catalogueInvalid, problem.message, file: file, place, console)
        guard !console.style.isJSON else { return }
        for line in problem.excerpt { console.result(TerminalText(line)) }
    }

    private static func report(
        _ code: FailureCode, _ message: String, file: String, _ place: (line: Int, column: Int)?,
        _ console: Console
    ) {
        let next = code.nextStep.withOptions
        console.event(
            JSONLine("flaw").adding([
                "code": .text(code.rawValue), "file": .text(file), "message": .text(message),
                "next_step": .text(next), "line": place.map { .integer($0.line) } ?? .null,
                "column": place.map { .integer($0.column) } ?? .null,
            ]))
        guard !console.style.isJSON else { return }
        let shown = place.map { "\(file): line \($0.line), column \($0.column)" } ?? file
        console.results([
            "\(console.paint(shown, .bold)): \(console.paint("error", .red)) \(code): \(message)",
            "  next: \(next)",
        ])
    }
}
