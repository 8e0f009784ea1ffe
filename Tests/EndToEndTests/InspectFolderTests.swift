import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program given a folder` {
    private static func release(_ more: [String: [UInt8]] = [:]) throws -> (Tray, String) {
        let files = [
            "app/blinker.zip": try Samples.bytes("nordic/blinker-1.1.0.zip"),
            "app/system.zip": try Samples.bytes("legacy/softdevice.zip"),
            "tag.img": try Samples.bytes("dialog/58x.img"), "beacon": try Samples.bytes("feasycom/bp102.fbu"),
            "read.me": Array("hello".utf8), ".hidden.img": try Samples.bytes("dialog/58x.img"),
        ]
        return try `The release gate on the command line`.folder(files.merging(more) { $1 })
    }

    @Test func `prints a row for each firmware file`() throws {
        let (tray, folder) = try Self.release()
        let run = try Program.run(["inspect", folder])
        #expect(run.status == 0, "\(run.output)")
        let rows = run.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows.first == ["FILE", "KIND", "VERSION", "FOR", "SIZE", "REMARKS"])
        #expect(rows.map(\.[0]) == ["FILE", "app/blinker.zip", "app/system.zip", "beacon", "tag.img"])
        #expect(rows[1] == ["app/blinker.zip", "nordic-secure", "2", "52", "31.3", "kB", "signed"])
        #expect(rows[3].prefix(4) == ["beacon", "fbeacon", "840", "BP102"])
        #expect(rows[4].prefix(4) == ["tag.img", "suota", "1.2.3", "58x"])
        _ = tray
    }

    @Test func `reports each file as it would alone, and then the total`() throws {
        let (tray, folder) = try Self.release([
            "bad.img": try Samples.bytes("malformed/suota-crc-mismatch.img"),
            "broken.zip": try Samples.bytes("malformed/truncated-zip.zip"),
            "code.hex": try Samples.bytes("hex/application.hex"),
        ])
        let run = try Program.run(["inspect", folder, "--json"])
        #expect(run.status == 65)
        #expect(run.names.filter { $0 == "inspected" }.count == run.names.count - 2)
        let broken = try #require(run.events.first { $0["event"] as? String == "uninspected" })
        #expect((broken["file"] as? String)?.hasSuffix("/broken.zip") == true)
        #expect((broken["code"] as? String)?.isEmpty == false)
        #expect(run.last["event"] as? String == "folder")
        #expect(run.last["files"] as? Int == 7)
        #expect(run.last["passed_over"] as? Int == 1)
        #expect(run.last["flawed"] as? Int == 3)
        let alone = try Program.run(["inspect", folder + "/bad.img", "--json"])
        #expect(run.output.split(separator: "\n").contains { alone.output == $0 + "\n" })
        _ = tray
    }

    @Test func `reports that there is no firmware in it`() throws {
        let (tray, folder) = try `The release gate on the command line`.folder([
            "read.me": Array("hello".utf8)
        ])
        let run = try Program.run(["inspect", folder])
        #expect(run.status == 2)
        #expect(run.talk.contains("no firmware was found in"))
        _ = tray
    }
}
