import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program given a file` {
    @Test func `prints everything in a package`() throws {
        let path = Samples.root + "/firmware-samples/nordic/vector-a.zip"
        let run = try Program.run(["inspect", path])
        #expect(run.status == 0)
        let text = run.output.replacingOccurrences(of: path, with: "vector-a.zip")
        #expect(
            text.hasPrefix(
                """
                vector-a.zip: Nordic Secure DFU package, 4.7 kB

                application
                """))
        for line in [
            "  type        application", "  version     1", "  hardware    52",
            "  SoftDevices 0x100 (S140 7.2.0)",
            "  SHA-256     d0fd3bce45ac7965618a3a8c8ed9d38c", "              matches the init packet",
            "  signature   ecdsa-p256-sha256",
        ] {
            #expect(text.contains(line + "\n"), "\(line) is not in\n\(text)")
        }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func `prints the members that scripts rely on`() throws {
        let path = Samples.root + "/firmware-samples/nordic/vector-a.zip"
        let run = try Program.run(["inspect", path, "--json"])
        let event = run.last
        #expect(event["event"] as? String == "inspected")
        #expect(event["kind"] as? String == "nordic-secure")
        let part = try #require((event["parts"] as? [[String: Any]])?.first)
        #expect(part["role"] as? String == "application")
        #expect(part["bin_bytes"] as? Int == 4100)
        #expect(part["dat_bytes"] as? Int == 140)
        let content = try #require(part["init"] as? [String: Any])
        #expect(content["fw_version"] as? Int == 1)
        #expect(content["hw_version"] as? Int == 52)
        #expect(content["sd_req"] as? [Int] == [256])
        #expect(content["app_size"] as? Int == 4100)
        #expect(content["hash_matches"] as? Bool == true)
        #expect(content["signed"] as? Bool == true)
        #expect(
            content["hash"] as? String
                == "d0fd3bce45ac7965618a3a8c8ed9d38c0981ee6ea141831607e427087ca4e310")
        #expect(
            Set(content.keys) == [
                "type", "fw_version", "hw_version", "sd_req", "sd_size", "bl_size", "app_size", "hash_type",
                "hash", "hash_matches", "is_debug", "boot_validation", "signed", "signature_type",
                "signature",
            ])
    }

    @Test func `prints everything in a SUOTA image`() throws {
        let path = Samples.root + "/firmware-samples/dialog/58x.img"
        let run = try Program.run(["inspect", path])
        #expect(run.status == 0)
        #expect(
            run.output.replacingOccurrences(of: path, with: "58x.img") == """
                58x.img: Dialog SUOTA image, 1.1 kB

                  header          58x (DA1458x, DA1453x), 64 bytes
                  payload         1024 bytes at 64
                  CRC-32          b70b4c26, matches the payload
                  version         1.2.3
                  timestamp       2023-11-14T22:13:20Z
                  encrypted       no
                  XOR trailer     ae
                  valid flag      aa
                  image id        ff

                findings
                  note unauthenticated: image at offset 0: has no signature: its checksums protect against damage, \
                not against forgery

                """)
    }

    @Test(arguments: [
        ("58x", ["valid_flag", "image_id", "encryption"]), ("68x", ["flags", "exec_location", "sections"]),
        ("69x", ["pointer_to_ivt", "sections"]),
    ])
    func `prints the members of a SUOTA image that scripts rely on`(
        _ family: String, _ own: [String]
    ) throws {
        let path = Samples.root + "/firmware-samples/dialog/\(family).img"
        let run = try Program.run(["inspect", path, "--json"])
        #expect(run.status == 0)
        let event = run.last
        #expect(
            Set(event.keys)
                == Set(
                    own + [
                        "event", "schema", "file", "bytes", "sha256", "kind", "header", "header_bytes",
                        "payload_offset", "payload_bytes", "crc32", "crc_matches", "version", "version_raw",
                        "timestamp", "timestamp_unix", "encrypted", "xor", "findings",
                    ]))
        #expect(event["kind"] as? String == "suota")
        #expect(event["header"] as? String == family)
        #expect(event["payload_bytes"] as? Int == 1024)
        #expect(event["crc32"] as? String == "b70b4c26")
        #expect(event["crc_matches"] as? Bool == true)
        #expect(event["version"] as? String == "1.2.3")
        #expect(event["timestamp"] as? String == "2023-11-14T22:13:20Z")
        #expect(event["encrypted"] as? Bool == false)
    }

    @Test func `prints the members of a Feasycom file that scripts rely on`() throws {
        let folder = Samples.root + "/firmware-samples/feasycom"
        let open = try Program.run(["inspect", folder + "/bp102.fbu", "--json"])
        #expect(open.status == 0)
        #expect(open.last["kind"] as? String == "fbeacon")
        #expect(open.last["bootloader"] as? Int == 651)
        #expect(open.last["bin_crc"] as? String == "efb5")
        #expect(open.last["length"] as? Int == 2048)
        #expect(open.last["version_range"] as? [Int] == [800, 840])
        #expect(open.last["model_type_num"] as? Int == 21)
        #expect(open.last["model_type"] as? String == "BP102")
        #expect(open.last["upload_model"] as? Int == 1)
        #expect(open.last["crc"] as? String == "f83e")
        #expect(open.last["crc_matches"] as? Bool == true)
        #expect(open.last["encrypted"] as? Bool == false)
        #expect(open.last["hint"] == nil)
        let vendor = try Program.run(["inspect", folder + "/vendor-like-two-names.dfu", "--json"])
        #expect(vendor.status == 0)
        #expect(vendor.last["encrypted"] as? Bool == true)
        #expect(vendor.last["hint"] as? String == "encrypted by the vendor; flash it with the vendor's tool")
        #expect(vendor.last["model_type"] is NSNull)
        #expect(vendor.last["bin_crc_matches"] is NSNull)
        #expect(vendor.last["model_names"] as? [String] == ["BP108", "BT926B"])
        let text = try Program.run(["inspect", folder + "/vendor-like-two-names.dfu"])
        #expect(text.output.contains("  model           BP108 or BT926B (number 39)\n"))
        #expect(text.output.hasSuffix("hint: encrypted by the vendor; flash it with the vendor's tool\n"))
    }

    @Test func `shows the errors of an image, and exits 65`() throws {
        let path = Samples.root + "/firmware-samples/malformed/suota-crc-mismatch.img"
        let run = try Program.run(["inspect", path, "--json"])
        #expect(run.status == 65)
        #expect(run.last["crc_matches"] as? Bool == false)
        let findings = try #require(run.last["findings"] as? [[String: Any]])
        #expect(findings.map { $0["id"] as? String } == ["image-crc-mismatch", "unauthenticated"])
        #expect(findings.map { $0["offset"] as? Int } == [8, 0])
        #expect(
            try Program.run(["inspect", path]).output.contains("error image-crc-mismatch: CRC-32 at offset 8")
        )
    }

    @Test(arguments: [
        ("suota-crc-mismatch.img", "image-crc-mismatch"), ("suota-truncated.img", "file-truncated"),
        ("fbeacon-body-crc.fbu", "body-crc-mismatch"), ("fbeacon-image-hash.fbu", "image-hash-mismatch"),
    ])
    func `reports errors of an image before it is asked to send it`(
        _ name: String, _ code: String
    ) throws {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00', flash: instant}")
        let path = Samples.root + "/firmware-samples/malformed/" + name
        let run = try tray.flash(path, "F0:00:00:00:00:01")
        #expect(run.status == 65)
        #expect(run.last["code"] as? String == code)
        let nextStep = run.last["next_step"] as? String
        #expect(nextStep?.hasPrefix("get the file again") == true)
    }

    @Test
    func `flashes no file that only its vendor's tool can send, and reports that before using the radio`()
        throws
    {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00', flash: instant}")
        for name in try Samples.names(in: "feasycom") where name.hasSuffix(".dfu") {
            let run = try tray.flash(Samples.root + "/firmware-samples/" + name, "F0:00:00:00:00:01")
            #expect(run.status == 65, "\(name)")
            #expect(run.names == ["failed"], "\(name)")
            #expect(run.last["code"] as? String == "unsupported-kind", "\(name)")
        }
    }

    @Test func `sends no SUOTA image to a device without SUOTA`() throws {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00', flash: instant}")
        for name in try Samples.names(in: "dialog") {
            let run = try tray.flash(Samples.root + "/firmware-samples/" + name, "F0:00:00:00:00:01")
            #expect(run.status == 1, "\(name)")
            #expect(run.names == ["failed"], "\(name)")
            #expect(run.last["code"] as? String == "wrong-device", "\(name)")
        }
    }

    @Test(arguments: [
        ("nordic/tiny.zip", "09"), ("legacy/tiny.zip", "09"),
        ("feasycom/bp102.fbu", "06"),
        ("nordic/tiny.zip", "06"),
    ]) func `is refused before a connection if the beacon advertises that it takes other files`(
        name: String, beacon: String
    ) throws {
        let run = try Program.run([
            "flash", Samples.root + "/firmware-samples/" + name, "--device", "F0:0D:BE:AC:\(beacon):00",
            "--adapter", "sim",
            "--json",
        ])
        #expect(run.status == 1 && run.names == ["failed"], "\(run.output)")
        #expect(run.last["code"] as? String == "wrong-device")
    }

    @Test(arguments: [
        ("kind: kontakt, id: abcd, version: '4.2'", "update it with Kontakt.io's application"),
        ("kind: kontakt, id: abcd, version: '3.1'", "update it with Kontakt.io's application"),
        ("kind: kontakt, format: plain, id: abcdef", "update it with Kontakt.io's application"),
        ("kind: estimote, connectable: true", "update it with Estimote's application"),
        ("kind: nearable", "update it with Estimote's application"),
        ("kind: orange-tag, clicks_s: [0]", "there is no public update"),
    ])
    func `is refused before a connection if only the vendor can update the beacon`(
        beacon: String, way: String
    ) throws {
        let tray = try Tray("  - {address: 'C4:11:22:33:44:01', \(beacon)}")
        for options in [[], ["--dry-run"], ["--wait", "30"]] {
            let run = try Program.run(
                [
                    "flash", Samples.root + "/firmware-samples/nordic/tiny.zip", "--device",
                    "C4:11:22:33:44:01", "--adapter", tray.scenario, "--json",
                ] + options)
            #expect(run.status == 1 && run.names == ["failed"], "\(run.output)")
            #expect(run.last["code"] as? String == "vendor-only")
            #expect((run.last["next_step"] as? String)?.hasPrefix(way) == true)
            #expect(run.last["device_state"] is NSNull)
        }
    }

    @Test func `exits 66 if it does not exist`() throws {
        let device = ["--device", "F0:00:00:00:00:00", "--adapter", "sim"]
        for (command, code) in [
            (["inspect", "/nowhere.zip"], "file-not-found"),
            (["flash", "/tmp"] + device, "file-is-directory"),
        ] {
            let run = try Program.run(command + ["--json"])
            #expect(run.status == 66)
            #expect(run.last["code"] as? String == code)
        }
    }

    @Test func `exits 65 if it is something else, and says what`() throws {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00'}")
        let kinds: [(String, String)] = [
            (":100000000102030405060708090A0B0C0D0E0F1068\n:00000001FF\n", "intel-hex"),
            ("\u{7F}ELF\u{2}\u{1}\u{1}\u{0}\u{0}\u{0}\u{0}\u{0}", "elf"),
            ("<!DOCTYPE html><html><body>404</body></html>", "unknown"), ("", "unknown"),
        ]
        for (content, kind) in kinds {
            let path = try tray.write(Array(content.utf8), as: "firmware.zip")
            let run = try Program.run(["inspect", path, "--json"])
            #expect(run.status == 65)
            #expect(run.last["kind"] as? String == kind)
            #expect((run.last["hint"] as? String)?.isEmpty == false)
            let flash = try tray.flash(path, "F0:00:00:00:00:01")
            #expect(flash.status == 65)
            #expect(flash.last["event"] as? String == "failed")
        }
    }

    @Test func `never passes a malformed sample, and never crashes on one`() throws {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00', flash: instant}")
        // Only with the key can a wrong signature be detected; RuleSampleTests has those for rules of the release.
        let legacy = [
            "adafruit-revision", "any-device", "any-version", "crc-alone", "dfu-version", "long", "notes",
            "padding", "signature-wrong",
            "without-packet",
        ].map { "malformed/legacy-\($0).zip" }
        // Devices accept these; their oddities are warnings.
        let images = [
            "file-name-version-2.0.0", "image-encrypted", "image-exceeds-flash", "image-fills-bank",
            "same-image",
            "suota-exceeds-small-flash", "suota-extension-unknown", "suota-section-repeated",
            "suota-section-truncated", "suota-signature-unchecked", "suota-timestamp-implausible",
            "suota-timestamp-missing", "suota-version-missing", "suota-version-not-text", "timestamp-future",
            "unknown-flags", "valid-flag-unusual",
        ].map { "malformed/\($0).img" }
        // These match no beacon, or more than one kind.
        let containers = ["ambiguous", "mismatch", "missing", "unknown"].map {
            "malformed/fbeacon-model-\($0).fbu"
        }
        let mild = try Samples.forRules().union(
            ["malformed/signature-wrong.zip"] + legacy + images + containers)
        for name in try Samples.names(in: "malformed") where !mild.contains(name) {
            let path = Samples.root + "/firmware-samples/" + name
            let run = try tray.flash(path, "F0:00:00:00:00:01")
            // MCUboot's warnings: the file could be sent, but to another kind of beacon.
            if name.hasPrefix("malformed/mcuboot-"), run.last["code"] as? String == "wrong-device" {
                continue
            }
            #expect(run.status == 65, "\(name): \(run.status) \(run.talk)")
            #expect(run.names == ["failed"], "\(name)")
            let nextStep = run.last["next_step"] as? String ?? ""
            #expect(!nextStep.isEmpty && !nextStep.contains("report it"), "\(name): \(run.last)")
            let inspect = try Program.run(["inspect", path, "--json"])
            #expect(inspect.status == 65 || inspect.status == 0, "\(name)")
            #expect(inspect.events.count == 1, "\(name)")
        }
    }

    @Test(
        arguments: [
            [], ["flash"], ["flash", "x.zip"], ["flash", "x.zip", "--device", "F0:00"],
            ["scan", "--for", "-1"], ["nonsense"], ["flash", "x.zip", "--device", "id:"],
        ])
    func `exits 64 if the command line is wrong`(_ arguments: [String]) throws {
        let run = try Program.run(arguments)
        #expect(run.status == (arguments.isEmpty ? 0 : 64), "\(run.talk)")
    }

    @Test(
        arguments: [
            ("dialog/58x.img", ["--prn", "4"]), ("dialog/68x.img", ["--prn", "0"]),
            ("nordic/tiny.zip", ["--bank", "1"]), ("nordic/tiny.zip", ["--force", "running-bank"]),
            ("nordic/tiny.zip", ["--transport", "l2cap"]),
        ])
    func `exits 64 on an option that has no meaning for the file, and names it`(
        _ name: String, _ options: [String]
    ) throws {
        let path = Samples.root + "/firmware-samples/" + name
        let run = try Program.run(
            ["flash", path, "--device", "F0:0D:BE:AC:06:00", "--adapter", "sim", "--json"] + options)
        #expect(run.status == 64, "\(run.talk)")
        #expect(run.names == ["failed"])
        #expect(run.last["code"] as? String == "option-unused")
        #expect((run.last["message"] as? String)?.contains(options[0]) == true)
    }

    @Test(arguments: ["feasycom/vendor-like.dfu", "malformed/suota-crc-mismatch.img"])
    func `reports that a file cannot be sent before it checks options`(_ name: String) throws {
        let path = Samples.root + "/firmware-samples/" + name
        let run = try Program.run(
            ["flash", path, "--device", "F0:0D:BE:AC:06:00", "--adapter", "sim", "--json", "--prn", "4"])
        #expect(run.status == 65, "\(run.talk)")
        #expect(run.names == ["failed"])
    }

    @Test func `exits 69 without an adapter and names the simulated one`() throws {
        for more in [[], ["--adapter", "hci0"]] {
            let run = try Program.run(["scan", "--json"] + more)
            #expect(run.status == 69)
            #expect(run.last["code"] as? String == "no-adapter")
            #expect((run.last["next_step"] as? String)?.contains("--adapter sim") == true)
        }
    }

    @Test func `explains every finding in a sample`() throws {
        let codes = Set(try Program.run(["explain", "--json"]).events.compactMap { $0["code"] as? String })
        #expect(codes.count > 50)
        for name in try ["dialog", "feasycom", "legacy", "malformed"].flatMap({ try Samples.names(in: $0) }) {
            let path = Samples.root + "/firmware-samples/" + name
            let event = try Program.run(["inspect", path, "--json"]).last
            let findings = event["findings"] as? [[String: Any]] ?? []
            let found = (findings.map { $0["id"] } + [event["code"]]).compactMap { $0 as? String }
            for code in found { #expect(codes.contains(code), "\(name): \(code)") }
        }
    }

    @Test func `attributes findings that only the gate refuses to the gate`() throws {
        #expect(try Program.run(["explain", "unsigned"]).output.contains("(exit 1 from `validate`"))
    }

    @Test func `explains each code that it can end with`() throws {
        let run = try Program.run(["explain", "image-crc-mismatch"])
        #expect(run.status == 0)
        #expect(run.output.contains("image-crc-mismatch (exit 1)"))
        #expect(try Program.run(["explain", "no-such-code"]).status == 64)
    }
}
