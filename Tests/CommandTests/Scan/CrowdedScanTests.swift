import Bluetooth
import Bytes
import Firmware
import Simulation
import TestSupport
import Testing
import Tray
import UpdateModel

@testable import CommandKit
@testable import RadioCommands

/// A scanner requests scan responses, which contain the names. In a crowd it cannot request each of them, and its
/// requests collide: which beacon answers, and when, is random.
@Suite(.timeLimit(.minutes(10))) struct `A scan in a crowd` {
    /// Twenty beacons; the scan responses of five are heard only after some seconds, that of one never.
    private static let crowd = (0..<20).map { number in
        let kinds = ["eddystone", "altbeacon", "nearable", "asensor", "ibeacon"]
        let answers =
            switch number {
            case 0..<5: "scan_response_every: \(7 + number / 2)"
            case 5: "scan_response: false"
            default: "scan_response_every: 1"
            }
        return
            "  - {kind: \(kinds[number % 5]), address: 'C0:00:00:00:00:\(20 + number)', name: Tag \(number), "
            + "period_ms: 500, phase_ms: \(50 + number * 7), \(answers)}"
    }.joined(separator: "\n")

    private static func listening(for time: ListeningTime) async throws -> [BeaconSighting] {
        try await withAir(crowd) { adapter in
            try await adapter.listen(for: time).all.sorted { "\($0.address)" < "\($1.address)" }
        }
    }

    @Test func `that is short reports missing names as unknown`() async throws {
        let heard = try await Self.listening(for: .seconds(3))
        #expect(heard.count == 20)
        let unnamed = heard.filter { $0.data.name == nil }
        #expect(unnamed.count == 6)
        let rows = SightingTable([.name]).lines(heard, width: nil).dropFirst().map(\.rendered)
        #expect(
            rows.map { $0.split(separator: " ").joined(separator: " ") } == ["?", "?", "?", "?", "?", "?"]
                + (6..<20).map { "Tag \($0)" })
        #expect(unnamed.allSatisfy { $0.missing.contains(.name) && !$0.isComplete })
        #expect(unnamed.allSatisfy { $0.members["name"] == .null })
        #expect(
            unnamed.allSatisfy { beacon in
                if case .list(let parts) = beacon.members["missing"] {
                    parts.contains(.text("name"))
                } else {
                    false
                }
            })
    }

    @Test func `continues for names that may still come, and no longer`() async throws {
        func scan(_ beacons: String, wanted: String = "") async throws -> (Int, hasListened: Bool, Duration) {
            let filters = wanted.isEmpty ? [] : [try SightingFilter(wanted)]
            return try await withAir(beacons) { adapter in
                let began = adapter.time.now
                let first = try await adapter.listen(for: .seconds(3))
                let (heard, hasListened) = try await adapter.listenForNames(for: .seconds(2), after: first) {
                    one in
                    filters.allSatisfy { $0.isAboutName || $0.passes(one) }
                }
                return (heard.all.count { $0.data.name != nil }, hasListened, adapter.time.now - began)
            }
        }
        // One never sends its name.
        let (named, hasListened, lasted) = try await scan(Self.crowd)
        #expect(named == 19 && hasListened && lasted == .seconds(5))
        let late =
            "  - {kind: ibeacon, address: 'C0:00:00:00:00:20', name: Tag, period_ms: 500, scan_response_every: 8}"
        let one = try await scan(late)
        #expect(one.0 == 1 && one.hasListened && one.2 > .seconds(3) && one.2 < .seconds(4))
        #expect(try await scan(late, wanted: "name=Tag").hasListened)
        #expect(try await !scan(late, wanted: "kind=kkm").hasListened)
        let soon = try await scan(late.replacing("every: 8", with: "every: 1"))
        #expect(soon.0 == 1 && !soon.hasListened && soon.2 == .seconds(3))
    }

    @Test func `that waits for completeness has all names, and gives up on one that never comes`()
        async throws
    {
        let heard = try await Self.listening(for: .auto)
        #expect(heard.compactMap(\.data.name) == (0..<20).filter { $0 != 5 }.map { "Tag \($0)" })
        #expect(heard.allSatisfy { $0.isComplete })
    }

    @Test(arguments: [0, 4, 12]) func `finds a beacon by its name, however late that comes`(number: Int)
        async throws
    {
        let found = try await withAir(Self.crowd) { adapter in
            let selector = try #require(DeviceSelector(argument: "name:Tag \(number)"))
            return try await DeviceSearch(selector: selector, limit: .seconds(10)).find(with: adapter).address
        }
        #expect("\(found)" == "C0:00:00:00:00:\(20 + number)")
    }

    @Test func `reports the number of missing names if no received name matches`() async throws {
        let failure = try await withAir(Self.crowd) { adapter -> CommandFailure? in
            let selector = try #require(DeviceSelector(argument: "name:Tag 3"))
            do {
                _ = try await DeviceSearch(selector: selector, limit: .seconds(3)).find(with: adapter)
                return nil
            } catch { return error as? CommandFailure }
        }
        let told = try #require(failure)
        #expect(told.code == "device-not-found" && told.message.contains("(name not heard)"))
        #expect(
            told.nextStep.hasPrefix("the names of 6 beacons were not heard yet"),
            "\(told.nextStep)")
    }

    @Test func `hears the units of a tray that are selected by name`() async throws {
        let slots = try [1, 3, 9].map { try TraySlot("\($0)", device: .name(Glob("Tag \($0)"))) }
        let targets = slots.compactMap { slot in slot.device.map { TrayTarget(slot: slot.label, device: $0) }
        }
        let found = try await withAir(Self.crowd) { adapter in
            var sightings = TraySightings(targets, isComplete: true)
            let time = adapter.time
            let reports = try await adapter.advertisements()
            for await report in reports {
                _ = sightings.hear(report, by: AdapterNumber(0), at: time.now)
                if time.now > .seconds(10) { break }
            }
            return targets.indices.map { sightings.finding(of: UnitNumber($0))?.beacon?.data.name }
        }
        #expect(found == ["Tag 1", "Tag 3", "Tag 9"])
    }

    @Test func `treats a beacon as nameless after a while, or once its scan response has no name`()
        throws
    {
        var patient = try sighting("020106")
        #expect(patient.mayHaveName)
        patient.add(try report("020106"), at: Sighting.nameTimeout - .milliseconds(1))
        #expect(patient.mayHaveName)
        patient.add(try report("020106"), at: Sighting.nameTimeout)
        #expect(!patient.mayHaveName && patient.isComplete)
        var answered = try sighting("020106")
        answered.add(try report("020AF4", connectable: nil), at: .zero)
        #expect(!answered.mayHaveName)
    }
}
