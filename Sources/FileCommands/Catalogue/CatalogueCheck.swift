import Bytes
package import CommandKit
import Firmware
import UpdateModel

/// The result of checking a catalogue and its packages for contradictions.
package struct CatalogueCheck {
    let folder: CatalogueFolder
    /// The number of packages that were read.
    let packages: Int
    /// The number of errors.
    package let flaws: Int
    /// The seal, if a key was given.
    let seal: VerifiedSeal?

    /// Reads the catalogue at `path` and reports errors as they are found. Throws if there is no catalogue, or if the
    /// key in the file `keyPath` has not signed it.
    package init(of path: String, signedBy keyPath: String? = nil, telling console: Console) throws {
        folder = try CatalogueFolder(checking: path)
        var count = 0
        var seal: VerifiedSeal?
        do throws(CommandFailure) { seal = try folder.checkSeal(by: keyPath) } catch {
            // Without a required key, an error of the seal is reported like any other.
            guard keyPath == nil else { throw error }
            Self.tell(error.code, error.message, file: CatalogueFolder.sealPath(in: path), nil, console)
            count += 1
        }
        let catalogue = folder.catalogue
        for error in folder.errors { Self.tell(error.problem, in: error.file, console) }
        var flaws =
            catalogue.flaws
            + catalogue.models.flatMap { $0.unknownWords + $0.unreadVersion + $0.settingFlaws }
        var packages = 0
        for model in catalogue.models {
            for release in model.firmware where release.file != nil {
                packages += 1
                flaws += release.packageFlaws(for: model)
                try Task.checkCancellation()
            }
        }
        flaws.sort { ($0.place.file, $0.place.line) < ($1.place.file, $1.place.line) }
        for flaw in flaws { Self.tell(flaw, console) }
        (self.packages, self.seal) = (packages, seal)
        self.flaws = count + flaws.count + folder.errors.count
    }

    static func some(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }

    private static func tell(_ flaw: CatalogueFinding, _ console: Console) {
        tell(flaw.code, flaw.message, file: flaw.place.file, (flaw.place.line, flaw.place.column), console)
    }

    private static func tell(_ problem: YAMLProblem, in file: String, _ console: Console) {
        let place = problem.line.map { (line: $0, column: problem.column ?? 1) }
        tell(.command.catalogueInvalid, problem.message, file: file, place, console)
        guard !console.style.isJSON else { return }
        for line in problem.excerpt { console.result(TerminalText(line)) }
    }

    private static func tell(
        _ code: FailureCode, _ message: String, file: String, _ place: (line: Int, column: Int)?,
        _ console: Console
    ) {
        let next = code.nextStep.withOptions
        console.event(
            JSONLine(
                "flaw",
                [
                    "code": .text(code.rawValue), "file": .text(file), "message": .text(message),
                    "next_step": .text(next),
                    "line": place.map { .integer($0.line) } ?? .null,
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
