public import ArgumentParser
import Bytes
import CommandKit
import Firmware
public import UpdateModel

struct ImportCatalogue: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Write a catalogue from a folder of packages, or from a vendor's list.",
        discussion: """
            Example: `beacon-dfu catalogue import packages --model Lamp > packages/lamp.yaml`.

            Reads the versions from the packages in a folder; or from KKM's list of a model, with the packages in the \
            same folder; or from a metainfo file of the LVFS, in the same way; or from Kontakt.io's answer to `GET \
            /firmware`. Paths in the result are relative to the folder, so put it there. Nothing is downloaded.
            """)

    @Argument(help: "A folder of packages, or a vendor's list.", completion: .file()) var source: String
    @Option(
        "The name of the family. For KKM's list, and for a family without `recognised_by`, it has to be the model that "
            + "the beacons report.",
        valueName: "text")
    var model: String
    @Option(help: "How its versions are ordered. Default: as in the list, else dotted.")
    var versions: VersionScheme?
    @OptionGroup var plain: PlainOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        var leftOut = 0
        let drafts = FileSelection.isFolder(source) ? folder(console, &leftOut) : try list(console)
        let lines = CatalogueDraft.lines(drafts)
        guard !drafts.isEmpty else {
            console.notice("no package with a version was found in \(source)")
            return .nothingToDo
        }
        let releases = drafts.reduce(0) { $0 + $1.releases.count }
        console.event(
            JSONLine("imported").adding([
                "model": .text(model), "releases": .integer(releases), "left_out": .integer(leftOut),
                "lines": .list(lines.map(JSONValue.text)),
            ]))
        if !console.style.isJSON { lines.forEach { console.document($0) } }
        if leftOut > 0 {
            console.notice(
                "\(Quantities.count(releases, "release")) written, \(leftOut) of the files left out")
        }
        return .done
    }

    /// The packages in the folder, as one family for each kind. Warns of packages that cannot be read or have no
    /// version, leaves them out, and counts them in `leftOut`.
    private func folder(_ console: Console, _ leftOut: inout Int) -> [CatalogueDraft] {
        let scheme = versions ?? .dotted
        var drafts: [CatalogueDraft] = []
        for candidate in FileSelection([source]).candidates {
            let found: (package: any VendorFile, sha256: String)?
            do throws(CommandFailure) { found = try Self.package(candidate) } catch {
                leftOut += 1
                console.warn(error.code, error.message)
                continue
            }
            guard let (package, sha256) = found else { continue }
            guard let version = package.summary.version?.readable, scheme.version(version) != nil else {
                leftOut += 1
                console.warn(
                    .catalogue.versionUnread,
                    "\(candidate.path) has no version by the scheme \(scheme.rawValue)")
                continue
            }
            var release = CatalogueDraft.Release(version)
            release.file = candidate.path.below(source) ?? candidate.path.lastName
            release.sha256 = sha256
            release.timestamp = package.built.flatMap { $0.ordersReleases ? $0.seconds : nil }
            let known = drafts.firstIndex { $0.kind == package.kind }
            if known == nil { drafts.append(CatalogueDraft(model, package.kind, scheme)) }
            drafts[known ?? drafts.count - 1].releases.append(release)
        }
        return drafts
    }

    /// The package in a file of the folder, with its SHA-256; nil for a file that is skipped because it is not firmware.
    private static func package(
        _ candidate: FileSelection.Candidate
    ) throws(CommandFailure) -> (any VendorFile, String)? {
        if let refusal = candidate.refusal { throw refusal }
        do throws(CommandFailure) {
            let file = try FileContent(path: candidate.path)
            switch try file.recognised() {
            case .firmware(let package): return (package, file.sha256)
            case .unsupported where !candidate.promisesFirmware: return nil
            case .unsupported: return (try file.vendorFile(), file.sha256)
            }
        } catch {
            guard error.code == .file.archiveTooLarge, !candidate.promisesFirmware else { throw error }
            return nil
        }
    }

    /// A vendor's list, recognised by its content.
    private func list(_ console: Console) throws(CommandFailure) -> [CatalogueDraft] {
        let text = try FileContent(path: source).bytes
        let list =
            try text.first { !" \t\r\n\u{FEFF}".utf8.contains($0) } == UInt8(ascii: "<")
            ? metainfo(text) : json(text)
        // With `vendorWay`, only the vendor has the packages, so none is read.
        guard list.vendorWay == nil else { return list.releases.isEmpty ? [] : [list] }
        let drafts = completed(list, console)
        try require(
            !drafts.isEmpty, .catalogue.packageNotThere, during: "reading the packages",
            message: "no package listed in \(source) was found in its folder")
        return drafts
    }

    private func metainfo(_ text: [UInt8]) throws(CommandFailure) -> CatalogueDraft {
        do throws(XMLProblem) {
            return try CatalogueDraft(metainfo: text, model: model, kind: .vendorOnly, by: versions)
        } catch {
            throw CommandFailure(
                .command.catalogueInvalid, during: Self.step, message: "\(source): \(error)", exit: .badFile)
        }
    }

    private func json(_ text: [UInt8]) throws(CommandFailure) -> CatalogueDraft {
        let scheme = versions ?? .dotted
        do throws(YAMLProblem) {
            guard try YAMLValue(parsing: text).members().contains(where: { $0.key == "firmwares" }) else {
                return try CatalogueDraft(keyedByHardware: text, model: model, kind: .vendorOnly, by: scheme)
            }
            return try CatalogueDraft(namingUnits: text, model: model, by: scheme)
        } catch { throw CommandFailure(.command.catalogueInvalid, during: Self.step, error, in: source) }
    }

    private static let step = "reading the vendor's list"

    /// The list completed from the packages in its folder, as one family for each kind. A release without a package is
    /// added to the first family.
    private func completed(_ list: CatalogueDraft, _ console: Console) -> [CatalogueDraft] {
        for hardware in list.disordered {
            console.warn(
                .catalogue.listNotAscending, "the releases for \(hardware) are not in ascending order")
        }
        let folder = source.folderPrefix
        var releases: [(kind: FirmwareKind?, CatalogueDraft.Release)] = []
        for var release in list.releases {
            let package: any VendorFile
            let sha256: String
            do throws(CommandFailure) {
                (package, sha256) = try Self.package(of: release, in: folder, source)
            } catch {
                console.warn(.catalogue.packageNotThere, error.message)
                (release.file, release.sha256) = (nil, nil)
                releases.append((nil, release))
                continue
            }
            release.sha256 = sha256
            let own = package.summary.version
            release.packageVersion = own?.agrees(with: release.version) ?? true ? nil : own?.text
            releases.append((package.kind, release))
        }
        let kinds = releases.compactMap(\.kind)
        return kinds.enumerated().filter { kinds.firstIndex(of: $1) == $0 }.map { _, kind in
            var draft = list
            draft.kind = kind
            draft.releases = releases.filter { ($0.kind ?? kinds[0]) == kind }.map { $1 }
            return draft
        }
    }

    /// The package that the list `source` names for `release`, and its SHA-256. `folder` ends with a slash.
    private static func package(
        of release: CatalogueDraft.Release, in folder: String, _ source: String
    ) throws(CommandFailure) -> (any VendorFile, String) {
        func missing(_ words: String) -> CommandFailure {
            CommandFailure(.catalogue.packageNotThere, during: "reading the packages", message: words)
        }
        guard let name = release.file else {
            throw missing("\(source) names no package of \(release.version)")
        }
        let file = try FileContent(path: folder + name)
        let (package, sha256) = (try file.vendorFile(), file.sha256)
        guard release.sha256 == nil || release.sha256 == sha256 else {
            throw missing("\(folder + name) is not the listed package: its SHA-256 differs")
        }
        return (package, sha256)
    }
}

extension VersionScheme: ExpressibleByArgument {}
