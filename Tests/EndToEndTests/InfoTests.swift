import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program reading a device` {
    static let tray = """
          - {address: 'F0:00:00:00:01:00', name: Lamp}
          - {address: 'F0:00:00:00:02:00', name: Twin, mode: application, application_version: 7}
          - {address: 'F0:00:00:00:03:00', name: Twin, mode: application}
        """

    static func info(_ device: String, _ more: [String] = ["--json"]) throws -> Program.Run {
        let tray = try Tray(tray)
        return try Program.run(
            ["info", "--adapter", tray.scenario, "--device", device, "--scan-for", "0.5"] + more)
    }

    @Test func `reports a bootloader and its services`() throws {
        let run = try Self.info("F0:00:00:00:01:01")
        #expect(run.status == 0 && run.names == ["info"])
        let event = run.last
        #expect(event["mode"] as? String == "bootloader" && event["name"] as? String == "DfuTarg")
        #expect(event["mtu"] as? Int == 247 && event["interval_ms"] as? Double == 2)
        #expect(event["phy"] as? String == "1M" && event["rssi"] as? Int == -50)
        let updates = try #require(event["update_services"] as? [[String: Any]])
        #expect(updates.map { $0["kind"] as? String } == ["nordic-secure"])
        let services = try #require(event["services"] as? [[String: Any]])
        #expect(services.map { $0["uuid"] as? String } == ["1800", "FE59"])
        let characteristics = try #require(services.last?["characteristics"] as? [[String: Any]])
        #expect(characteristics.map { $0["name"] as? String } == ["DFU Control Point", "DFU Packet"])
        #expect(characteristics.first?["properties"] as? [String] == ["write", "notify"])
        #expect(characteristics.first?["descriptors"] as? [String] == ["2902"])
    }

    @Test func `reports an application and its version`() throws {
        let event = try Self.info("F0:00:00:00:02:00").last
        #expect(event["mode"] as? String == "application")
        #expect((event["device_information"] as? [String: Any])?["firmware"] as? String == "7")
        let updates = try #require(event["update_services"] as? [[String: Any]])
        #expect(updates.map { $0["kind"] as? String } == ["nordic-buttonless"])
        #expect(updates.map { $0["mode"] as? String } == ["application"])
    }

    @Test func `prints the same for people`() throws {
        let run = try Self.info("name:DfuTarg", [])
        #expect(run.status == 0)
        for line in [
            "F0:00:00:00:01:01: MTU 247, interval 2.0 ms, 1M PHY, -50 dBm",
            "  update        Nordic Secure DFU, in the bootloader", "  FE59 Nordic Secure DFU",
            "    8EC90001-F315-4F60-9FB8-838830DAEA50 DFU Control Point (write, notify)",
        ] {
            #expect(run.output.contains(line + "\n"), "\(line) is not in\n\(run.output)")
        }
    }

    @Test(arguments: [("F0:99:99:99:99:99", 3, "device-not-found"), ("name:Twin", 1, "device-ambiguous")])
    func `selects as flash does`(_ device: String, _ status: Int32, _ code: String) throws {
        let run = try Self.info(device)
        #expect(run.status == status && run.last["code"] as? String == code)
    }

    @Test(arguments: [
        [], ["--device", "F0:00"], ["--device", "id:"], ["--device", "F0:00:00:00:00:00", "--scan-for", "0"],
    ])
    func `exits 64 when the command line is wrong`(_ more: [String]) throws {
        #expect(try Program.run(["info", "--adapter", "sim"] + more).status == 64)
    }

    @Test func `explains how to update a beacon that only its vendor can update`() throws {
        let tray = try Tray("  - {kind: kontakt, address: 'E4:11:22:33:44:01', id: abcd, version: '4.2'}")
        let arguments = ["info", "--adapter", tray.scenario, "--device", "id:abcd", "--scan-for", "2"]
        let way = "update it with Kontakt.io's application, signed in with the account that owns it"
        let run = try Program.run(arguments + ["--json"])
        #expect(run.status == 0 && run.last["vendor_only"] as? String == way, "\(run.output)")
        #expect(try Program.run(arguments).output.contains("  update        vendor-only: \(way)\n"))
    }
}
