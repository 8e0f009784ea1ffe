import Bluetooth
import Bytes
import Orange
import Simulation
import Testing
import UpdateEngine
import UpdateModel

private let address = DeviceAddress("D5:00:00:00:00:01")

private func settings(_ text: String) throws(YAMLProblem) -> OrangeTagSettings {
    try OrangeTagSettings(try YAMLValue(parsing: Array(text.utf8)), besides: [])
}

/// The state of the tag after each of `visits` in turn, with the error of each, or nil.
private func visit(
    faults: [Fault] = [], window: ConnectableWindow = ConnectableWindow(.always),
    within limit: Duration = .seconds(10),
    _ visits: [@Sendable (BeaconSession<OrangeTagSession>) async throws -> Void],
    change: @escaping @Sendable (inout OrangeTagDescription) -> Void = { _ in }
) async throws -> (tag: OrangeTagDevice, failures: [(any Error)?]) {
    let address = try #require(address)
    return try await VirtualTime.run { time in
        var advertiser = AdvertiserDescription(address: address, OrangeTagAdvertiser(address: address))
        advertiser.plan.window = window
        var description = OrangeTagDescription(advertiser)
        change(&description)
        let tag = SimulatedBeacon<OrangeTagDevice>(description, time: time.clock, faults: faults)
        var failures: [(any Error)?] = []
        for visit in visits {
            do {
                try await SimulatedAdapter.withBeacons([tag], link: nil, time: time.clock, readiness: time) {
                    adapter in
                    try await adapter.withSession(OrangeTagSession(), with: address, within: limit, visit)
                }
                failures.append(nil)
            } catch { failures.append(error) }
        }
        return (await tag.current, failures)
    }
}

private func reads(
    _ check: @escaping @Sendable (OrangeTagSettings) -> Void
) -> @Sendable (BeaconSession<OrangeTagSession>) async throws -> Void {
    { session in
        check(
            try await session.perform { (peer) throws(SessionFailure) in OrangeTagSettings.reading(of: peer) }
        )
    }
}

