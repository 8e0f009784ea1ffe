import ArgumentParser
import BeaconCommands
import WorkServer

struct Policy: AdminCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show or change the policy for all orders and stations.",
        discussion: """
            Examples: `beacon-dfu-station policy`; `beacon-dfu-station policy --max-offline 8h`. Changing it needs the role admin.

            A station has to reach the work server within --max-offline: no claim has a longer lease, so that a station that was \
            offline for longer has no claim left, and begins no unit.
            """)

    @Option(
        help: ArgumentHelp(
            "How long a station may work without the work server, from 90s to 24h. Initially 24h.",
            valueName: "time"), transform: LeaseTime.reading)
    var maxOffline: LeaseTime?
    @OptionGroup var person: PersonOptions
    @OptionGroup(title: "Work server") var source: AdminOptions
    @OptionGroup var common: CommonOptions

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        if let maxOffline { try await admin.setMaxOffline(maxOffline.length, by: person.name) }
        let length = try await admin.maxOffline()
        console.event(JSONLine("policy", ["max_offline_seconds": .rounded(length / .seconds(1))]))
        if !common.json {
            console.result("a station may work without the work server for \(LeaseTime(length: length))")
        }
        return .done
    }
}
