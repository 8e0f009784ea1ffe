import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A frame of an additional vendor` {
    private func heard(_ tray: Tray) throws -> [String: Any] {
        let run = try Program.run(
            ["scan", "--adapter", tray.scenario, "--scan-for", "0.5", "--json"], of: "marble-dfu")
        return try #require(run.first("beacon"), "\(run.output)\(run.talk)")
    }

    @Test func `is recognised by scan`() throws {
        let heard = try heard(try Tray("  - {address: 'F0:00:00:00:00:00', kind: marble, version: 2.10.3}"))
        #expect(heard["vendor"] as? String == "marble" && heard["kind"] as? String == "marble", "\(heard)")
        #expect(heard["version"] as? String == "2.10.3" && heard["battery"] as? Int == 90, "\(heard)")
        #expect(heard["frames"] as? [String] == ["marble"] && heard["flaws"] as? [String] == [], "\(heard)")
        #expect(heard["missing"] as? [String] == [], "\(heard)")
    }

    @Test func `can be searched for`() throws {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00', kind: marble}")
        let run = try Program.run(
            [
                "scan", "--adapter", tray.scenario, "--scan-for", "0.5", "--json", "--filter",
                "vendor=marble",
                "--filter", "battery>80", "--filter", "version=1.0.0",
            ], of: "marble-dfu")
        #expect(run.first("beacon") != nil, "\(run.output)\(run.talk)")
    }
}
