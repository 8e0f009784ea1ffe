import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program with a battery-powered beacon` {
    private static let image = Samples.root + "/firmware-samples/dialog/58x.img"
    private static let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"
    private static let low = "  - {address: 'F0:00:00:00:00:00', kind: suota, flash: instant, battery: 12}"
    private static let lowVoltage =
        "  - {address: 'F0:00:00:00:00:00', mode: application, key: test, flash: instant, battery_mv: 2100}"

    @Test(arguments: [(low, image, "12 %, below 20 %"), (lowVoltage, package, "2100 mV, below 2400 mV")])
    func `refuses it if the charge is low, without connecting`(
        _ beacon: String, file: String, words: String
    ) throws {
        let run = try Tray(beacon).flash(file, "F0:00:00:00:00:00")
        #expect(run.status == 1)
        #expect(run.last["code"] as? String == "battery-low")
        #expect((run.last["message"] as? String)?.contains(words) ?? false)
        #expect((run.last["next_step"] as? String)?.contains("fresh battery") ?? false)
        #expect((run.last["next_step"] as? String)?.contains("--min-battery") == false)
        #expect(!run.names.contains("connected"))
    }

    @Test(arguments: [(low, image, "12"), (low, image, "0"), (lowVoltage, package, "2100mV")])
    func `updates it if that charge was allowed`(_ beacon: String, file: String, limit: String) throws {
        let run = try Tray(beacon).flash(file, "F0:00:00:00:00:00", ["--min-battery", limit])
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.last["verified"] as? String == "version")
    }

    @Test func `refuses it with a higher limit, without sending anything`() throws {
        let tray = try Tray(Self.low.replacing("12", with: "55"))
        let arguments = ["--dry-run", "--min-battery", "60%"]
        let run = try tray.flash(Self.image, "F0:00:00:00:00:00", arguments)
        #expect(run.last["code"] as? String == "battery-low")
        #expect(try tray.flash(Self.image, "F0:00:00:00:00:00", ["--dry-run"]).status == 0)
    }

    @Test func `reports its advertised data and its previous version`() throws {
        let run = try Tray(Self.low.replacing("12", with: "55")).flash(Self.image, "F0:00:00:00:00:00")
        #expect(run.first("started")?["battery"] as? Int == 55)
        #expect(run.first("started")?["version_from"] as? String == "1")
        #expect(run.last["version_from"] as? String == "1.0.0")
        #expect(run.last["firmware_revision"] as? String == "1.2.3")
    }

    @Test(arguments: ["120", "full", "-5", ""]) func `refuses an invalid limit`(_ limit: String) throws {
        let run = try Tray(Self.low).flash(Self.image, "F0:00:00:00:00:00", ["--min-battery=\(limit)"])
        #expect(run.status == 64)
    }
}
