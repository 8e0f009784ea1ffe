import ArgumentParser
import BeaconCommands
import WorkServer

struct Readmit: AdminCommand {
    static let configuration = CommandConfiguration(
        abstract: "Rebind a station: let it join with another login or machine.",
        discussion: """
            Example: `beacon-dfu-station readmit line2-bench3`, if its disk was moved to another machine on purpose, or its login \
            was replaced. Its next `join` or `work` binds the name again. Needs the role admin.
            """)

    @Argument(help: "The station's name.") var station: String
    @OptionGroup(title: "Work server") var source: AdminOptions
    @OptionGroup var common: CommonOptions

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        try await admin.readmit(station)
        console.event(JSONLine("readmitted", ["station": .text(station)]))
        if !common.json { console.result("station \(station) may join with another login or machine") }
        return .done
    }
}
