import ArgumentParser
import BeaconCommands
import StationEngine

struct Policy: AdminCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show or change what holds for all orders and stations.",
        discussion: """
            Examples: `beacon-dfu-station policy`; `beacon-dfu-station policy --max-offline 8h`. To change it needs the role admin.

            A station has to hear from the engine within --max-offline: no claim has a longer lease, so that a station of which \
            nobody has heard for longer has none left, and begins no unit.
            """)

    @Option(
        help: ArgumentHelp(
            "For how long a station may work without the engine, from 90s to 24h. At first 24h.",
            valueName: "time"), transform: LeaseTime.reading)
    var maxOffline: LeaseTime?
    @OptionGroup var person: PersonOptions
    @OptionGroup(title: "Engine") var source: AdminOptions
    @OptionGroup var common: CommonOptions

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        if let maxOffline { try await admin.setMaxOffline(maxOffline.length, by: person.name) }
        let length = try await admin.maxOffline()
        console.event(JSONLine("policy", ["max_offline_seconds": .rounded(length / .seconds(1))]))
        if !common.json {
            console.result("a station may work without the engine for \(LeaseTime(length: length))")
        }
        return .done
    }
}
