import Firmware
import TestSupport
import Testing
import UpdateModel

@testable import CommandKit
@testable import Dialog
@testable import Nordic

@Suite struct `A protocol number` {
    private static func table(_ name: String) throws -> ResultTable {
        try #require(KnownVendors.resultTables.first { $0.name == name })
    }

    @Test(arguments: [
        ("secure:0B:06", ["secure:0B:06"]), ("0B:06", ["secure:0B:06"]), ("0x0b:0x06", ["secure:0B:06"]),
        ("SUOTA:15", ["suota:15"]), ("hci:3e", ["hci:3E"]), ("att:f", ["att:0F"]),
        ("07", ["smp:7", "smp-image:7", "secure:07", "suota:07", "buttonless:07", "att:07", "hci:07"]),
        ("0x3D", ["hci:3D"]),
        ("secure:ff", ["secure:FF"]),
    ])
    func `is read with its protocol, or in every protocol that has it`(_ text: String, _ numbers: [String]) {
        #expect(RawNumber.read(text).map(\.text) == numbers)
    }

    @Test(arguments: [
        "", ":", "be", "link-lost", "secure", "secure:", "secure:100", "secure:0B:06:01", "secure:05:06",
        "suota:0B:06", "-1", "+1", "58x", "64", "nordic:01", "0x", "secure:0B:",
    ])
    func `is not read from another text`(_ text: String) { #expect(RawNumber.read(text).isEmpty) }

    @Test func `leads only to codes that exist`() {
        for table in RawNumber.tables {
            for entry in Array(table.entries.values) + (table.extended.map { Array($0.entries.values) } ?? [])
            {
                #expect(
                    entry.codes.allSatisfy { FailureCode.known($0.rawValue) != nil }, "\(table.name) \(entry)"
                )
            }
        }
    }

    @Test(arguments: [false, true]) func `leads to the code with which an update ends`(_ isSigned: Bool)
        throws
    {
        let table = try Self.table("secure")
        let extended = try #require(table.extended)
        let secure: [SecureRequest] = [
            .select(.command), .create(.command, size: 1), .create(.data, size: 1), .checksum,
            .execute(.command, isLast: true), .execute(.data, isLast: true), .flashBarrier,
        ]
        let image = SecureImage(
            initPacket: [], bytes: [], isSigned: isSigned, firmwareVersion: nil, hardwareVersion: nil,
            softDevices: [])
        for (number, entry) in table.entries where number > 1 && number != 0x0B {
            for request in secure {
                let code = SecureRefusal(result: number, extended: nil).failure(of: request, for: image).code
                #expect(entry.codes.contains(code), "\(number) \(request)")
            }
        }
        for (number, entry) in extended.entries {
            let refusal = SecureRefusal(result: 0x0B, extended: number)
            let code = refusal.failure(of: .checksum, for: image).code
            #expect(entry.codes.contains(code), "0B:\(number)")
        }
    }

    @Test(arguments: ["dialog/58x.img", "dialog/68x.img", "dialog/69x.img"])
    func `leads to the code with which an update over SUOTA ends`(_ sample: String) throws {
        let image = try SUOTAImage(parsing: try Samples.bytes(sample))
        let unlisted: Set<FailureCode> = ["unknown-status", "image-not-marked"]
        let table = try Self.table("suota")
        for number in UInt8.min ... .max {
            let status = SUOTAStatus(code: number)
            let entry = table.entries[number]
            for step in [SUOTAStep.starting, .sending, .ending] where status.isRefusal || step == .ending {
                let code = SUOTARefusal(
                    status: status, step: step, image: image, preferences: SUOTAPreferences(), block: 240
                ).failure.code
                if let codes = entry?.codes, !codes.isEmpty {
                    #expect(codes == [code], "\(status) while \(step)")
                } else {
                    #expect(unlisted.contains(code), "\(status) while \(step)")
                }
            }
        }
    }

    @Test func `adopts the explanation of its code if it has no more specific one`() throws {
        let entry = try #require(try Self.table("suota").entries[0x09])
        #expect("\(entry.meaning)." == "the" + FailureCode.device.imageRefused.meaning.dropFirst(3))
    }
}
