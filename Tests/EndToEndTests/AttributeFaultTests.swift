import TestSupport
import Testing

/// Commands that open no link: injected faults below the update service cannot affect them.
@Suite(.timeLimit(.minutes(20)), .programs) struct `The program among beacons with injected faults` {
    /// Every kind of beacon, and a file that it accepts.
    private static let beacons = [
        ("address: 'F0:00:00:00:10:00', key: test", "F0:00:00:00:10:01", "nordic/blinker-1.1.0.zip"),
        ("address: 'F0:00:00:00:20:00', mode: application", "F0:00:00:00:20:00", "nordic/blinker-1.1.0.zip"),
        (
            "address: 'F0:00:00:00:30:00', kind: nordic-legacy, mode: application", "F0:00:00:00:30:00",
            "legacy/generation-05.zip"
        ),
        ("address: 'F0:00:00:00:40:00', kind: suota", "F0:00:00:00:40:00", "dialog/58x.img"),
    ]

    static let attributeFaults = [
        "answer_mtu: 0", "answer_mtu: 1", "answer_mtu: 65535", "entry_length: 0", "entry_length: 1",
        "entry_length: 255", "list_handles: 0", "list_handles: 65535", "refuse_requests: 1",
        "refuse_requests: 5", "refuse_requests: 10", "refuse_requests: 14", "refuse_requests: 128",
        "late_answers_ms: 29000", "late_answers_ms: 900", "short_answers: 1", "long_answers: 1",
        "wrong_opcodes: 1", "double_answers: 1", "unasked_answers: 1", "foreign_errors: 1",
        "only_foreign_errors: 1", "endless_values: 1", "many_services: 1", "many_attributes: 1",
        "one_entry_an_answer: 1", "equal_uuids: 1", "backward_lists: 1", "strange_notifications: 1",
        "senseless_notifications: 1", "flood_of_indications: 1", "flood_of_requests: 1",
    ]

    /// Shorter than the 29 s of a late answer.
    private static let limit = Duration.seconds(25)

    private static func tray(_ attributeFault: String) throws -> Tray {
        try Tray(beacons.map { "  - {\($0.0), faults: [{\(attributeFault)}]}" }.joined(separator: "\n"))
    }

    @Test(arguments: attributeFaults) func `hears them all`(_ attributeFault: String) throws {
        let tray = try Self.tray(attributeFault)
        let began = ContinuousClock.now
        let run = try Program.run(["scan", "--adapter", tray.scenario, "--for", "2", "--json"])
        #expect(ContinuousClock.now - began < Self.limit)
        #expect(run.status == 0, "\(run.output)")
        #expect(run.names == Self.beacons.map { _ in "beacon" } + ["scanned"])
    }

    @Test(arguments: attributeFaults) func `rehearses an update of each without a link`(
        _ attributeFault: String
    ) throws {
        let tray = try Self.tray(attributeFault)
        for (_, address, file) in Self.beacons {
            let began = ContinuousClock.now
            let run = try tray.flash(Samples.root + "/firmware-samples/" + file, address, ["--dry-run"])
            #expect(ContinuousClock.now - began < Self.limit)
            #expect(run.status == 0, "\(address): \(run.output)")
            #expect(run.last["dry_run"] as? Bool == true)
            #expect(!run.names.contains("connected"))
        }
    }
}
