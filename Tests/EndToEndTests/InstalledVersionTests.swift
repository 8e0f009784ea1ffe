import Foundation
import TestSupport
import Testing

private let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"

@Suite(.timeLimit(.minutes(10)), .programs) struct `A beacon that has the version already` {
    @Test(arguments: [
        ("mode: application, key: test, application_version: 2", "nordic/blinker-1.1.0.zip"),
        ("mode: application, kind: nordic-legacy, application_version: 1", "legacy/generation-05.zip"),
        ("kind: suota, version: '1.2.3'", "dialog/58x.img"),
    ])
    func `is left alone, whatever its kind, and the program exits 2`(_ beacon: String, _ file: String)
        throws
    {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00', flash: instant, \(beacon)}")
        let path = Samples.root + "/firmware-samples/" + file
        let run = try tray.flash(path, "F0:00:00:00:00:00")
        #expect(run.status == 2, "\(run.talk)")
        #expect(run.last["code"] as? String == "same-version")
        #expect(run.last["device_state"] is NSNull)
        #expect(!run.names.contains("progress"))
        #expect(run.talk.contains("nothing to do same-version"), "\(run.talk)")
        let forced = try tray.flash(path, "F0:00:00:00:00:00", ["--force", "same-version"])
        #expect(forced.status == 0, "\(forced.talk)")
        #expect(forced.last["verified"] as? String != "version")
        #expect(forced.events.contains { $0["code"] as? String == "same-version" })
    }

    @Test func `is reported with what is and is not verified when it is installed again`() throws {
        let tray = try Tray(
            "  - {address: 'F0:00:00:00:00:00', mode: application, key: test, application_version: 2, flash: instant}"
        )
        let run = try Program.run([
            "flash", package, "--adapter", tray.scenario, "--device", "F0:00:00:00:00:00", "--force",
            "same-version",
        ])
        #expect(run.status == 0, "\(run.talk)")
        #expect(
            run.output.contains("it reports 2, as before, which does not identify the image"), "\(run.output)"
        )
    }

    @Test func `accepts a risk only if it exists`() throws {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00', mode: application, flash: instant}")
        let run = try tray.flash(package, "F0:00:00:00:00:00", ["--force", "running-bank"])
        #expect(run.status == 64)
        #expect((run.last["message"] as? String)?.contains("--force running-bank") == true)
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `Pins that were not given` {
    private static let image = Samples.root + "/firmware-samples/dialog/58x.img"

    @Test func `are those of the maker's boards, with a warning`() throws {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00', kind: suota, flash: instant}")
        for (options, warns) in [
            ([], true), (["--pins", "miso=P0_5,mosi=P0_6,cs=P0_3,sck=P0_0"], false),
        ] {
            let run = try tray.flash(Self.image, "F0:00:00:00:00:00", options + ["--dry-run"])
            let warning = run.events.first { $0["code"] as? String == "default-pins" }
            #expect((warning != nil) == warns)
            if warns {
                #expect((warning?["message"] as? String)?.contains("miso=P0_5,mosi=P0_6") == true)
            }
        }
    }
}
