import Bluetooth
import Firmware
import Orange
import Simulation
import TestSupport
import Testing
import Tray
import UpdateModel

@testable import CommandKit
@testable import RadioCommands

@Suite(.timeLimit(.minutes(10))) struct `A beacon that only its vendor can update` {
    private static let frames: [(frame: String, maker: Maker)] = [
        ("17169AFE2211223344556677880100000000000000082F57", .estimote),
        ("16FF5D0101010203040506070804024821750000400541", .estimote),
        ("0A160DD061626364040264", .kontakt), ("0F166AFE0206010F6404616263646566", .kontakt),
        ("11077E3AAA500BB0168B63401E0B0008EC59", .orange),
    ]

    private static func job(_ name: String) throws -> FlashJob {
        let file = try FileContent(path: Samples.root + "/firmware-samples/" + name)
        return try FlashJob(try file.vendorFile(), at: name, options: UpdateOptions())
    }

    @Test(arguments: frames, ["nordic/tiny.zip", "legacy/tiny.zip", "dialog/58x.img"])
    func `is refused with the text that info has`(beacon: (frame: String, maker: Maker), name: String) throws
    {
        let job = try Self.job(name)
        let heard = try sighting(beacon.frame)
        let failure = #expect(throws: CommandFailure.self) { try job.check(heard) }
        #expect(failure?.code == "vendor-only" && failure?.exit == .failed)
        #expect(failure?.nextStep == beacon.maker.vendorWay)
        #expect(failure?.message.contains("a \(beacon.maker.title) beacon ") == true)
        #expect(DeviceQuestion.fitting([heard], job).isEmpty)
    }

    /// Nordic's Secure DFU in addition to the vendor's frame.
    @Test(arguments: frames)
    func `is accepted if it advertises an update service`(beacon: (frame: String, maker: Maker)) throws {
        let heard = try sighting(beacon.frame + "030259FE")
        #expect(heard.identity.maker == beacon.maker && heard.vendorWay == nil)
        let job = try Self.job("nordic/tiny.zip")
        try job.check(heard)
        #expect(DeviceQuestion.fitting([heard], job).count == 1)
    }

    @Test(arguments: [
        "0E16AAFE220564DD3402065B5C0614", "0303F5FE13FFD200DD3402065B5C021900010240000964C5",
        "1AFF4C000215E2C56DB5DFFB48D2B060D0F5A71096E0193605B2C5", "08095368656C662031",
    ])
    func `is not one whose vendor allows updates, or whose vendor is unknown`(frame: String) throws {
        #expect(try sighting(frame).vendorWay == nil)
    }

    /// Estimote's take no connections, so waiting for one would never end.
    @Test func `is not awaited before an update`() async throws {
        let beacons = """
              - {kind: estimote, address: C0:00:00:00:00:01}
              - {kind: orange-tag, address: D5:00:00:00:00:01, clicks_s: [1], information: {serial: A1}}
            """
        func find(_ device: String, updating isForUpdate: Bool) async throws -> (String, Duration, Int) {
            let selector = try #require(DeviceSelector(argument: device))
            return try await withAir(beacons) { adapter in
                var search = DeviceSearch(selector: selector, limit: .seconds(30), isWaiting: true)
                search.isForUpdate = isForUpdate
                let began = adapter.time.now
                var found = ""
                do { found = "\(try await search.find(with: adapter).address)" } catch let error
                    as CommandFailure
                { found = error.code.rawValue }
                return (found, adapter.time.now - began, await adapter.connections)
            }
        }
        let (found, after, connections) = try await find("C0:00:00:00:00:01", updating: true)
        #expect(found == "C0:00:00:00:00:01" && after < .seconds(5) && connections == 0)
        #expect(try await find("C0:00:00:00:00:01", updating: false).0 == "device-not-found")
        #expect(try await find("id:A1", updating: false).0 == "D5:00:00:00:00:01")
    }
}
