import Bytes
import Foundation
import Nordic
import TestSupport
import Testing

private let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"

/// The image inside a package.
private func image(of path: String) throws -> [UInt8] {
    let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
    return try NordicPackage(parsing: file).parts[0].image
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program flashing a simulated beacon` {
    static let signed = "  - {address: 'F0:00:00:00:00:00', name: One, key: test, flash: instant}"
    static let keeping =
        "  - {address: 'F0:00:00:00:00:00', name: One, key: test, personality: sdk-15.3, flash: instant}"

    @Test func `ends with exactly the image in the beacon's flash`() throws {
        let tray = try Tray(Self.signed)
        let run = try tray.flash(package, "F0:00:00:00:00:01")
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.names.first == "started")
        #expect(run.last["event"] as? String == "finished")
        #expect(run.last["verified"] as? String == "version")
        #expect(run.last["bytes"] as? Int == 30720)
        #expect(run.events.allSatisfy { $0["schema"] as? Int == 1 })
        let image = try image(of: package)
        #expect(Array(try tray.flash("F0:00:00:00:00:00").prefix(image.count)) == image)
    }

    @Test func `reports the phases in order`() throws {
        let run = try Tray(Self.signed).flash(package, "F0:00:00:00:00:01")
        let phases = run.events.filter { $0["event"] as? String == "phase" }.compactMap {
            $0["name"] as? String
        }
        #expect(
            phases == [
                "connecting", "preparing", "transferring", "activating", "rebooting", "verifying",
            ])
        let progress = run.events.filter { $0["event"] as? String == "progress" }
        #expect(progress.last?["sent"] as? Int == 30720)
        #expect(progress.last?["total"] as? Int == 30720)
        #expect(run.names.contains("speed"))
    }

    @Test func `exits 3 if no beacon has the address, and lists those in range`() throws {
        let tray = try Tray(Self.signed)
        let run = try tray.flash(package, "F0:99:99:99:99:99", ["--scan-for", "0.5"])
        #expect(run.status == 3)
        #expect(run.last["code"] as? String == "device-not-found")
        #expect((run.last["seen"] as? [[String: Any]])?.first?["address"] as? String == "F0:00:00:00:00:01")
        #expect(run.talk.contains("F0:00:00:00:00:01"))
    }

    @Test func `continues in the bootloader of a unit whose application was selected`() throws {
        let run = try Tray(Self.signed).flash(package, "F0:00:00:00:00:00", ["--scan-for", "0.5"])
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.first("started")?["device"] as? String == "F0:00:00:00:00:01")
        #expect(run.first("warning")?["code"] as? String == "bootloader-assumed")
    }

    @Test func `sends an application to its bootloader, and finds it again`() throws {
        let tray = try Tray(
            "  - {address: 'F0:00:00:00:00:FF', mode: application, key: test, flash: instant}")
        let run = try tray.flash(package, "F0:00:00:00:00:FF")
        #expect(run.status == 0, "\(run.talk)")
        let devices = run.events.filter { $0["event"] as? String == "connected" }.compactMap {
            $0["device"] as? String
        }
        #expect(devices == ["F0:00:00:00:00:FF", "F0:00:00:00:00:00"])
        let phases = run.events.filter { $0["event"] as? String == "phase" }.compactMap {
            $0["name"] as? String
        }
        #expect(phases.prefix(3) == ["connecting", "entering-bootloader", "connecting"])
        #expect(run.last["verified"] as? String == "version")
        let image = try image(of: package)
        #expect(Array(try tray.flash("F0:00:00:00:00:FF").prefix(image.count)) == image)
    }

    @Test func `does not choose between two beacons of one name`() throws {
        let tray = try Tray(
            Self.signed + "\n" + Self.signed.replacingOccurrences(of: "00:00:00'", with: "00:07:00'"))
        let run = try tray.flash(package, "name:DfuTarg", ["--scan-for", "0.5"])
        #expect(run.status == 1)
        #expect(run.last["code"] as? String == "device-ambiguous")
        #expect((run.last["seen"] as? [Any])?.count == 2)
    }

    @Test func `sends nothing with --dry-run`() throws {
        let tray = try Tray(Self.signed)
        let run = try tray.flash(package, "F0:00:00:00:00:01", ["--dry-run"])
        #expect(run.status == 0)
        #expect(run.names == ["started", "finished"])
        #expect(run.last["dry_run"] as? Bool == true)
        #expect(run.last["bytes"] as? Int == 0)
    }

    @Test func `explains that an application cannot be sent to its bootloader`() throws {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00', mode: application, buttonless: none}")
        let run = try tray.flash(package, "F0:00:00:00:00:00")
        #expect(run.status == 1)
        #expect(run.last["code"] as? String == "not-in-bootloader")
    }

    @Test(
        arguments: [
            ("blinker-unsigned.zip", "signature-missing"), ("deflated.zip", nil),
        ] as [(String, String?)])
    func `explains the refusals of a bootloader that requires signatures`(_ name: String, _ code: String?)
        throws
    {
        let run = try Tray(Self.signed).flash(
            Samples.root + "/firmware-samples/nordic/" + name, "F0:00:00:00:00:01")
        #expect(run.last["code"] as? String == code, "\(run.talk)")
        #expect(run.status == (code == nil ? 0 : 1))
    }

    @Test(
        arguments: [
            ("hardware: 51", "hardware-version-mismatch"), ("softdevice: 0x100", "softdevice-mismatch"),
            ("application_version: 9", "firmware-version-too-low"),
        ])
    func `names what does not match the device`(_ setting: String, _ code: String) throws {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00', flash: instant, \(setting)}")
        let run = try tray.flash(package, "F0:00:00:00:00:01")
        #expect(run.status == 1)
        #expect(run.last["code"] as? String == code)
    }

    @Test func `refuses before using the radio what a given key has not signed`() throws {
        let tray = try Tray(Self.signed)
        let key = try tray.write(
            Array(
                """
                -----BEGIN PUBLIC KEY-----
                MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7
                Yfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==
                -----END PUBLIC KEY-----
                """.utf8), as: "key.pem")
        let good = try tray.flash(package, "F0:00:00:00:00:01", ["--public-key", key, "--dry-run"])
        #expect(good.status == 0, "\(good.talk)")
        let unsigned = Samples.root + "/firmware-samples/nordic/blinker-unsigned.zip"
        let bad = try tray.flash(unsigned, "F0:00:00:00:00:01", ["--public-key", key, "--dry-run"])
        #expect(bad.status == 65)
        #expect(bad.last["code"] as? String == "signature-missing")
        let wrong = Samples.root + "/firmware-samples/malformed/signature-wrong.zip"
        let forged = try tray.flash(wrong, "F0:00:00:00:00:01", ["--public-key", key, "--dry-run"])
        #expect(forged.status == 65)
        #expect(forged.last["code"] as? String == "signature-invalid")
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program interrupted in the middle of a flash` {
    private static let slow = "{interval_ms: 15, event_ms: 7.5}"

    private func tray(_ personality: String) throws -> Tray {
        try Tray(
            "  - {address: 'F0:00:00:00:00:00', key: test, flash: instant, personality: \(personality)}",
            link: Self.slow)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `exits 130 and resumes where the beacon is`(_ number: Int32) throws {
        let tray = try tray("sdk-15.3")
        let run = try tray.flash(package, "F0:00:00:00:00:01", signal: (number, "speed", 2))
        #expect(run.status == 130)
        #expect(run.last["event"] as? String == "failed")
        #expect(run.last["code"] as? String == "interrupted")
        #expect((run.last["next_step"] as? String)?.contains("same command") == true)
        let again = try tray.flash(package, "F0:00:00:00:00:01")
        #expect(again.status == 0, "\(again.talk)")
        #expect(again.first("resumed")?["offset"] as? Int ?? 0 >= 8192)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `reports its end even when the signal comes repeatedly`(_ number: Int32) throws {
        let run = try tray("sdk-15.3").flash(
            package, "F0:00:00:00:00:01", signal: (number, "speed", 2), repeats: 50)
        #expect(run.status == 130)
        #expect(run.last["event"] as? String == "failed")
        #expect(run.last["code"] as? String == "interrupted")
    }

    @Test func `resumes in the bootloader when the command with the application's address is repeated`()
        throws
    {
        let tray = try Tray(
            "  - {address: 'F0:00:00:00:00:00', mode: application, key: test, flash: instant, "
                + "personality: sdk-15.3}", link: Self.slow)
        let run = try tray.flash(package, "F0:00:00:00:00:00", signal: (SIGKILL, "speed", 3))
        #expect(run.status == 128 + SIGKILL)
        let again = try tray.flash(package, "F0:00:00:00:00:00", ["--scan-for", "1"])
        #expect(again.status == 0, "\(again.talk)")
        #expect(again.first("resumed")?["offset"] as? Int ?? 0 >= 3 * 4096)
    }

    @Test func `resumes after a kill from what the beacon still holds`() throws {
        let tray = try tray("sdk-15.3")
        let run = try tray.flash(package, "F0:00:00:00:00:01", signal: (SIGKILL, "speed", 3))
        #expect(run.status == 128 + SIGKILL)
        let again = try tray.flash(package, "F0:00:00:00:00:01")
        #expect(again.status == 0, "\(again.talk)")
        #expect(again.first("resumed")?["offset"] as? Int ?? 0 >= 3 * 4096)
        let image = try image(of: package)
        #expect(Array(try tray.flash("F0:00:00:00:00:00").prefix(image.count)) == image)
    }

    @Test func `reports that it starts over if the bootloader keeps nothing`() throws {
        let tray = try tray("sdk-17.1")
        _ = try tray.flash(package, "F0:00:00:00:00:01", signal: (SIGKILL, "speed", 3))
        let again = try tray.flash(package, "F0:00:00:00:00:01")
        #expect(again.status == 0, "\(again.talk)")
        #expect(again.first("resumed")?["offset"] as? Int == 0)
    }
}

@Suite(.enabled(if: !Samples.genuine.isEmpty), .timeLimit(.minutes(10)), .programs)
struct `A genuine package` {
    @Test(arguments: Samples.genuine)
    func `flashes to a bootloader that accepts it, byte for byte`(_ path: String) throws {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00', flash: instant}")
        let run = try tray.flash(path, "F0:00:00:00:00:01")
        #expect(run.status == 0, "\(run.talk)")
        let image = try image(of: path)
        #expect(Array(try tray.flash("F0:00:00:00:00:00").prefix(image.count)) == image)
    }

    @Test(arguments: Samples.genuine)
    func `is refused by a bootloader with another key`(_ path: String) throws {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00', flash: instant, key: test}")
        let run = try tray.flash(path, "F0:00:00:00:00:01")
        #expect(run.status == 1)
        let isSigned = path.contains("bonds")
        #expect(run.last["code"] as? String == (isSigned ? "signature-invalid" : "signature-missing"))
        let number = isSigned ? "result 05" : "extended error 08"
        #expect((run.last["message"] as? String)?.contains(number) == true)
    }
}
