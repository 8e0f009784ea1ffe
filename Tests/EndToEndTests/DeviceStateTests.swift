import Bytes
import Foundation
import TestSupport
import Testing

private let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"

extension Program.Run {
    /// The unit in the `failed` event.
    fileprivate var state: [String: Any] { last["device_state"] as? [String: Any] ?? [:] }
    fileprivate var code: String? { last["code"] as? String }

    /// The state's members in words, for one comparison.
    fileprivate var stateWords: String {
        ["program", "address", "application", "part", "parts", "returns_after_seconds"]
            .map { "\(state[$0] ?? "absent")" }.joined(separator: " ")
            .replacing("<null>", with: "null")
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `A failed update, reported by the program` {
    private static let application =
        "  - {address: 'F0:00:00:00:00:00', mode: application, key: test, flash: instant}"

    private static func beacon(_ more: String) -> String { application.dropLast() + ", \(more)}" }

    @Test func `has no state if nothing was done to the beacon`() throws {
        let tray = try Tray(Self.beacon("application_version: 9"))
        for (device, code) in [
            ("F0:99:99:99:99:99", "device-not-found"), ("F0:00:00:00:00:00", "firmware-version-too-low"),
        ] {
            let run = try tray.flash(package, device, ["--scan-for", "0.5"])
            #expect(run.code == code)
            #expect(run.last["device_state"] is NSNull)
        }
    }

    @Test func `leaves the beacon in its bootloader, with its application, if the package is refused`()
        throws
    {
        let tray = try Tray(Self.beacon("hardware: 51"))
        let run = try tray.flash(package, "F0:00:00:00:00:00")
        #expect(run.code == "hardware-version-mismatch")
        #expect(run.stateWords == "bootloader F0:00:00:00:00:01 intact null null 120")
        #expect((run.state["advice"] as? String)?.contains("restarts it after 2 minutes") == true)
        #expect(
            run.talk.contains(
                "beacon: in its bootloader at F0:00:00:00:00:01; its application is intact. A stock bootloader"
            ),
            "\(run.talk)")
    }

    @Test func `reports that the old application may be gone if it ends in the middle`() throws {
        let tray = try Tray(Self.application, link: "{interval_ms: 15, event_ms: 7.5}")
        let run = try tray.flash(package, "F0:00:00:00:00:00", signal: (SIGINT, "speed", 2))
        #expect(run.code == "interrupted")
        #expect(run.stateWords == "bootloader F0:00:00:00:00:01 unknown null null 120")
    }

    @Test func `finds the old application running if the beacon has left its bootloader`() throws {
        let tray = try Tray(
            "  - {address: 'F0:00:00:00:00:00', key: test, flash: instant, faults: [{power_loss_in_object: 2}]}"
        )
        let run = try tray.flash(package, "F0:00:00:00:00:01")
        #expect(run.code == "left-bootloader", "\(run.talk)")
        #expect(run.stateWords == "application F0:00:00:00:00:00 intact null null null")
    }

    @Test func `of SUOTA leaves the beacon with its previous image`() throws {
        let tray = try Tray(
            "  - {address: 'F0:00:00:00:00:00', kind: suota, flash: instant}", link: "{interval_ms: 15}")
        let image = Samples.root + "/firmware-samples/dialog/58x.img"
        let slowly = ["--chunk-size", "1", "--block-size", "64"]
        let run = try tray.flash(image, "F0:00:00:00:00:00", slowly, signal: (SIGINT, "block", 2))
        #expect(run.code == "interrupted")
        #expect(run.stateWords == "application F0:00:00:00:00:00 intact null null null")
        let forced = try tray.flash(
            image, "F0:00:00:00:00:00", slowly + ["--bank", "1", "--force", "running-bank"],
            signal: (SIGINT, "block", 2))
        #expect(forced.stateWords == "application F0:00:00:00:00:00 unknown null null null")
    }

    @Test func `distinguishes two parts, and reports no application after the first`() throws {
        let legacy =
            "  - {address: 'F0:00:00:00:00:00', kind: nordic-legacy, flash: instant, mode: application, "
            + "personality: adafruit, device_type: 82, device_revision: 52840, softdevice: 0x98}"
        let sample = Samples.root + "/firmware-samples/legacy/adafruit.zip"
        let run = try Tray(legacy).flash(sample, "F0:00:00:00:00:00")
        #expect(run.code == "init-packet-refused")
        #expect(run.stateWords == "bootloader F0:00:00:00:00:01 gone 2 2 null")
        #expect(run.first("started")?["part"] as? Int == 1)
        #expect(run.first("started")?["parts"] as? Int == 2)
        let phases = run.events.filter { $0["event"] as? String == "phase" }
        #expect(Set(phases.compactMap { $0["part"] as? Int }) == [1, 2])
        #expect(phases.allSatisfy { $0["parts"] as? Int == 2 })
        let tray = try Tray(legacy)
        let text = try Program.run([
            "flash", sample, "--adapter", tray.scenario, "--device", "F0:00:00:00:00:00",
        ])
        for words in [
            "part 1 of 2: SoftDevice and bootloader", "waiting for the bootloader",
            "part 2 of 2: application", "part 1 is installed, part 2 of 2: application, is not",
            "it has no application",
        ] { #expect(text.talk.contains(words), "\(words): \(text.talk)") }
        #expect(!text.talk.contains("waiting for the application"))
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `A bootloader and an application in one package` {
    private static let image = [UInt8](repeating: 0x5A, count: 8192)
    private static let beacon =
        "  - {address: 'F0:00:00:00:00:00', personality: sdk-14.2, softdevice: 0x98, flash: instant"

    /// The package needs no signature if the device has no key.
    private func packet(_ image: [UInt8], _ change: (inout InitRecipe) -> Void) -> [UInt8] {
        InitRecipe(image) {
            $0.version = 2
            $0.softDevices = [0x98]
            $0.signature = (0, [UInt8](repeating: 1, count: 64))
            change(&$0)
        }.packet
    }

    private func package(in tray: Tray) throws -> String {
        let manifest = """
            {"manifest": {"bootloader": {"bin_file": "b.bin", "dat_file": "b.dat"},
             "application": {"bin_file": "a.bin", "dat_file": "a.dat"}}}
            """
        let loader = packet(Self.image) {
            $0.type = 2
            $0.bootloaderSize = Self.image.count
            $0.applicationSize = 0
        }
        var archive = ZipWriter()
        try archive.add("manifest.json", Array(manifest.utf8))
        try archive.add("b.bin", Self.image)
        try archive.add("b.dat", loader)
        try archive.add("a.bin", Self.image)
        try archive.add("a.dat", packet(Self.image) { _ in })
        return try tray.write(try archive.file(), as: "two.zip")
    }

    @Test func `are reported as half done if the bootloader was selected, with the way to continue`() throws {
        let tray = try Tray(Self.beacon + "}")
        let file = try package(in: tray)
        let run = try tray.flash(file, "F0:00:00:00:00:01")
        #expect(run.code == "parts-left", "\(run.talk)")
        #expect(run.status == 75)
        #expect(run.stateWords == "application F0:00:00:00:00:00 intact 2 2 null")
        #expect((run.last["message"] as? String)?.contains("of 2 parts, part 1 is installed") == true)
        #expect((run.last["next_step"] as? String)?.contains("--device F0:00:00:00:00:00") == true)
        let same = try tray.flash(file, "F0:00:00:00:00:01", ["--scan-for", "0.5"])
        #expect(same.status == 3)
        #expect((same.last["next_step"] as? String)?.contains("F0:00:00:00:00:00") == true)
        let again = try tray.flash(file, "F0:00:00:00:00:00")
        #expect(again.status == 0, "\(again.talk)")
        #expect(again.events.contains { $0["code"] as? String == "part-skipped" })
        #expect(again.last["verified"] as? String == "version")
    }
}