private func writes(
    _ text: String, changing count: Int? = nil
) throws -> @Sendable (BeaconSession<OrangeTagSession>) async throws -> Void {
    let wanted = try settings(text)
    return { session in
        let changes = try await session.perform { (peer) throws(SessionFailure) in
            SettingsChange(to: wanted, of: peer)
        }
        if let count { #expect(changes.count == count) }
    }
}

private let wanted = """
    uuid: 3D4F13B4-D1FD-4049-80E5-D3EDCC840B66
    major: 63672
    minor: 52672
    interval_ms: 625
    tx_power_dbm: 4
    sleep_s: 10
    temperature_wakes: 1
    temperature_lower_c: -20
    temperature_upper_c: 50
    acceleration_wakes: 1
    acceleration_ms2: 2.45
    angular: 1.5
    """

@Suite(.timeLimit(.minutes(10))) struct `A simulated Orange Beacon Tag` {
    @Test func `reports its firmware and Orange's default settings`() async throws {
        let (_, failures) = try await visit([
            { #expect(await $0.opened == OrangeTagFacts(firmware: "1.0")) },
            reads { found in
                #expect(
                    found.lines == [
                        "uuid: \"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0\"", "major: 1", "minor: 1",
                        "interval_ms: 1000",
                        "tx_power_dbm: 0", "sleep_s: 0", "temperature_wakes: 0", "temperature_lower_c: 15",
                        "temperature_upper_c: 25", "acceleration_wakes: 0", "acceleration_ms2: 0.980665",
                        "angular_wakes: 0", "angular: 0",
                    ])
            },
        ])
        #expect(failures.allSatisfy { $0 == nil }, "\(failures)")
    }

    @Test func `accepts all settings, returns them, and advertises accordingly`() async throws {
        let text = wanted
        let (tag, failures) = try await visit([
            try writes(text, changing: 12), try writes(text, changing: 0),
            reads { found in #expect((try? settings(text).differences(from: found)) == []) },
        ])
        #expect(failures.allSatisfy { $0 == nil }, "\(failures)")
        #expect(tag.value(of: .acceleration) == [1, 0xCD, 0xCC, 0x1C, 0x40])
        #expect(tag.value(of: .temperature) == [1, 0xEC, 50] && tag.value(of: .sleep) == [10, 0])
        let heard = try #require(tag.reports(after: .seconds(100), through: .seconds(101)).first)
        #expect(
            heard.data.manufacturerBytes
                == [0x02, 0x15] + (BluetoothUUID("3D4F13B4-D1FD-4049-80E5-D3EDCC840B66")?.bytes ?? [])
                + [0xF8, 0xB8, 0xCD, 0xC0, 0xC5])
        #expect(
            tag.reports(after: .seconds(100), through: .seconds(120)).count { $0.isConnectable != nil } == 32)
    }

    @Test func `is connectable only for a minute after a press of its button`()
        async throws
    {
        let (_, none) = try await visit(window: ConnectableWindow(.afterClick), [{ _ in }])
        #expect(none[0] is AdapterError, "\(none)")
        let (_, pressed) = try await visit(
            window: ConnectableWindow(.afterClick, clicks: [.seconds(30)]), within: .seconds(40),
            [reads { _ in }])
        #expect(pressed[0] == nil)
    }

    @Test func `may lack what wakes it`() async throws {
        let (_, failures) = try await visit(
            [
                reads { #expect($0.paths == [.uuid, .major, .minor, .interval, .power]) },
                try writes("major: 7"),
                try writes("major: 8\nsleep_s: 1"),
            ],
            change: {
                for part: OrangeTagPart in [.sleep, .temperature, .acceleration, .angular] {
                    $0.values[part] = nil
                }
            })
        #expect(failures[0] == nil && failures[1] == nil)
        #expect((failures[2] as? SessionFailure)?.code == .session.notSupported)
    }

    @Test func `may be a different device`() async throws {
        let (_, failures) = try await visit([{ _ in }], change: { $0.values[.uuid] = nil })
        #expect((failures[0] as? SessionFailure)?.code == .session.notOffered)
    }

    @Test func `is not read partially if one value is unreadable`() async throws {
        let (_, failures) = try await visit([reads { _ in }], change: { $0.unreadable = [.minor] })
        let failure = failures[0] as? SessionFailure
        #expect(failure?.code == .session.refusedByDevice && failure?.message.contains("minor") == true)
    }

    @Test func `may protect its identity, and then nothing is changed`() async throws {
        let (tag, failures) = try await visit(
            [try writes("tx_power_dbm: 4\nmajor: 7")], change: { $0.fixed = [.uuid, .major, .minor] })
        let failure = failures[0] as? SessionFailure
        #expect(
            failure?.code == .session.refusedByDevice
                && failure?.message == "the tag refuses major: write not permitted; nothing was changed"
        )
        #expect(tag.value(of: .power) == [0])
    }

    @Test func `reports what it has accepted before a refusal`() async throws {
        let (tag, failures) = try await visit(
            faults: [.orange(.refuseWrite(2))],
            [try writes("tx_power_dbm: 4\nmajor: 7\nsleep_s: 0"), try writes("tx_power_dbm: 4")])
        let failure = failures[0] as? SessionFailure
        #expect(
            failure?.code == .session.refusedByDevice
                && failure?.message
                    == "the tag refuses tx_power_dbm: application error 0x80; already written: major"
        )
        #expect(failures[1] == nil && tag.value(of: .power) == [4] && tag.value(of: .major) == [7, 0])
    }

    @Test func `causes a failure if it forgets its settings`() async throws {
        let (_, failures) = try await visit(faults: [.orange(.forgetWrite(1))], [try writes("major: 7")])
        let failure = failures[0] as? SessionFailure
        #expect(failure?.code == .session.settingsNotTaken && failure?.message == "major is 1, not 7")
    }

    @Test(arguments: [[], [1], [1, 2], [0, 15, 25, 9]] as [[UInt8]])
    func `keeps a value of unknown length, which is shown and not written`(bytes: [UInt8])
        async throws
    {
        let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let (tag, failures) = try await visit(
            [
                reads { #expect($0.values[.temperatureSwitch] == .text("hex:" + hex)) },
                try writes("temperature_wakes: 'hex:\(hex)'", changing: 0),
                try writes("temperature_wakes: 1"),
            ], change: { $0.values[.temperature] = bytes })
        #expect(failures[0] == nil && failures[1] == nil, "\(failures)")
        #expect((failures[2] as? SessionFailure)?.code == .session.notSupported)
        #expect(tag.value(of: .temperature) == bytes)
    }

    @Test func `is never reported with settings it has not accepted, at whichever packet the link ends`()
        async throws
    {
        let text = wanted
        for isAfter in [false, true] {
            var packet = 1
            while true {
                let fault: Fault = isAfter ? .cut(afterPacket: packet) : .cut(beforePacket: packet)
                let (tag, failures) = try await visit(faults: [fault], [try writes(text), try writes(text)])
                guard let failure = failures[0] else { break }
                #expect(failures[1] == nil, "\(packet): \(failures)")
                #expect(tag.value(of: .angular) == [0, 0, 0, 0xC0, 0x3F])
                switch failure {
                case let failure as SessionFailure:
                    #expect(failure.code == .device.linkLost, "\(packet): \(failure)")
                case let error as GATTError: #expect(error == .disconnected, "\(packet): \(error)")
                case is AdapterError: break
                default: Issue.record("\(packet): \(failure)")
                }
                packet += 1
            }
            #expect(packet > 30 && packet < 400, "\(packet)")
        }
    }

    @Test func `that falls silent ends the session`() async throws {
        let (_, failures) = try await visit(faults: [.silence(fromPacket: 20)], [reads { _ in }])
        #expect(failures[0] != nil)
    }
}

extension AdvertisingData {
    /// The data of the one company in it, without its number.
    fileprivate var manufacturerBytes: [UInt8]? {
        for case .manufacturer(_, let bytes) in elements { return Array(bytes) }
        return nil
    }
}
