import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `The release gate on the command line` {
    static let samples = Samples.root + "/firmware-samples"

    /// A folder with copies of samples, and additional files.
    static func folder(_ files: [String: [UInt8]]) throws -> (Tray, String) {
        let tray = try Tray("  []")
        for (name, bytes) in files {
            let path = tray.folder + "/release/" + name
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(filePath: path))
        }
        return (tray, tray.folder + "/release")
    }

    @Test func `passes valid files`() throws {
        let run = try Program.run(["validate", Self.samples + "/dialog/58x.img"])
        #expect(run.status == 0)
        #expect(run.output.contains("58x.img: suota, passed\n"))
        #expect(run.output.hasSuffix("1 file: 1 passed, 0 failed (0 errors, 0 warnings, 1 note)\n"))
    }

    @Test func `stops invalid files, and says what to do`() throws {
        let run = try Program.run(["validate", Self.samples + "/malformed/hash-mismatch.zip"])
        #expect(run.status == 1)
        #expect(run.output.contains("  error hash-mismatch: blinker.dat: Hash.hash: is not the SHA-256"))
        #expect(run.output.contains("    next: build the package again"))
    }

    @Test func `stops warnings only when it is strict`() throws {
        let path = Self.samples + "/malformed/stray-entries.zip"
        #expect(try Program.run(["validate", path]).status == 0)
        #expect(try Program.run(["validate", path, "--strict"]).status == 1)
    }

    @Test func `searches folders, and skips files that are not firmware`() throws {
        let (tray, folder) = try Self.folder([
            "b/58x.img": try Samples.bytes("dialog/58x.img"), "a.zip": try Samples.bytes("nordic/tiny.zip"),
            "README.md": Array("# Release\n".utf8), ".hidden.zip": [1], "notes.bin.txt": [0, 1, 2],
        ])
        let run = try Program.run(["validate", folder, "--json"])
        #expect(run.status == 0)
        let files = run.events.compactMap { $0["file"] as? String }
        #expect(files == [folder + "/a.zip", folder + "/b/58x.img"])
        #expect(run.last["skipped"] as? Int == 2)
        _ = tray
    }

    @Test func `stops a web page that was saved as firmware, also in a folder`() throws {
        let (tray, folder) = try Self.folder(["update.zip": try Samples.bytes("malformed/web-page.zip")])
        #expect(try Program.run(["validate", folder]).status == 1)
        _ = tray
    }

    @Test func `has nothing to do in an empty folder`() throws {
        let (tray, folder) = try Self.folder(["README.md": Array("# Nothing\n".utf8)])
        let run = try Program.run(["validate", folder])
        #expect(run.status == 2)
        #expect(run.talk.contains("none of 1 files is firmware"))
        _ = tray
    }

    @Test func `names a file that it cannot open, and still checks the others`() throws {
        let run = try Program.run([
            "validate", "/no/such.zip", Self.samples + "/nordic/tiny.zip", "--json",
        ])
        #expect(run.status == 66)
        #expect(run.events.count == 3)
        let ids = (run.events.first?["findings"] as? [[String: Any]])?.map { $0["id"] as? String }
        #expect(ids == ["file-not-found"])
    }

    @Test func `keeps the order of the files although many are checked at once`() throws {
        let names = try Samples.names(in: "malformed").sorted().map { Self.samples + "/" + $0 }
        let run = try Program.run(["validate", "--json"] + names)
        #expect(run.events.dropLast().compactMap { $0["file"] as? String } == names)
        #expect(run.status == 1)
        #expect(run.last["files"] as? Int == names.count)
    }

    @Test func `checks for a target device`() throws {
        let path = Self.samples + "/nordic/tiny.zip"
        let refused = try Program.run(["validate", path, "--target", "hardware=51", "--json"])
        #expect(refused.status == 1)
        let verdict = try #require(refused.events.first?["target"] as? [String: Any])
        #expect(verdict["verdict"] as? String == "refused")
        #expect(verdict["device_code"] as? String == "0B 06")
        #expect(try Program.run(["validate", path, "--target", "hardwear=51"]).status == 64)
    }

    @Test func `applies a rules file and a catalogue, and names their errors`() throws {
        let (tray, folder) = try Self.folder([
            "rules.yaml": Array("rules: {unsigned: warning}\n".utf8),
            "wrong.yaml": Array("rules: {unsinged: off}\n".utf8),
            "catalogue/blinker.yaml": Array(
                "{catalogue: 1, models: [{model: B, kind: nordic-secure, firmware: [{version: 1}]}]}".utf8),
        ])
        let path = Self.samples + "/nordic/blinker-unsigned.zip"
        #expect(try Program.run(["validate", path]).status == 1)
        #expect(try Program.run(["validate", path, "--rules", folder + "/rules.yaml"]).status == 0)
        let wrong = try Program.run(["validate", path, "--rules", folder + "/wrong.yaml"])
        #expect(wrong.status == 65)
        #expect(wrong.talk.contains("wrong.yaml: line 1, column 9: unknown rule 'unsinged'"))
        let old = try Program.run([
            "validate", Self.samples + "/nordic/tiny.zip", "--catalogue", folder + "/catalogue", "--target",
            "model=B", "--json",
        ])
        #expect(old.status == 1)
        #expect(old.output.contains("version-not-newer"))
        let mistyped = try Program.run([
            "validate", Self.samples + "/nordic/blinker-1.1.0.zip", "--catalogue", folder + "/catalogue",
            "--target", "model=Blinkr", "--json",
        ])
        #expect(mistyped.status == 1)
        #expect(mistyped.output.contains("target-model-unknown"))
        #expect(try Program.run(["validate", path, "--catalogue", folder]).status == 65)
        _ = tray
    }

    @Test func `skips links to folders and pipes in a folder`() throws {
        let (tray, folder) = try Self.folder(["v1/a.zip": try Samples.bytes("nordic/tiny.zip")])
        try FileManager.default.createSymbolicLink(atPath: folder + "/latest", withDestinationPath: "v1")
        try FileManager.default.createSymbolicLink(atPath: folder + "/v1/up", withDestinationPath: "..")
        try FileManager.default.createSymbolicLink(atPath: folder + "/b.zip", withDestinationPath: "v1/a.zip")
        #expect(mkfifo(folder + "/pipe.zip", 0o600) == 0)
        let run = try Program.run(["validate", folder, "--json"])
        #expect(run.status == 0)
        #expect(run.events.compactMap { $0["file"] as? String } == [folder + "/b.zip", folder + "/v1/a.zip"])
        try FileManager.default.createSymbolicLink(atPath: folder + "/c.zip", withDestinationPath: "gone.zip")
        #expect(try Program.run(["validate", folder]).status == 66)
        #expect(try Program.run(["validate", folder + "/pipe.zip"]).status == 66)
        _ = tray
    }

    @Test func `fails without an earlier release that was named`() throws {
        let path = Self.samples + "/dialog/58x.img"
        #expect(try Program.run(["validate", path, "--earlier", "/no/such.img"]).status == 66)
        let other = try Program.run(["validate", path, "--earlier", Self.samples + "/nordic/tiny.zip"])
        #expect(other.status == 0)
        #expect(other.talk.contains("has nothing by which beacons distinguish images, and was not compared"))
    }

    @Test func `distinguishes a SUOTA image from an earlier one`() throws {
        let path = Self.samples + "/malformed/same-image.img"
        #expect(try Program.run(["validate", path]).status == 0)
        let run = try Program.run(["validate", path, "--earlier", Self.samples + "/dialog"])
        #expect(run.status == 1)
        #expect(run.output.contains("error same-image"))
    }

    @Test(arguments: [[], ["README.md"]])
    func `writes an empty report if nothing was checked`(_ names: [String]) throws {
        let (tray, folder) = try Self.folder(["sub/.hidden": [1]])
        for name in names { try Data([1]).write(to: URL(filePath: "\(folder)/\(name)")) }
        let junit = try Program.run(["validate", folder, "--format", "junit"])
        #expect(junit.status == 2)
        #expect(junit.output.contains("<testsuites name=\"beacon-dfu validate\" tests=\"0\""))
        #expect(junit.output.hasSuffix("</testsuites>\n"))
        let sarif = try Program.run(["validate", folder, "--format", "sarif"])
        #expect(sarif.status == 2)
        let log = try #require(
            try JSONSerialization.jsonObject(with: Data(sarif.output.utf8)) as? [String: Any])
        let runs = try #require(log["runs"] as? [[String: Any]])
        #expect(runs.count == 1 && (runs[0]["results"] as? [Any])?.isEmpty == true)
        #expect(junit.talk.contains("nothing was checked"))
        _ = tray
    }

    @Test func `reports how long each file took`() throws {
        let run = try Program.run(["validate", Self.samples + "/dialog", "--format", "junit"])
        let cases = run.output.split(separator: "\n").filter { $0.contains("<testcase ") }
        #expect(cases.count > 1)
        #expect(cases.allSatisfy { $0.contains(/\ time="[0-9]+\.[0-9]{3}"/) })
    }

    @Test func `writes XML that any parser reads, whatever the names are`() throws {
        let (tray, folder) = try Self.folder([
            "a<&\"'\u{1}\u{1B}]]>.zip": try Samples.bytes("malformed/debug.zip")
        ])
        let run = try Program.run(["validate", folder, "/none", "--format", "junit"])
        #expect(run.status == 66)
        let path = try tray.write(Array(run.output.utf8), as: "report.xml")
        let python =
            "import sys, xml.dom.minidom as d; c = d.parse(sys.argv[1]).getElementsByTagName('testcase'); "
            + "print(len(c), c[0].getElementsByTagName('failure')[0].getAttribute('type'), "
            + "c[1].getElementsByTagName('error')[0].getAttribute('type'))"
        #expect(try Tool.run(["python3", "-c", python, path]).text == "2 debug file-not-found\n")
    }

    @Test func `writes SARIF with consistent rules, results and locations`() throws {
        let run = try Program.run(["validate", Self.samples + "/malformed", "--format", "sarif"])
        let log = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(log["version"] as? String == "2.1.0")
        let inner = try #require((log["runs"] as? [[String: Any]])?.first)
        let driver = try #require((inner["tool"] as? [String: [String: Any]])?["driver"])
        let rules = try #require(driver["rules"] as? [[String: Any]]).map { $0["id"] as? String }
        let artifacts = try #require(inner["artifacts"] as? [[String: Any]])
        let results = try #require(inner["results"] as? [[String: Any]])
        #expect(results.count > 100)
        for result in results {
            let index = try #require(result["ruleIndex"] as? Int)
            #expect(rules[index] == result["ruleId"] as? String)
            #expect(["error", "warning", "note"].contains(result["level"] as? String))
            let place = try #require((result["locations"] as? [[String: Any]])?.first)
            let physical = try #require(place["physicalLocation"] as? [String: Any])
            let file = try #require(physical["artifactLocation"] as? [String: Any])
            let region = try #require(physical["region"] as? [String: Int])
            #expect(region["startLine"] == 1)
            #expect((region["byteOffset"] == nil) == (region["byteLength"] == nil))
            #expect(region["byteLength"].map { $0 > 0 } ?? true)
            let fingerprints = try #require(result["partialFingerprints"] as? [String: String])
            #expect(fingerprints["beaconFinding/v1"]?.count == 64)
            #expect(fingerprints["primaryLocationLineHash"]?.wholeMatch(of: /[0-9a-f]{16}:[1-9]/) != nil)
            let artifact = artifacts[try #require(file["index"] as? Int)]
            #expect((artifact["location"] as? [String: Any])?["uri"] as? String == file["uri"] as? String)
        }
    }
}

