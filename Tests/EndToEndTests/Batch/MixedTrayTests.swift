import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `A tray with units of several makers` {
    private static let pins = "miso=P0_1,mosi=P0_2,cs=P0_3,sck=P0_4"
    private static let image = Samples.root + "/firmware-samples/dialog/58x.img"
    private static let lamp = "F0:00:00:00:02:00"
    private static let tag = "F0:00:00:00:02:02"

    private func run(_ lines: String = "", slot: String = "", _ more: [String] = []) throws -> Program.Run {
        let air = try Tray(
            """
              - {address: '\(Self.lamp)', name: Lamp, mode: application, key: test, flash: instant}
              - {address: '\(Self.tag)', kind: suota, flash: instant, pins: '01020304'}
            """)
        let tray = """
            tray: 1
            firmware: \(BatchBench.package)
            \(lines)
            slots:
              - {slot: A1, device: '\(Self.lamp)/random'}
              - {slot: A2, device: '\(Self.tag)/random', firmware: \(Self.image)\(slot)}

            """
        let file = try air.write(Array(tray.utf8), as: "units.yaml")
        return try Program.run(
            [
                "batch", file, "--adapter", air.scenario, "--journal", air.folder + "/journal.sqlite",
                "--json", "--no-golden",
            ] + more)
    }

    @Test func `gives Dialog's units the pins of the tray, of their slot or of the command line`() throws {
        for found in [
            try run("pins: '\(Self.pins)'"), try run(slot: ", pins: '\(Self.pins)'"),
            try run(slot: "", ["--pins", Self.pins]),
            try run("pins: 'miso=P0_5,mosi=P0_6,cs=P0_3,sck=P0_0'", ["--pins", Self.pins]),
        ] {
            #expect(BatchBench.outcomes(found) == ["A1": "passed", "A2": "passed"], "\(found.output)")
        }
        let without = try run()
        #expect(BatchBench.outcomes(without)["A2"] == "failed")
        let failed = without.events.last { $0["slot"] as? String == "A2" && $0["code"] is String }
        #expect(failed?["code"] as? String == "wrong-pins", "\(without.output)")
    }

    /// Each unit has its own risks: version 1.1.0 is Secure DFU's alone, and no other file is refused because of it.
    @Test func `applies each risk to the files that have it, and refuses one that none has`() throws {
        let pins = ["--pins", Self.pins]
        for risk in ["lower-version", "running-bank", "same-version"] {
            let found = try run("", pins + ["--force", risk])
            #expect(BatchBench.outcomes(found) == ["A1": "passed", "A2": "passed"], "\(found.output)")
        }
        let idle = try run("", pins + ["--force", "unchanged-version", "--force", "lower-version"])
        #expect(idle.status == 64 && idle.last["code"] as? String == "option-unused", "\(idle.output)")
        let words = idle.last["message"] as? String
        #expect(words?.hasPrefix("--force unchanged-version: ") == true, "\(idle.output)")
    }

    @Test func `refuses options without effect on its files, and keys unused in a slot`() throws {
        let idle = try run("", ["--restore-digit", "1"])
        #expect(idle.status == 64 && idle.last["code"] as? String == "option-unused", "\(idle.output)")
        let wrong = try run("pins: 'miso=P0_1'")
        #expect(wrong.status == 65 && wrong.last["code"] as? String == "tray-invalid", "\(wrong.output)")
        let lamp = try run(
            "rule: {name: Lamp}", ["--pins", Self.pins])
        #expect(lamp.status == 65)
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `An interrupted attempt` {
    @Test func `has the phases in the journal, and the kind of the unit`() throws {
        let bench = try BatchBench(1, link: "{interval_ms: 15, event_ms: 7.5}")
        let cut = try bench.run(["--no-golden"], signal: (SIGKILL, "progress", 2))
        #expect(cut.status == 128 + SIGKILL)
        let report = bench.air.folder + "/report.json"
        let rest = try bench.run(["--resume", "--report", report])
        #expect(rest.status == 0, "\(rest.output)\(rest.talk)")
        let text = try Data(contentsOf: URL(filePath: report))
        let record = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        let units = try #require(record["units"] as? [[String: Any]])
        let attempt = try #require((units.first?["attempts"] as? [[String: Any]])?.first)
        #expect(attempt["code"] as? String == "cut-off")
        let phases = (attempt["phases"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
        #expect(phases == ["connecting", "entering-bootloader", "preparing"])
        let state = try #require(attempt["device_state"] as? [String: Any])
        #expect(state["application"] as? String == "unknown" && state["program"] as? String == "unknown")
    }
}
