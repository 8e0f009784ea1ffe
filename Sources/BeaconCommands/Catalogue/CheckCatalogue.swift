import ArgumentParser
import Catalogue
import YAMLText

struct CheckCatalogue: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find what contradicts itself in a catalogue, and in the packages that it names.",
        discussion: """
            Example: `beacon-dfu catalogue check --catalogue manifests`.

            Every package is read, compared with its SHA-256 and with its entry. Exits with 1 when anything is wrong.
            """)

    @OptionGroup var source: CatalogueOptions
    @OptionGroup var common: CommonOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        let folder = try CatalogueFolder(checking: source.path)
        var count = 0
        do throws(CommandFailure) { try folder.checkSeal(by: source.requireSignedCatalogue) } catch {
            // A seal that is not asked for is one more thing to look at.
            guard source.requireSignedCatalogue == nil else { throw error }
            tell(error.code, error.message, file: CatalogueFolder.sealPath(in: folder.path), nil, console)
            count += 1
        }
        let catalogue = folder.catalogue
        for error in folder.errors { tell(error.problem, in: error.file, console) }
        var flaws = catalogue.flaws + catalogue.models.flatMap { $0.unknownWords + $0.settingFlaws }
        var packages = 0
        for model in catalogue.models {
            for release in model.firmware where release.file != nil {
                packages += 1
                flaws += release.packageFlaws(for: model)
                try Task.checkCancellation()
            }
        }
        flaws.sort { ($0.place.file, $0.place.line) < ($1.place.file, $1.place.line) }
        for flaw in flaws { tell(flaw, console) }
        count += flaws.count + folder.errors.count
        let releases = catalogue.models.reduce(0) { $0 + $1.firmware.count }
        console.event(
            JSONLine(
                "checked",
                [
                    "files": .integer(folder.files.count), "models": .integer(catalogue.models.count),
                    "releases": .integer(releases), "packages": .integer(packages), "flaws": .integer(count),
                ]))
        if !console.style.isJSON {
            let words = [
                some(catalogue.models.count, "model"), some(releases, "release"), some(packages, "package"),
            ].joined(separator: ", ")
            console.result(
                "\(words): \(count == 0 ? console.paint("no flaw", .green) : console.paint(some(count, "flaw"), .red))"
            )
        }
        return count == 0 ? .done : .failed
    }

    private func some(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }

    private func tell(_ flaw: CatalogueFlaw, _ console: Console) {
        tell(flaw.code, flaw.message, file: flaw.place.file, (flaw.place.line, flaw.place.column), console)
    }

    private func tell(_ problem: YAMLProblem, in file: String, _ console: Console) {
        let place = problem.line.map { (line: $0, column: problem.column ?? 1) }
        tell("catalogue-invalid", problem.message, file: file, place, console)
        guard !console.style.isJSON else { return }
        for line in problem.excerpt { console.result(TerminalText(line)) }
    }

    private func tell(
        _ code: String, _ message: String, file: String, _ place: (line: Int, column: Int)?,
        _ console: Console
    ) {
        let next = Explanation.of(code).nextStep
        console.event(
            JSONLine(
                "flaw",
                [
                    "code": .text(code), "file": .text(file), "message": .text(message),
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
