import ArgumentParser
import BeaconCommands
import Bluetooth
import Tray
import Work
import WorkServer

struct StationDoctor: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check this bench's connection to the work server.",
        discussion: """
            Example: `beacon-dfu-station doctor`. `beacon-dfu doctor --tray` checks the bench itself.
            """)

    @OptionGroup(title: "Work server") var source: AdminOptions
    @OptionGroup var common: CommonOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        let loop = try EventLoop.shared.get()
        let survey = try await WorkServerSurvey.take(try source.settings(), on: loop, time: loop.keeper) {
            RecordedTime.now.milliseconds
        }
        let facts: [(String, String)] = [
            (
                "engine",
                "PostgreSQL \(survey.serverVersion / 10_000).\(survey.serverVersion % 10_000), schema \(survey.schema.map { "\($0)" } ?? "none")"
            ),
            (
                "login",
                "\(survey.login): \(survey.roles.isEmpty ? "no role" : survey.roles.map(\.rawValue).joined(separator: ", "))"
            ),
            ("connection", survey.isEncrypted == true ? "encrypted" : "not encrypted"),
            ("clock", "\(Quantities.seconds(survey.clockAhead / .seconds(1))) ahead of the work server's"),
            ("connections", "\(survey.presentConnections) of \(survey.mostConnections)"),
        ]
        for (name, message) in facts {
            tell(Check(name: name, verdict: .good, message: "\(name): \(message)"), console)
        }
        if let joined = try source.joined() {
            tell(Check(name: "station", verdict: .good, message: "station: \(joined.station)"), console)
        } else {
            tell(
                Check(
                    name: "station", verdict: .note, message: "this bench has not joined the work server",
                    remedy: "run `beacon-dfu-station join NAME`"), console)
        }
        let flaws = survey.flaws
        for flaw in flaws {
            tell(
                Check(
                    name: flaw.code, verdict: flaw.isFatal ? .problem : .warning, message: flaw.message,
                    remedy: flaw.nextStep), console)
        }
        return flaws.contains { $0.isFatal } ? .failed : .done
    }

    private func tell(_ check: Check, _ console: Console) {
        console.event(check.line)
        guard !common.json else { return }
        for line in check.text(console) { console.result(line) }
    }
}
