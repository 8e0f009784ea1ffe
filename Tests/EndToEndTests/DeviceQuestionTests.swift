import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `The prompt for a beacon` {
    private static let prompt = "Number of the beacon to update, or Enter for none:"
    private static let lamps = """
          - {address: 'F0:00:00:00:00:00', name: One, key: test, flash: instant, rssi: -40}
          - {address: 'F0:00:00:00:02:00', name: Two, key: test, flash: instant, rssi: -70}
        """

    /// The result of typing `reply`, and its tray.
    private static func answer(_ reply: String) throws -> (run: PseudoTerminal.Run, tray: Tray) {
        let tray = try Tray(lamps)
        let package = Samples.root + "/firmware-samples/nordic/blinker-1.0.0.zip"
        let run = try PseudoTerminal().run(
            ["flash", package, "--adapter", tray.scenario], typing: [(prompt, reply)])
        return (run, tray)
    }

    @Test func `lists the matching beacons, strongest first, and updates the selected one`() throws {
        let (run, _) = try Self.answer("2\n")
        #expect(run.status == 0, "\(run.output)")
        let rows = run.output.split(whereSeparator: \.isNewline)
        #expect(rows.contains { $0.hasPrefix("1  F0:00:00:00:00:01") && $0.contains("DfuTarg") })
        #expect(rows.contains { $0.hasPrefix("2  F0:00:00:00:02:01") })
        #expect(run.output.contains(": F0:00:00:00:02:01, 12.3 kB"), "\(run.output)")
    }

    /// Control-D is the end of input.
    @Test(arguments: ["3\n", "0\n", "-1\n", "one\n", "1 2\n", "\n", "\u{4}"])
    func `changes nothing unless a number of the list is typed`(reply: String) throws {
        let (run, _) = try Self.answer(reply)
        #expect(run.status != 0 && run.output.contains("nothing-selected"), "\(run.output)")
        #expect(!run.output.contains("connecting"))
    }

    @Test func `lists none that only its vendor can update`() throws {
        let more =
            "\n  - {kind: kontakt, address: 'E4:11:22:33:44:01', id: abcd, version: '4.2', name: Shelf, rssi: -30}"
        let tray = try Tray(Self.lamps + more)
        let package = Samples.root + "/firmware-samples/nordic/blinker-1.0.0.zip"
        let run = try PseudoTerminal().run(
            ["flash", package, "--adapter", tray.scenario], typing: [(Self.prompt, "\n")])
        let rows = run.output.split(whereSeparator: \.isNewline)
        #expect(rows.contains { $0.hasPrefix("2  F0:") } && !run.output.contains("E4:11"), "\(run.output)")
    }

    @Test func `with a catalogue lists the beacons that have an update, and which one`() throws {
        let tray = "sim:" + Samples.root + "/manifests/scenarios/tray.yaml"
        let run = try PseudoTerminal().run(
            ["flash", "--from-catalogue", "--catalogue", Samples.root + "/manifests", "--adapter", tray],
            typing: [(Self.prompt, "\n")])
        let rows = run.output.split(whereSeparator: \.isNewline).filter { $0.contains("DC:0D:30:00:00:") }
        #expect(rows.count == 3 && rows.allSatisfy { $0.hasSuffix("  840") }, "\(run.output)")
        #expect(run.output.contains("UPDATE"))
    }
}