/// The reports as other programs read them.
@Suite(
    .timeLimit(.minutes(10)), .programs,
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: ReportReaders.python),
        "junitparser and sarif-pydantic are not installed: scripts/python-tools installs them where PyPI can be reached"
    ))
struct `A reader of reports` {
    @Test func `finds every file and every failure in the XML`() throws {
        let run = try Program.run(["validate", ReportReaders.samples, "/none", "--format", "junit"])
        let counts = try ReportReaders.ask(
            "from junitparser import JUnitXml; x = JUnitXml.fromfile(sys.argv[1]); c = [c for s in x for c in s]; "
                + "print(x.tests, x.failures, x.errors, len(c), len({c.name for c in c}), "
                + "sum(bool(c.result) for c in c))",
            about: run.output)
        let json = try Program.run(["validate", ReportReaders.samples, "/none", "--json"])
        let files = try #require(json.last["files"] as? Int)
        let failed = try #require(json.last["failed"] as? Int)
        #expect(files > 100)
        #expect(counts == "\(files) \(failed - 1) 1 \(files) \(files) \(failed)\n")
    }

    @Test func `accepts the SARIF log as version 2.1.0`() throws {
        let run = try Program.run(["validate", ReportReaders.samples, "--format", "sarif"])
        let counts = try ReportReaders.ask(
            "from sarif_pydantic import Sarif; s = Sarif.model_validate_json(open(sys.argv[1]).read()); "
                + "r = s.runs[0]; print(s.version, len(r.results), r.tool.driver.name)",
            about: run.output)
        let json = try Program.run(["validate", ReportReaders.samples, "--json"])
        let found = ["errors", "warnings", "notes"].compactMap { json.last[$0] as? Int }.reduce(0, +)
        #expect(counts == "2.1.0 \(found) beacon-dfu\n")
    }
}

enum ReportReaders {
    static let python = Samples.root + "/.build/python-tools/bin/python3"
    static let samples = Samples.root + "/firmware-samples/malformed"

    static func ask(_ question: String, about report: String) throws -> String {
        let tray = try Tray("  []")
        let path = try tray.write(Array(report.utf8), as: "report")
        return try Tool.run([python, "-c", "import sys; " + question, path]).text
    }
}
