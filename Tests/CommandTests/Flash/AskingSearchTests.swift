import Bluetooth
import Firmware
import Simulation
import Testing
import UpdateModel

@testable import CommandKit
@testable import RadioCommands

@Suite(.timeLimit(.minutes(10))) struct `Waiting for a beacon that identifies itself only over a connection` {
    /// The beacon found within `seconds`, the time that took, and the number of connections.
    private static func wait(
        for selector: String, _ seconds: Double, among beacons: String
    ) async throws -> (found: String, after: Duration, connections: Int) {
        let selector = try #require(DeviceSelector(argument: selector))
        return try await withAir(beacons) { adapter in
            let search = DeviceSearch(selector: selector, limit: .seconds(seconds), isWaiting: true)
            let began = adapter.time.now
            var found = ""
            do { found = "\(try await search.find(with: adapter).address)" } catch let error as CommandFailure
            {
                found = error.code.rawValue
            }
            return (found, adapter.time.now - began, await adapter.connections)
        }
    }

    private static let tags = """
          - {kind: orange-tag, address: D5:00:00:00:00:01, clicks_s: [2, 20], information: {serial: A1}}
          - {kind: orange-tag, address: D5:00:00:00:00:02, clicks_s: [10], information: {serial: A2}}
        """

    @Test func `connects to each once, until one matches`() async throws {
        let (found, after, connections) = try await Self.wait(for: "id:a2", 60, among: Self.tags)
        #expect(found == "D5:00:00:00:00:02" && connections == 2)
        #expect(after >= .seconds(10) && after < .seconds(15))
    }

    @Test func `ends at its deadline, without connecting twice to one`() async throws {
        let (found, after, connections) = try await Self.wait(for: "id:A3", 60, among: Self.tags)
        #expect(found == "device-not-found" && connections == 2)
        #expect(after >= .seconds(60) && after < .seconds(65))
    }

    @Test func `recognises it by a name that it does not advertise`() async throws {
        let found = try await Self.wait(
            for: "name:Door*", 20,
            among: "  - {kind: ibeacon, address: D2:00:00:00:00:01, name: Door 4, scan_response: false}")
        #expect(found.found == "D2:00:00:00:00:01" && found.connections == 1)
    }

    @Test(arguments: [
        "{kind: kontakt, address: E4:11:22:33:44:02, version: '3.1', id: abcd}",
        "{kind: kkm, address: DD:34:02:06:5B:03, connectable: false, extended: battery}",
        "{mode: application, address: F0:0D:BE:AC:34:00, name: Phone}",
    ])
    func `skips beacons that it could lock, that refuse connections, and other devices`(
        beacon: String
    ) async throws {
        let found = try await Self.wait(for: "id:A17", 10, among: "  - \(beacon)")
        #expect(found.found == "device-not-found" && found.connections == 0)
    }

    @Test func `connects again to one that was gone for a while or has not answered`() throws {
        let asked = AskedBeacons()
        let address = try report().address
        func isNew(at seconds: Double) throws -> Bool { asked.isNew(try sighting(at: .seconds(seconds))) }
        #expect(try isNew(at: 0))
        asked.note(address, at: .seconds(1), hasAnswered: true)
        #expect(try !isNew(at: 20) && !isNew(at: 45))
        #expect(try isNew(at: 76))
        asked.note(address, at: .seconds(80), hasAnswered: false)
        #expect(try !isNew(at: 81))
        #expect(try isNew(at: 91))
    }
}
