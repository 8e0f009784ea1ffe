import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `The catalogue on the command line` {
    private static func run(_ command: String, _ arguments: [String] = []) throws -> Program.Run {
        try Program.run(
            ["catalogue", command, "--catalogue", Samples.root + "/manifests", "--json"] + arguments)
    }

    @Test func `lists families with their releases`() throws {
        let run = try Self.run("list")
        #expect(run.status == 0)
        let blinker = try #require(run.events.first { $0["model"] as? String == "Blinker" })
        #expect(blinker["kind"] as? String == "nordic-secure")
        let releases = try #require(blinker["firmware"] as? [[String: Any]])
        #expect(releases.map { $0["version"] as? String } == ["1.0.0", "1.1.0"])
    }

    @Test func `finds nothing wrong with the samples`() throws {
        let run = try Self.run("check")
        #expect(run.status == 0, "\(run.output)")
        #expect(run.last["flaws"] as? Int == 0)
        #expect(run.last["packages"] as? Int == 6)
    }

    @Test func `selects a release, with the reasons against the others, and how to install it`() throws {
        let run = try Self.run("match", ["--model", "blinker", "--version", "v1.0.0"])
        #expect(run.status == 0)
        let match = run.last
        #expect(match["outcome"] as? String == "update-available")
        #expect(match["version"] as? String == "1.1.0")
        let against = try #require(match["against"] as? [[String: Any]])
        #expect(against.map { $0["reason"] as? String } == ["same-version"])
        let step = try #require(match["next_step"] as? String)
        #expect(step.hasPrefix("beacon-dfu flash ") && step.hasSuffix("blinker-1.1.0.zip --device SELECTOR"))
        let tag = try Self.run("match", ["--model", "Tag", "--version", "1.0"]).last
        #expect(tag["options"] as? [String] == ["--profile", "dialog-spi", "--bank", "2"])
    }

    @Test(arguments: [
        (["--model", "Blinker", "--version", "1.1.0"], "up-to-date"),
        (["--model", "Blinker", "--version", "2.0"], "up-to-date"), (["--model", "Blinker"], "unknown"),
        (["--model", "Blonker", "--version", "1.0.0"], "not-listed"),
        (["--maker", "feasycom", "--number", "25", "--version", "700"], "wrong-model"),
        (["--maker", "kontakt", "--version", "4.2"], "vendor-only"),
        (["--model", "Tag", "--version", "1.0", "--battery", "29"], "battery-low"),
        (["--kind", "nordic-secure", "--bootloader"], "bootloader"),
        (["--maker", "feasycom", "--number", "21", "--version", "700"], "no-firmware"),
    ])
    func `has a word and a next step for each case without an update`(arguments: [String], word: String)
        throws
    {
        let run = try Self.run("match", arguments)
        #expect(run.status == 2)
        #expect(run.last["outcome"] as? String == word)
        #expect((run.last["next_step"] as? String)?.isEmpty == false)
    }

    @Test func `finds files that are missing, changed or unreadable, and continues`() throws {
        let zeros = String(repeating: "0", count: 64)
        let (tray, folder) = try `The release gate on the command line`.folder([
            "a.yaml": Array(
                """
                catalogue: 1
                models:
                  - model: A
                    kind: suota
                    firmware:
                      - {version: 1, file: gone.img, sha256: '\(zeros)'}
                      - {version: 2, file: tag.img, sha256: '\(zeros)'}
                  - {model: B, kind: suota, recognised_by: {model: '?'}}
                  - {model: D, kind: suota, recognised_by: {maker: estimot}}

                """.utf8),
            "b.yaml": Array("catalogue: 1\nmodels:\n  - {model: C, kind: suota, firmwear: []}\n".utf8),
            "tag.img": try Samples.bytes("dialog/58x.img"),
        ])
        let run = try Program.run(["catalogue", "check", "--catalogue", folder, "--json"])
        #expect(run.status == 1)
        let flaws = run.events.dropLast().map {
            "\($0["code"] ?? "") \($0["line"] ?? "") \($0["column"] ?? "")"
        }
        #expect(
            flaws == [
                "catalogue-invalid 3 29", "catalogue-file-missing 6 9", "catalogue-hash-mismatch 7 9",
                "catalogue-overlap 8 5", "catalogue-word-unknown 9 5",
            ])
        #expect(run.last["flaws"] as? Int == 5)
        let words = try Program.run(["catalogue", "check", "--catalogue", folder])
        #expect(words.output.contains("a.yaml: line 6, column 9: error catalogue-file-missing: "))
        #expect(words.output.hasSuffix("3 models, 2 releases, 2 packages: 5 errors\n"))
        _ = tray
    }

    @Test func `does not select a package that differs from its entry`() throws {
        let release = "{version: 2, file: a.img, sha256: '\(String(repeating: "0", count: 64))'}"
        let text = "{catalogue: 1, models: [{model: A, kind: suota, firmware: [\(release)]}]}"
        let (tray, folder) = try `The release gate on the command line`.folder([
            "a.yaml": Array(text.utf8), "a.img": try Samples.bytes("dialog/58x.img"),
        ])
        let run = try Program.run([
            "catalogue", "match", "--catalogue", folder, "--model", "A", "--version", "1", "--json",
        ])
        #expect(run.status == 65)
        #expect(run.last["code"] as? String == "catalogue-hash-mismatch")
        _ = tray
    }

    @Test func `compares two catalogues`() throws {
        func text(_ rest: String) -> [UInt8] {
            Array("{catalogue: 1, models: [{model: A, kind: suota, firmware: [{version: 1\(rest)}]}]}".utf8)
        }
        let (tray, folder) = try `The release gate on the command line`.folder([
            "old/a.yaml": text(""), "new/a.yaml": text(", withdrawn: bad"),
        ])
        let run = try Program.run(["catalogue", "diff", folder + "/old", folder + "/new"])
        #expect(run.status == 0)
        #expect(run.output == "withdrawn A 1\n")
        let none = try Program.run(["catalogue", "diff", folder + "/old", folder + "/old", "--json"])
        #expect(none.last["changes"] as? Int == 0)
        _ = tray
    }

    @Test func `reports every file of a folder that it leaves out, and counts them`() throws {
        let (tray, folder) = try `The release gate on the command line`.folder([
            "a.img": try Samples.bytes("dialog/58x.img"), "read.me": Array("hello".utf8),
            "cut.zip": try Samples.bytes("malformed/truncated-zip.zip"),
            "page.zip": try Samples.bytes("malformed/web-page.zip"),
            "older.img": try Samples.bytes("malformed/suota-truncated.img"),
        ])
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/gone.zip", withDestinationPath: "/no/such.zip")
        let run = try Program.run(["catalogue", "import", folder, "--model", "A", "--json"])
        #expect(run.status == 0)
        #expect(run.last["releases"] as? Int == 1 && run.last["left_out"] as? Int == 4)
        let warnings = run.events.filter { $0["event"] as? String == "warning" }
        #expect(
            warnings.compactMap { $0["code"] as? String }
                == ["archive-truncated", "file-not-found", "file-truncated", "unsupported-file"])
        let text = try Program.run(["catalogue", "import", folder, "--model", "A"])
        #expect(text.talk.contains("1 release written, 4 of the files left out"))
        let list = "{\"V3.0\": [{\"appVersion\": \"V1.1\", \"appFileName\": \"cut.zip\", \"note\": null}]}"
        try Data(list.utf8).write(to: URL(filePath: folder + "/BP.json"))
        let none = try Program.run(["catalogue", "import", folder + "/BP.json", "--model", "A"])
        #expect(none.talk.contains("cut.zip: archive at offset 735: the file is cut off"), "\(none.talk)")
        _ = tray
    }

    @Test func `is written from the packages in a folder, and from a vendor's list`() throws {
        let list =
            "{\"V3.0\": [{\"appVersion\": \"V1.1\", \"appFileName\": \"b.zip\", \"note\": \"blinks\"}]}"
        let (tray, folder) = try `The release gate on the command line`.folder([
            "tag/a.img": try Samples.bytes("dialog/58x.img"), "tag/read.me": Array("hello".utf8),
            "kkm/b.zip": try Samples.bytes("nordic/blinker-1.1.0.zip"), "kkm/BP.json": Array(list.utf8),
        ])
        for (source, place) in [(folder + "/tag", "tag"), (folder + "/kkm/BP.json", "kkm")] {
            let run = try Program.run(["catalogue", "import", source, "--model", "A"])
            #expect(run.status == 0, "\(run.talk)")
            try Data(run.output.utf8).write(to: URL(filePath: "\(folder)/\(place)/a.yaml"))
            let check = try Program.run(["catalogue", "check", "--catalogue", "\(folder)/\(place)", "--json"])
            #expect(check.status == 0, "\(check.output)")
            #expect(check.last["packages"] as? Int == 1)
        }
        let metainfo =
            "<component type='firmware'><releases><release version='1.1'><checksum target='content' "
            + "filename='b.zip'/></release></releases></component>"
        try Data(metainfo.utf8).write(to: URL(filePath: folder + "/kkm/lamp.metainfo.xml"))
        let lamp = try Program.run([
            "catalogue", "import", folder + "/kkm/lamp.metainfo.xml", "--model", "Lamp",
        ])
        #expect(lamp.output.contains("kind: nordic-secure"), "\(lamp.output) \(lamp.talk)")
        let answer = "{\"firmwares\": [{\"name\": \"4.2\", \"uniqueId\": [\"abcd\"]}]}"
        try Data(answer.utf8).write(to: URL(filePath: folder + "/answer.txt"))
        let kontakt = try Program.run(["catalogue", "import", folder + "/answer.txt", "--model", "K"])
        #expect(kontakt.output.contains("devices: [\"abcd\"]"), "\(kontakt.output) \(kontakt.talk)")
        let match = try Program.run([
            "catalogue", "match", "--catalogue", folder + "/kkm", "--model", "A", "--version", "V1.0",
            "--hardware", "3.0", "--json",
        ])
        #expect(match.last["version"] as? String == "V1.1")
        _ = tray
    }

    @Test(arguments: ["p256", "ed25519"])
    func `is refused if a signature is required and does not match`(type: String) throws {
        func text(_ version: String) -> [UInt8] {
            Array("{catalogue: 1, models: [{model: A, kind: suota, firmware: [{version: \(version)}]}]}".utf8)
        }
        let (shelf, folder) = try `The release gate on the command line`.folder(["c/a.yaml": text("1")])
        let keys = ["one", "two"].map { folder + "/\($0).pem" }
        for key in keys { #expect(try Program.run(["keys", "generate", key, "--type", type]).status == 0) }
        func code(_ key: String) throws -> String {
            let run = try Program.run([
                "catalogue", "list", "--catalogue", folder + "/c", "--require-signed-catalogue", key,
                "--json",
            ])
            #expect(run.status == (run.names.last == "model" ? 0 : 65))
            return run.last["code"] as? String ?? run.names.last ?? ""
        }
        func sign(_ expires: String) throws {
            let run = try Program.run([
                "catalogue", "sign", folder + "/c", "--key", keys[0], "--expires", expires,
            ])
            #expect(run.status == 0, "\(run.talk)")
        }
        #expect(try code(keys[0]) == "catalogue-unsigned")
        try sign("2001-01-01T00:00:00Z")
        #expect(try code(keys[0]) == "catalogue-expired")
        try sign("2100-01-01T00:00:00Z")
        #expect(try code(keys[0]) == "model")
        #expect(try code(keys[1]) == "catalogue-signature-invalid")
        let tray = "sim:" + Samples.root + "/manifests/scenarios/tray.yaml"
        for command in [
            ["scan", "--adapter", tray, "--for", "0.1"],
            ["validate", Samples.root + "/firmware-samples/dialog/58x.img"],
        ] {
            let asked = command + ["--catalogue", folder + "/c", "--json", "--require-signed-catalogue"]
            #expect(try Program.run(asked + [keys[0]]).last["code"] == nil)
            let refused = try Program.run(asked + [keys[1]])
            #expect(refused.last["code"] as? String == "catalogue-signature-invalid")
            #expect(try Program.run(command + ["--require-signed-catalogue", keys[0]]).status == 64)
        }
        func check() throws -> Program.Run {
            try Program.run(["catalogue", "check", "--catalogue", folder + "/c", "--json"])
        }
        #expect(try check().status == 0)
        try Data(text("2")).write(to: URL(filePath: folder + "/c/a.yaml"))
        #expect(try code(keys[0]) == "catalogue-signature-invalid")
        let changed = try check()
        #expect(changed.status == 1)
        #expect(changed.events.first?["code"] as? String == "catalogue-signature-invalid")
        try Data(text("1")).write(to: URL(filePath: folder + "/c/a.yaml"))
        try Data("{catalogue: 1, models: []}".utf8).write(to: URL(filePath: folder + "/c/b.yaml"))
        #expect(try code(keys[0]) == "catalogue-signature-invalid")
        _ = shelf
    }
}
