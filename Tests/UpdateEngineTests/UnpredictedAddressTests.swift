import Bluetooth
import Nordic
import Simulation
import Testing
import UpdateBench
import UpdateEngine
import UpdateModel

@Suite(.timeLimit(.minutes(10))) struct `A bootloader at an unpredictable address` {
    private let firmware = TestFirmware(count: 4000)
    private func elsewhere() throws -> DeviceAddress { try #require(DeviceAddress("D3:11:22:33:44:55")) }

    private func warnings(_ result: NordicBenchResult) -> [FailureCode] {
        result.events.compactMap { if case .warning(let code, _) = $0 { code } else { nil } }
    }

    @Test func `is named if it has come up since, with the way to select it`() async throws {
        let place = try elsewhere()
        let bench = NordicBench(
            change: {
                $0.program = .application
                $0.bootloaderAddress = place
            }, entering: .init(name: nil))
        let result = try await bench.flash(firmware)
        #expect(result.failure?.code == .device.bootloaderNotFound, "\(result.outcome)")
        #expect(result.failure?.message.contains("since then \(place) (DfuTarg) appeared") == true)
        #expect(result.failure?.remedy?.description.contains("\(place)") == true)
        #expect(result.packetsToOthers == 0)
    }

    @Test func `is not awaited at the application's address if it has come up elsewhere`() async throws {
        let place = try elsewhere()
        let bench = NordicBench.legacy(.sdk6_1, entering: true, change: { $0.bootloaderAddress = place })
        let result = try await bench.flash(LegacyFirmware(count: 4000), entering: true)
        #expect(result.failure?.code == .device.bootloaderNotFound, "\(result.outcome)")
        #expect(result.failure?.remedy?.description.contains("\(place)") == true)
        #expect(!result.reasons.contains(.device.linkLost))
        #expect(result.took < .seconds(60))
    }

    @Test(arguments: [FirmwareRevision.number, .none])
    func `is followed to its application if it was selected`(_ revision: FirmwareRevision) async throws {
        let place = try elsewhere()
        var bench = NordicBench(
            change: {
                $0.bootloaderAddress = place
                $0.firmwareRevision = revision
            })
        bench.policy.takesOnlyNewcomer = true
        let result = try await bench.flash(firmware)
        if revision == .number {
            #expect(result.report?.verified == .version, "\(result.outcome)")
            #expect(warnings(result).contains(.device.applicationAssumed))
        } else {
            // One without a version may be any beacon's.
            #expect(result.failure?.code == .device.didNotReappear, "\(result.outcome)")
            #expect(result.failure?.remedy?.description.contains("is this beacon") == true)
        }
        bench.policy.takesOnlyNewcomer = false
        #expect(try await bench.flash(firmware).failure?.code == .device.didNotReappear)
    }

    /// The number of a Legacy package, which many applications may report.
    @Test func `is not followed to an application with a number that cannot be compared`() async throws {
        let place = try elsewhere()
        var bench = NordicBench.legacy(
            .sdk11,
            change: {
                $0.bootloaderAddress = place
                $0.firmwareRevision = .number
            })
        bench.policy.takesOnlyNewcomer = true
        let result = try await bench.flash(LegacyFirmware(count: 4000, version: 7))
        #expect(result.failure?.code == .device.didNotReappear, "\(result.outcome)")
        #expect(!warnings(result).contains(.device.applicationAssumed))
    }

    @Test func `is not followed to another beacon if its application does not start`() async throws {
        let place = try elsewhere()
        var bench = NordicBench(change: { $0.bootloaderAddress = place })
        bench.policy.takesOnlyNewcomer = true
        bench.faults = [.nordic(.deadApplication)]
        bench.neighbours = [NordicDescription(address: try #require(DeviceAddress("F0:00:00:00:00:01")))]
        let result = try await bench.flash(firmware)
        #expect(result.failure?.code == .device.didNotReappear, "\(result.outcome)")
    }
}
