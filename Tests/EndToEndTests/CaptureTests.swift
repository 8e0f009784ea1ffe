import Bluetooth
import Foundation
import TestSupport
import Testing

private let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"

/// Wireshark's own interpretation of a recording.
private struct Wireshark {
    let path: String

    /// The output of tshark for `arguments`; a missing tshark is a failure.
    func says(_ arguments: String...) throws -> [String] {
        let run = try Tool.run(["tshark", "-r", path] + arguments)
        #expect(run.status == 0, "tshark ends with \(run.status)")
        return run.text.split(separator: "\n").map(String.init)
    }

    /// The number of packets that match `filter`.
    func count(_ filter: String) throws -> Int { try says("-Y", filter).count }
}

/// An end-to-end tray without saved state, so that the program writes no other file than the recording.
private func scenario(in tray: Tray, faults: String = "") throws -> String {
    let yaml =
        "link: instant\nbeacons:\n  - {address: 'F0:00:00:00:00:00', key: test, flash: instant\(faults)}\n"
    return "sim:" + (try tray.write(Array(yaml.utf8), as: "forgetful.yaml"))
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `A recorded run of the program` {
    private let tray: Tray
    private let path: String

    init() throws {
        tray = try Tray("  - {address: 'F0:00:00:00:00:00'}", link: "{interval_ms: 15, event_ms: 7.5}")
        path = tray.folder + "/run.btsnoop"
    }

    private func flash(_ more: [String] = [], faults: String = "") throws -> Program.Run {
        try Program.run(
            [
                "flash", package, "--adapter", try scenario(in: tray, faults: faults), "--device",
                "F0:00:00:00:00:01", "--capture", path, "--json",
            ] + more)
    }

    @Test func `is read by Wireshark with its actual content`() throws {
        let run = try flash()
        #expect(run.status == 0, "\(run.talk)")
        let wireshark = Wireshark(path: path)
        let conversations = try BTSnoopFile(parsing: Samples.file(at: path)).conversations()
        let packets = conversations.flatMap(\.packets)

        // Bootloader, then the restarted application.
        #expect(
            try wireshark.says(
                "-Y", "bthci_evt.le_meta_subevent == 1", "-T", "fields", "-e", "bthci_evt.bd_addr", "-e",
                "bthci_evt.role", "-e", "bthci_evt.le_peer_address_type")
                == ["f0:00:00:00:00:01\t0x00\t0x01", "f0:00:00:00:00:00\t0x00\t0x01"])
        #expect(try wireshark.count("bthci_evt.code == 5") == conversations.count)
        #expect(
            try Set(wireshark.says("-Y", "btatt", "-T", "fields", "-e", "bthci_acl.chandle")).count
                == conversations.count)

        #expect(try wireshark.count("btatt") == packets.count)
        for opcode: UInt8 in [0x02, 0x03, 0x10, 0x08, 0x12, 0x13, 0x1B, 0x52] {
            let recorded = packets.count { $0.bytes.first == opcode }
            #expect(recorded > 0, "opcode \(opcode)")
            #expect(try wireshark.count("btatt.opcode == \(opcode)") == recorded, "opcode \(opcode)")
        }
        // Wireshark shows our requests as sent, and answers and notifications as received.
        #expect(try wireshark.count("btatt.opcode == 0x52 && hci_h4.direction != 0") == 0)
        #expect(try wireshark.count("btatt.opcode == 0x1b && hci_h4.direction != 1") == 0)
        #expect(try wireshark.count("_ws.malformed || _ws.expert.severity == error") == 0)

        // The image itself, from the write commands and the init packet before it.
        let sent = packets.filter { $0.bytes.first == 0x52 }.reduce(0) { $0 + $1.bytes.count - 3 }
        #expect(sent == 30720 + 141)
    }

    /// A SUOTA image over its channel: as many bytes as the image has without the family-specific extras of its header.
    @Test func `shows Wireshark the packets of a credit-based channel`() throws {
        let yaml =
            "link: instant\nbeacons:\n  - {address: 'F0:00:00:00:00:00', kind: suota, flash: instant, "
            + "personality: da14695-channel}\n"
        let run = try Program.run([
            "flash", Samples.root + "/firmware-samples/dialog/69x.img", "--adapter",
            "sim:" + (try tray.write(Array(yaml.utf8), as: "channel.yaml")), "--device",
            "F0:00:00:00:00:00", "--capture", path, "--json",
        ])
        #expect(run.status == 0, "\(run.talk)")
        let wireshark = Wireshark(path: path)
        #expect(try wireshark.count("btl2cap.cmd_code == 0x14") == 1)
        #expect(try wireshark.count("btl2cap.cmd_code == 0x15") == 1)
        let lengths = try wireshark.says(
            "-Y", "btl2cap.cid == 0x0060", "-T", "fields", "-e", "btl2cap.le_sdu_length")
        let bytes = lengths.compactMap { Int($0.split(separator: ",").first ?? "") }.reduce(0, +)
        #expect(bytes == run.last["bytes"] as? Int, "\(lengths)")
        #expect(try wireshark.count("_ws.malformed || _ws.expert.severity == error") == 0)
    }

    @Test func `has the time of day`() throws {
        let before = Date.now.timeIntervalSince1970
        #expect(try flash(["--dry-run"]).status == 0)
        #expect(try flash().status == 0)
        let after = Date.now.timeIntervalSince1970
        let first = try #require(
            try Wireshark(path: path).says("-c", "1", "-T", "fields", "-e", "frame.time_epoch").first)
        let moment = try #require(Double(first))
        #expect((before - 1...after + 1).contains(moment))
    }

    @Test func `separates a lost link from the next one`() throws {
        let run = try flash(faults: ", faults: [{cut_after_packet: 60}]")
        #expect(run.status == 0, "\(run.talk)")
        let conversations = try BTSnoopFile(parsing: Samples.file(at: path)).conversations()
        #expect(conversations.count == 3)
        #expect(conversations.first?.endReason == 0x13)
        #expect(
            conversations.map(\.peer?.description).prefix(2) == ["F0:00:00:00:00:01", "F0:00:00:00:00:01"])
    }

    /// The limit on file sizes simulates a full disk: the kernel refuses further writes.
    @Test func `continues when the disk is full, and leaves an intact recording`() throws {
        let command =
            "ulimit -f 16; exec '\(Program.path)' flash '\(package)' --adapter '\(try scenario(in: tray))' "
            + "--device F0:00:00:00:00:01 --capture '\(path)' --json"
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        let output = Pipe()
        let talk = Pipe()
        process.standardOutput = output
        process.standardError = talk
        try process.run()
        let events = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let words = String(decoding: talk.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(words)")
        #expect(events.contains(#""event":"finished""#))
        #expect(
            words.split(separator: "\n").count { $0.contains("cannot be written any further") } == 1,
            "\(words)")
        let file = try BTSnoopFile(parsing: Samples.file(at: path))
        #expect(file.records.count > 20)
        #expect(file.bytes.count <= 16 * 512)
    }

    @Test func `is intact after the program was killed`() throws {
        let run = try Program.run(
            [
                "flash", package, "--adapter", tray.scenario, "--device", "F0:00:00:00:00:01", "--capture",
                path, "--json",
            ], signal: (SIGKILL, "speed", 2))
        #expect(run.status == 128 + SIGKILL)
        let conversations = try BTSnoopFile(parsing: Samples.file(at: path)).conversations()
        #expect(conversations.first?.packets.isEmpty == false)
        #expect(conversations.first?.endReason == nil)
    }

    @Test func `is refused before the radio is used if it cannot be written`() throws {
        let run = try Program.run(
            ["scan", "--adapter", "sim", "--capture", "/nowhere/run.btsnoop", "--json"])
        #expect(run.status == 66)
        #expect(run.names == ["failed"])
        #expect(run.last["code"] as? String == "file-not-writable")
        #expect((run.last["message"] as? String)?.contains("/nowhere/run.btsnoop") == true)
    }
}
