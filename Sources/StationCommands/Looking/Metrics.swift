import ArgumentParser
import BeaconCommands
import WorkServer

struct Metrics: AdminCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print metrics of orders and stations for Prometheus.",
        discussion: """
            Example: `beacon-dfu-station metrics > /var/lib/prometheus/node-exporter/beacon_dfu.prom`, each minute, by the textfile \
            collector of node_exporter. Needs the role viewer. docs/stations.md lists useful alerts.
            """)

    @OptionGroup(title: "Work server") var source: AdminOptions
    @OptionGroup var common: CommonOptions

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        let text = try await admin.metrics().text
        console.event(JSONLine("metrics", ["text": .text(text)]))
        if !common.json {
            for line in text.split(separator: "\n") { console.result(TerminalText(String(line))) }
        }
        return .done
    }
}
