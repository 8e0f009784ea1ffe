import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import Glibc
import Tray
import UpdateModel
import Work
import WorkServer

struct StationDoctor: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check this bench's connection to the work server.",
        discussion: """
            Example: `beacon-dfu-station doctor`. `beacon-dfu doctor --tray` checks the bench itself.
            """)

    @OptionGroup var server: ServerOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        let loop = try EventLoop.shared.get()
        let survey = try await WorkServerSurvey.examine(try source.settings(), on: loop, time: loop.clock) {
            RecordedTime.now.milliseconds
        }
        let version = "\(survey.serverVersion / 10_000).\(survey.serverVersion % 10_000)"
        let schema = survey.schema.map { "\($0)" } ?? "none"
        let roles = survey.roles.isEmpty ? "no role" : survey.roles.map(\.rawValue).joined(separator: ", ")
        let facts = [
            ("engine", "PostgreSQL \(version), schema \(schema)"), ("login", "\(survey.login): \(roles)"),
            ("connection", survey.isEncrypted == true ? "encrypted" : "not encrypted"),
            ("clock", "\(Quantities.seconds(survey.clockAhead / .seconds(1))) ahead of the work server's"),
            ("connections", "\(survey.currentConnections) of \(survey.mostConnections)"),
        ]
        for (name, message) in facts { console.report(Check(name, .good, "\(name): \(message)")) }
        if let joined = try source.joined() {
            console.report(Check("station", .good, "station: \(joined.station)"))
        } else {
            console.report(
                Check(
                    "station", .note, "this bench has not joined the work server",
                    remedy: "run `beacon-dfu-station join NAME`"))
        }
        for finding in survey.findings {
            console.report(
                Check(
                    finding.code.rawValue, finding.isFatal ? .problem : .warning, finding.message,
                    remedy: finding.nextStep))
        }
        return survey.findings.contains { $0.isFatal } ? .failed : .done
    }
}
