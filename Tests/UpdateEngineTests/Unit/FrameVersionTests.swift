import Bluetooth
import Testing
import UpdateModel

@testable import UpdateEngine

@Suite struct `The version in a unit's frames` {
    /// The result of an update of a unit that advertised 1, and the minimum time after the last packet.
    private func result(
        expecting expected: String? = nil, after frames: [String?], saysVersion: Bool = false,
        promising promise: ExpectedVersion? = ExpectedVersion(number: 7)
    ) throws -> (result: Result<VerifiedState, UpdateFailure>?, seconds: Double) {
        let address = try #require(DeviceAddress("F0:00:00:00:00:10"))
        var unit = PlainUnit(address, startsIn: .application, promising: promise) { setup in
            setup.earlierScan.version = "1.0"
            setup.frames = FrameVersion(expecting: expected) { data, _ in data.name }
        }
        (unit.frames, unit.saysVersion) = (frames, saysVersion)
        var next: (UnitFact, Duration)? = (.begun, .zero)
        var now = Duration.zero
        while let (fact, length) = next, unit.steps < 1000 {
            now += length
            next = unit.advance(after: fact, at: now)
        }
        return (unit.result, now / .seconds(1))
    }

    @Test(
        arguments: [["2.0"], [nil, nil, nil, "2.0"], Array(repeating: nil, count: 20) + ["2.0"]]
            as [[String?]])
    func `verifies the firmware of an application that reports none on a link`(frames: [String?]) throws {
        let found = try #require(try result(after: frames).result).get()
        #expect(found.verification == .version)
        #expect(found.revision?.text == "2.0" && found.revisionBefore == "1.0")
    }

    @Test func `verifies nothing if it is the same as before`() throws {
        let found = try #require(try result(after: ["1.0"]).result).get()
        #expect(found.verification == .reappeared && found.revision?.text == "1.0")
    }

    @Test func `is awaited no longer than beacons take to send all their frames`() throws {
        let (result, seconds) = try result(after: [nil])
        #expect(try #require(result).get().verification == .reappeared)
        #expect(seconds < 60)
    }

    @Test func `does not count if a link reports one`() throws {
        let found = try #require(
            try result(after: ["9"], saysVersion: true, promising: ExpectedVersion(text: "2")).result
        ).get()
        #expect(found.revision?.text == "2" && found.verification == .version)
    }

    @Test func `replaces the one on a link if it has to be the release's`() throws {
        let found = try #require(
            try result(expecting: "5", after: [nil, "5"], saysVersion: true).result
        ).get()
        #expect(found.verification == .version && found.revision?.text == "5")
    }

    @Test(arguments: [["1"], ["6"], [nil]] as [[String?]])
    func `fails an update that requires another one`(frames: [String?]) throws {
        let (result, _) = try result(expecting: "5", after: frames, saysVersion: true)
        #expect(result?.failure?.code == .device.versionMismatch)
        #expect(result?.failure?.message.contains("5 was expected") == true)
    }

    /// One or two reports may precede a restart.
    @Test func `may be the old one twice`() throws {
        let found = try #require(try result(expecting: "5", after: ["1", "1", "5"]).result).get()
        #expect(found.verification == .version)
    }
}
