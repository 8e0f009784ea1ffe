import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import Glibc
import Tray
import UpdateModel
import Work
import WorkServer

struct StationDoctor: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check this bench's connection to the work server.",
        discussion: """
            Example: `beacon-dfu-station doctor`. `beacon-dfu doctor --tray` checks the bench itself.
            """)

    @OptionGroup(title: "Work server") var source: AdminOptions
    @OptionGroup var plain: PlainOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        let loop = try EventLoop.shared.get()
        let survey = try await WorkServerSurvey.take(try source.settings(), on: loop, time: loop.clock) {
            RecordedTime.now.milliseconds
        }
        let version = "\(survey.serverVersion / 10_000).\(survey.serverVersion % 10_000)"
        let schema = survey.schema.map { "\($0)" } ?? "none"
        let roles = survey.roles.isEmpty ? "no role" : survey.roles.map(\.rawValue).joined(separator: ", ")
        let facts = [
            ("engine", "PostgreSQL \(version), schema \(schema)"), ("login", "\(survey.login): \(roles)"),
            ("connection", survey.isEncrypted == true ? "encrypted" : "not encrypted"),
            ("clock", "\(Quantities.seconds(survey.clockAhead / .seconds(1))) ahead of the work server's"),
            ("connections", "\(survey.presentConnections) of \(survey.mostConnections)"),
        ]
        for (name, message) in facts { tell(name, .good, "\(name): \(message)", console) }
        if let joined = try source.joined() {
            tell("station", .good, "station: \(joined.station)", console)
        } else {
            tell(
                "station", .note, "this bench has not joined the work server",
                remedy: "run `beacon-dfu-station join NAME`", console)
        }
        for flaw in survey.flaws {
            tell(
                flaw.code.rawValue, flaw.isFatal ? .problem : .warning, flaw.message, remedy: flaw.nextStep,
                console)
        }
        return survey.flaws.contains { $0.isFatal } ? .failed : .done
    }

    private func tell(
        _ name: String, _ verdict: Check.Verdict, _ message: String, remedy: String? = nil, _ console: Console
    ) {
        let check = Check(name, verdict, message, remedy: remedy)
        console.event(check.line)
        if !common.json { check.text(console).forEach(console.result) }
    }
}

/// The file that `join` writes: the station's name, its work server, and what it trusts. It is in the journal's folder,
/// because the work server identifies a station by its name and its journal.
struct StationFile: Equatable {
    let engine: String
    let station: String
    /// The mirror that is tried before the work server; nil for none.
    let mirror: String?
    /// The key that must have signed every catalogue, an absolute path; nil if catalogues need no signature.
    let catalogueKey: String?

    /// The kind of file that `join` may overwrite.
    static let kind = OutputKind.format("file of a station", beginnings: [Array("station: ".utf8)])

    static func path(beside journal: String) -> String {
        let folder = journal.lastIndex(of: "/").map { String(journal[...$0]) } ?? ""
        return folder + "station.yaml"
    }

    var text: String {
        let members = [
            ("station", station), ("engine", engine), ("mirror", mirror), ("catalogue-key", catalogueKey),
        ]
        return members.compactMap { name, value in value.map { "\(name): \(QuotedScalar.text($0))\n" } }
            .joined()
    }
}

extension StationFile {
    /// Reads the file; nil if this bench has not joined.
    init?(beside journal: String) throws(CommandFailure) {
        let path = Self.path(beside: journal)
        guard access(path.systemPath, F_OK) == 0 else { return nil }
        let bytes = try FileContent(path: path).bytes
        do throws(YAMLProblem) {
            let root = try YAMLValue(parsing: bytes)
            let values = try root.values(of: ["station", "engine", "mirror", "catalogue-key"])
            station = try root.required("station", in: values).text()
            engine = try root.required("engine", in: values).text()
            mirror = try values["mirror"]?.text()
            catalogueKey = try values["catalogue-key"]?.text()
        } catch {
            throw CommandFailure(
                .workServer.stationInvalid, during: "reading the station", message: "\(path): \(error)")
        }
    }

    /// Reads the file of a bench that has to have joined.
    static func required(beside journal: String) throws(CommandFailure) -> StationFile {
        guard let joined = try StationFile(beside: journal) else {
            throw CommandFailure(
                .workServer.stationUnknown, during: "looking for the station",
                message: "this bench has not joined a work server")
        }
        return joined
    }
}
