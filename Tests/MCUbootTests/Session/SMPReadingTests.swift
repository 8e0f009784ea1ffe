import Bluetooth
import TestSupport
import Testing
import UpdateModel

@testable import MCUboot

@Suite struct `A session over SMP` {
    /// What is read of a beacon, first its list of images.
    private static func reading(
        of server: inout ScriptedServer, writing length: Int = 244
    ) throws -> SessionReading {
        let peer = try #require(try server.play(SMPQuery(), writing: length).ending)
        return try #require(try server.play(MCUbootVendor().reading(of: peer), writing: length).ending)
    }

    private static func reading(_ contents: [String: String], version: UInt8 = 1) throws -> SessionReading {
        var server = ScriptedServer(contents, version: version)
        return try reading(of: &server)
    }

    private static func rows(_ reading: SessionReading) -> [String] {
        reading.rows.map { "\($0.label): \($0.text)" }
    }

    @Test func `reads all that a beacon reports`() throws {
        let reading = try Self.reading(Answers.everything)
        #expect(
            Self.rows(reading) == [
                "session: SMP, version 2",
                "slot 0: 1.2.3+4, active, confirmed, hash 841b7154…, 495616 bytes long",
                "slot 1: 1.2.4, pending, hash cd3bcfbc…, 495616 bytes long",
                "bootloader: MCUboot, swap-move, refuses lower versions", "buffers: 4 of 2475 bytes",
                "board: nrf52840dk@1", "application: Zephyr shelf 7",
            ])
        #expect(reading.kind == "smp")
        #expect(reading.application == ApplicationFacts(version: "1.2.3+4", hardware: "nrf52840dk@1"))
        let facts = reading.facts
        #expect(facts["smp_version"] == .integer(2) && facts["version"] == .text("1.2.3+4"))
        #expect(facts["bootloader_mode"] == .text("swap-move") && facts["no_downgrade"] == .flag(true))
        #expect(facts["buffer_size"] == .integer(2475) && facts["buffer_count"] == .integer(4))
        guard case .list(let slots)? = facts["slots"] else {
            Issue.record("no slots")
            return
        }
        #expect(
            slots.last
                == .record([
                    "image": .integer(0), "slot": .integer(1), "version": .text("1.2.4"),
                    "hash": .text("cd3bcfbcacefbf54a90aadc7d8847f478a27baf04372605c5a9ab4a52fffcdf0"),
                    "active": .flag(false), "confirmed": .flag(false), "pending": .flag(true),
                    "permanent": .flag(false), "bootable": .flag(true),
                ]))
    }

    @Test func `reads the same from lists of indefinite length, and in pieces of 20 bytes`() throws {
        let expected = try Self.reading(Answers.everything)
        var contents = Answers.everything
        contents["1 0"] = Answers.indefinite
        #expect(try Self.reading(contents) == expected)
        var server = ScriptedServer(contents)
        server.piece = 20
        #expect(try Self.reading(of: &server, writing: 20) == expected)
        #expect(server.requests.allSatisfy { $0.count <= 20 })
    }

    @Test func `reads the slots of version 1, which supports nothing else`() throws {
        let reading = try Self.reading(["1 0": Answers.pending], version: 0)
        #expect(
            Self.rows(reading) == [
                "session: SMP, version 1", "slot 0: 1.2.3+4, active, confirmed, hash 841b7154…",
                "slot 1: 1.2.4, pending, hash cd3bcfbc…",
            ])
        #expect(reading.facts["bootloader"] == .absent && reading.facts["no_downgrade"] == .absent)
        #expect(reading.application == ApplicationFacts(version: "1.2.3+4"))
    }

    @Test func `names the images of a beacon with two, and a slot without one`() throws {
        let reading = try Self.reading(["1 0": Answers.twoImages, "1 6": Answers.sizes])
        #expect(
            Self.rows(reading) == [
                "session: SMP, version 2",
                "slot 0: 1.0.0, active, confirmed, hash 841b7154…, 495616 bytes long",
                "image 1 slot 0: 0.9.0, confirmed, hash 841b7154…",
                "image 1 slot 1: 0.9.1, pending, permanent, hash 841b7154…",
                "slot 1: no image, 495616 bytes long",
            ])
        #expect(reading.application.version == "1.0.0")
    }

    @Test func `reads what is left after a refusal of any request`() throws {
        let all = try Self.reading(Answers.everything).rows.count
        for name in Answers.everything.keys where name != "1 0" {
            for refusal in [Answers.refused, "a163657272a26567726f75700062726302"] {
                var contents = Answers.everything
                contents[name] = refusal
                let reading = try Self.reading(contents)
                #expect(reading.rows.count >= all - 2 && reading.application.version == "1.2.3+4", "\(name)")
            }
        }
    }

    @Test func `stops after two requests without an answer`() throws {
        var server = ScriptedServer(["1 0": Answers.pending])
        server.otherwise = nil
        let peer = try #require(try server.play(SMPQuery()).ending)
        let played = try server.play(SMPReading(of: peer))
        #expect(server.requests.count == 3 && played.now == .seconds(4))
        #expect(played.ending == SMPReport(peer))
    }

    @Test func `is not disturbed by an answer that comes late and in two pieces`() throws {
        let peer = SMPPeer(slots: [], sequence: 7)
        var played = try PlayedDialogue(SMPReading(of: peer))
        let late = ScriptedServer.frame(1, group: 0, sequence: 7, command: 6, Answers.parameters)
        try played.take(.done)
        try played.take(.value(Array(late.dropLast(5))))
        try played.take(.timedOut)
        #expect(played.packet?.hex == "0800000100000808a0")
        try played.take(.done)
        try played.take(.value(Array(late.suffix(5))))
        try played.take(
            .value(ScriptedServer.frame(1, group: 0, sequence: 8, command: 8, Answers.bootloader)))
        #expect(played.packet?.hex == "0800000c00000908a1657175657279646d6f6465")
    }

    @Test func `repeats the request for the list once`() throws {
        var server = ScriptedServer(Answers.everything)
        server.drops = 1
        #expect(try server.play(SMPQuery()).ending?.runningVersion == "1.2.3+4")
        #expect(server.requests.map(\.hex) == ["0800000100010000a0", "0800000100010100a0"])
        server = ScriptedServer()
        server.otherwise = nil
        let failure = #expect(throws: SessionFailure.self) { try server.play(SMPQuery()) }
        #expect(failure?.code == .device.noAnswer && server.requests.count == 2)
    }

    @Test func `says why a beacon does not list its images`() throws {
        #expect(
            Self.rows(try Self.reading([:])).dropFirst()
                == ["images: not listed: the beacon answers 8, the request is not supported"])
        let words = ["a2627263016372736e626162", Answers.noSlot, "a163657272a26567726f75701840627263182a"]
        #expect(
            try words.map { Self.rows(try Self.reading(["1 0": $0]))[1] } == [
                "images: not listed: the beacon answers 1, an error without a number of its own, \"ab\"",
                "images: not listed: the beacon answers 9, "
                    + "no slot is free: the other image is active, pending or needed to go back",
                "images: not listed: the beacon answers 42 of group 64",
            ])
        #expect(try Self.reading(["1 0": "a0"]).application == ApplicationFacts())
    }

    @Test(
        arguments: [
            // buf_size 0, -1, 2^63; buf_count as a text.
            ("0 6", "a1686275665f73697a6500"), ("0 6", "a1686275665f73697a6520"),
            ("0 6", "a1686275665f73697a651b8000000000000000"), ("0 6", "a1696275665f636f756e7461 61"),
            // mode -1, 99, as a text.
            ("0 8 a1657175657279646d6f6465", "a1646d6f646520"),
            ("0 8 a1657175657279646d6f6465", "a1646d6f64651863"),
            ("0 8 a1657175657279646d6f6465", "a1646d6f64656161"),
            // images: a number; slots: a number; a size of -1, of 2^63 - 1; a slot of 2^40.
            ("1 6", "a166696d6167657301"), ("1 6", "a166696d6167657381a165736c6f747301"),
            ("1 6", "a166696d6167657381a165736c6f747381a264736c6f74016473697a6520"),
            ("1 6", "a166696d6167657381a165736c6f747381a264736c6f74016473697a651b7fffffffffffffff"),
            ("1 6", "a166696d6167657381a165736c6f747381a264736c6f741b00000100000000006473697a6501"),
            // output: nothing but control characters; not UTF-8.
            ("0 7", "a1666f757470757463000a1b"), ("0 7", "a1666f757470757461ff"),
            // Not a map, and nested without end.
            ("0 6", "80"), ("0 6", "a1" + String(repeating: "81", count: 600)),
        ]) func `leaves out values that cannot be`(name: String, content: String) throws
    {
        var contents = ["1 0": Answers.pending, "0 8": Answers.bootloader]
        contents[name] = content.replacing(" ", with: "")
        let reading = try Self.reading(contents)
        #expect(
            Self.rows(reading) == [
                "session: SMP, version 2", "slot 0: 1.2.3+4, active, confirmed, hash 841b7154…",
                "slot 1: 1.2.4, pending, hash cd3bcfbc…", "bootloader: MCUboot",
            ])
    }

    @Test func `shows texts without control characters, up to a length`() throws {
        // version: "\u{1B}[31m1.0" and no hash; 300 times "a" as board.
        let version = "a166696d6167657381a264736c6f74006776657273696f6e681b5b33316d312e30"
        let board = "a1666f757470757479012c" + String(repeating: "61", count: 300)
        let rows = Self.rows(try Self.reading(["1 0": version, "0 7": board]))
        #expect(rows[1] == "slot 0: [31m1.0, not bootable, no hash")
        #expect(rows[2] == "board: " + String(repeating: "a", count: 200))
    }

    @Test func `survives any damage to an answer`() throws {
        for name in ["1 0", "0 6", "0 8", "1 6"] {
            let content = [UInt8](hex: try #require(Answers.everything[name]))
            for bytes in Corruption.flips(of: content).map(\.bytes) + Corruption.prefixes(of: content) {
                var contents = Answers.everything
                contents[name] = bytes.hex
                do { _ = try Self.reading(contents) } catch let failure as SessionFailure {
                    #expect(failure.code == .session.answerMalformed && name == "1 0")
                }
            }
        }
    }
}

@Suite struct `The vendor of beacons with SMP` {
    private let vendor = MCUbootVendor()

    @Test func `recognises a beacon by its service, and no other`() throws {
        let address = try #require(DeviceAddress("F0:0D:BE:AC:01:00"))
        var beacon = HeardBeacon(at: address)
        beacon.name = "Zephyr"
        #expect(!vendor.recognises(beacon))
        beacon.services = [SMPService.uuid]
        #expect(vendor.recognises(beacon))
        #expect(vendor.aBeacon == "an SMP beacon" && vendor.beacons == "SMP beacons")
    }

    @Test func `explains every number that it shows as an example`() {
        for table in vendor.resultTables {
            let number = UInt8(table.example, radix: 16)
            #expect(number.flatMap { table.entries[$0] } != nil, "\(table.name)")
        }
        #expect(Set(vendor.resultTables.map(\.name)).count == vendor.resultTables.count)
    }
}
