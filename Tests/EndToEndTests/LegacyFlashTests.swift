import Foundation
import Nordic
import TestSupport
import Testing

private func sample(_ name: String) -> String { Samples.root + "/firmware-samples/legacy/\(name).zip" }

private func image(of name: String) throws -> [UInt8] {
    let file = [UInt8](try Data(contentsOf: URL(filePath: sample(name))))
    return try #require(try LegacyPackage(parsing: file).parts.last).image
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program flashing a simulated Legacy beacon` {
    private static func beacon(_ more: String = "") -> String {
        "  - {address: 'F0:00:00:00:00:00', kind: nordic-legacy, flash: instant\(more)}"
    }

    @Test(arguments: ["sdk-11", "sdk-7", "sdk-6.1", "sdk-4", "adafruit"])
    func `ends with exactly the image in the beacon's flash`(_ personality: String) throws {
        let tray = try Tray(Self.beacon(", mode: application, personality: \(personality)"))
        let run = try tray.flash(sample("generation-05"), "F0:00:00:00:00:00")
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.first("started")?["kind"] as? String == "nordic-legacy")
        #expect(run.first("started")?["version_to"] as? String == "1")
        #expect(run.last["event"] as? String == "finished")
        #expect(run.last["bytes"] as? Int == 256)
        // Bootloaders before SDK 7 take no init packet with a version, so the application keeps its own here.
        let keepsVersion = ["sdk-6.1", "sdk-4"].contains(personality)
        #expect(run.last["verified"] as? String == (keepsVersion ? "reappeared" : "version"))
        let image = try image(of: "generation-05")
        #expect(Array(try tray.flash("F0:00:00:00:00:00").prefix(image.count)) == image)
    }

    @Test func `sends what the user requests, and nothing with --dry-run`() throws {
        let tray = try Tray(Self.beacon())
        let dry = try tray.flash(sample("vector"), "F0:00:00:00:00:01", ["--dry-run"])
        #expect(dry.names == ["started", "finished"])
        for value in ["0", "1", "12"] {
            let fresh = try Tray(Self.beacon(", softdevice: 0xB6"))
            let run = try fresh.flash(sample("vector"), "F0:00:00:00:00:01", ["--prn", value])
            #expect(run.status == 0, "\(run.talk)")
        }
    }

    @Test func `names the package's device if this is another`() throws {
        let tray = try Tray(Self.beacon(", device_revision: 7"))
        let run = try tray.flash(sample("generation-05"), "F0:00:00:00:00:01")
        #expect(run.status == 1)
        #expect(run.last["code"] as? String == "init-packet-refused")
        #expect((run.last["message"] as? String)?.contains("revision 0x1") == true)
    }

    @Test(arguments: ["sdk-11", "sdk-7", "adafruit"])
    func `continues in the bootloader of a unit whose application was selected`(_ personality: String) throws
    {
        let tray = try Tray(Self.beacon(", personality: \(personality)"))
        let run = try tray.flash(sample("generation-05"), "F0:00:00:00:00:00", ["--scan-for", "0.5"])
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.first("started")?["device"] as? String == "F0:00:00:00:00:01")
        #expect(run.first("warning")?["code"] as? String == "bootloader-assumed")
    }

    /// Bootloaders before SDK 7 are at their application's own address.
    @Test(arguments: [
        "personality: sdk-6.1", "personality: sdk-4",
        "receiver: {revision: 1.15.0, updated_revision: 1.16.0}",
    ])
    func `rejects a bootloader at the next address that cannot be the unit's`(_ keys: String) throws {
        let tray = try Tray(
            "  - {address: 'F0:00:00:00:00:01', kind: nordic-legacy, flash: instant, \(keys)}")
        let run = try tray.flash(sample("generation-05"), "F0:00:00:00:00:00", ["--scan-for", "0.5"])
        #expect(run.status == 1, "\(run.talk)")
        #expect(run.last["code"] as? String == "bootloader-ambiguous")
        #expect(run.last["device_state"] is NSNull || run.names.filter { $0 == "progress" }.isEmpty)
    }

    @Test(arguments: [SIGKILL, SIGINT])
    func `is resumed by the same command after it was stopped`(_ signal: Int32) throws {
        let tray = try Tray(
            "  - {address: 'F0:00:00:00:00:00', kind: nordic-legacy, mode: application, softdevice: 0xB6}",
            link: "{interval_ms: 15}")
        let first = try tray.flash(
            sample("vector"), "F0:00:00:00:00:00", ["--scan-for", "3"], signal: (signal, "progress", 2))
        #expect(first.status == (signal == SIGKILL ? 128 + SIGKILL : 130), "\(first.talk)")
        let again = try tray.flash(sample("vector"), "F0:00:00:00:00:00", ["--scan-for", "3"])
        #expect(again.status == 0, "\(again.talk)")
        let image = try image(of: "vector")
        #expect(Array(try tray.flash("F0:00:00:00:00:00").prefix(image.count)) == image)
    }

    @Test func `finds a bonded bootloader that reports only its address`() throws {
        let run = try Tray(Self.beacon(", mode: application, handover: address")).flash(
            sample("generation-05"), "F0:00:00:00:00:00")
        #expect(run.status == 0, "\(run.talk)")
    }

    @Test func `starts over when the link is lost, and reports that`() throws {
        let run = try Tray(Self.beacon(", softdevice: 0xB6, faults: [{cut_after_packet: 60}]")).flash(
            sample("vector"), "F0:00:00:00:00:01")
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.first("resumed") == nil)
        #expect(run.first("retry")?["reason"] as? String == "link-lost")
        #expect(run.first("retry")?["from"] as? Int == 0)
    }

    @Test func `installs SoftDevice and bootloader, then the application`() throws {
        let tray = try Tray(
            Self.beacon(
                ", personality: adafruit, softdevice: 0xB6, device_type: 82, device_revision: 52840, "
                    + "mode: application"))
        let run = try tray.flash(sample("adafruit"), "F0:00:00:00:00:00")
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.last["bytes"] as? Int == 4096)
        let image = try image(of: "adafruit")
        #expect(Array(try tray.flash("F0:00:00:00:00:00").prefix(image.count)) == image)
    }
}
