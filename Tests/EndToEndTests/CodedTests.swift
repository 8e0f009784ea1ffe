import TestSupport
import Testing

private let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"

@Suite(.timeLimit(.minutes(10)), .programs) struct `A beacon on LE Coded` {
    private static let far = "F0:00:00:00:00:01"

    /// It, one with extended advertising, and an adapter that hears this.
    private static func tray(hearing hears: String) throws -> Tray {
        let more = "key: test, flash: instant"
        return try Tray(
            """
              - {address: 'F0:00:00:00:00:00', name: Far, advertising: coded, \(more)}
              - {address: 'F0:00:00:00:01:00', name: Wide, advertising: extended, \(more)}
            adapters: [{hears: \(hears)}]
            """, link: "{interval_ms: 15}")
    }

    private static func run(_ command: [String], _ tray: Tray, _ more: String...) throws -> Program.Run {
        try Program.run(command + ["--adapter", tray.scenario, "--json"] + more)
    }

    @Test func `is heard, with its PHY, and flashed with --coded`() throws {
        let tray = try Self.tray(hearing: "coded-on-request")
        let scan = try Self.run(["scan", "--for", "1"], tray, "--coded")
        let phys = scan.events.filter { $0["event"] as? String == "beacon" }.map { $0["phy"] as? String }
        #expect(Set(phys) == ["coded", "1M"], "\(scan.output)")
        for (device, phy) in [(Self.far, "coded"), ("F0:00:00:00:01:01", "2M")] {
            let flash = try Self.run(["flash", package, "--device", device], tray, "--coded")
            #expect(flash.status == 0, "\(flash.output)")
            #expect(flash.first("connected")?["phy"] as? String == phy)
        }
    }

    @Test(arguments: [
        ("coded-on-request", "add --coded"), ("extended", "does not hear beacons on LE Coded"),
    ])
    func `is not found without it, and the next step says why`(_ hears: String, _ words: String) throws {
        let tray = try Self.tray(hearing: hears)
        let units = "tray: 1\nfirmware: \(package)\nslots:\n  - {slot: A1, device: '\(Self.far)'}\n"
        let file = try tray.write(Array(units.utf8), as: "units.yaml")
        let search = ["--device", Self.far, "--scan-for", "1"]
        let journal = ["--journal", tray.folder + "/journal.sqlite"]
        let commands = [
            ["scan", "--wait", "1", "--filter", "name=Far"], ["info"] + search, ["flash", package] + search,
            ["batch", package, "--rule", "name=Far", "--expected", "1", "--scan-for", "1"] + journal,
            ["batch", file] + journal,
        ]
        for command in commands {
            let run = try Self.run(command, tray)
            #expect(run.status == 3, "\(run.output)\(run.talk)")
            let told = run.events.compactMap { $0["next_step"] as? String }
            #expect(told.contains { $0.contains(words) }, "\(command): \(run.output)")
        }
    }
}
