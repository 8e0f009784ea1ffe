import Bluetooth
import Dialog
import Nordic
import Simulation
import Testing
import UpdateBench
import UpdateEngine
import UpdateModel

private let firmware = TestFirmware(count: 20_000)

extension NordicBenchResult {
    fileprivate var state: DeviceState? { failure?.state }
}

private func application(_ change: @escaping @Sendable (inout NordicDescription) -> Void = { _ in })
    -> NordicBench
{
    NordicBench(
        change: {
            $0.program = .application
            change(&$0)
        }, entering: .init())
}

@Suite(.timeLimit(.minutes(10))) struct `The state of a unit after a failed update` {
    private let unit = DeviceAddress("F0:0D:BE:AC:00:00")
    private let loader = DeviceAddress("F0:0D:BE:AC:00:01")

    private func state(
        _ program: DeviceState.Program, _ address: DeviceAddress?, _ application: DeviceState.Application,
        _ part: UpdatePart? = nil, back: Duration? = nil
    ) throws -> DeviceState {
        DeviceState(
            program: program, address: try #require(address), application: application, part: part,
            returnsAfter: back)
    }

    @Test func `is not reported if nothing was done to it`() async throws {
        #expect(try await NordicBench(hearing: { _, _ in .absent }).flash(firmware).state == nil)
        #expect(try await NordicBench(change: { $0.program = .application }).flash(firmware).state == nil)
        let refused = try await application { $0.applicationVersion = 9 }.flash(firmware)
        #expect(refused.failure?.code == .device.firmwareVersionTooLow)
        #expect(refused.state == nil)
    }

    @Test func `is its bootloader with an intact application if the init packet is refused`() async throws {
        let result = try await application { $0.hardwareVersion = 51 }.flash(firmware)
        #expect(result.failure?.code == .device.hardwareVersionMismatch)
        #expect(try result.state == state(.bootloader, loader, .intact, back: .seconds(120)))
    }

    @Test func `is its bootloader with perhaps no application if the link is lost in the image`()
        async throws
    {
        var bench = NordicBench(faults: [.cut(afterPacket: 90)])
        bench.policy.fruitlessLinks = 1
        let result = try await bench.flash(firmware)
        #expect(result.failure?.code == .device.linkLost, "\(result.outcome)")
        #expect(try result.state == state(.bootloader, loader, .unknown, back: .seconds(120)))
    }

    @Test func `is not heard if its bootloader does not start`() async throws {
        let loader = loader
        var bench = application()
        bench.hearing = { address, _ in address == loader ? .absent : .normal }
        let result = try await bench.flash(firmware)
        #expect(result.failure?.code == .device.bootloaderNotFound, "\(result.outcome)")
        #expect(try result.state == state(.unknown, unit, .intact, back: .seconds(120)))
    }

    @Test func `is its application if that came up before the image was complete`() async throws {
        let result = try await NordicBench(faults: [.nordic(.powerLossInObject(2))]).flash(firmware)
        #expect(result.failure?.code == .device.leftBootloader, "\(result.outcome)")
        #expect(try result.state == state(.application, unit, .intact))
    }

    @Test
    func `is its bootloader with perhaps no application if it confirmed the image and does not start it`()
        async throws
    {
        // The tenth request is the last Execute (`EndingTests`).
        let bench = NordicBench(faults: [.nordic(.answerRequest(10, with: [0x01]))])
        let result = try await bench.flash(TestFirmware(count: 4000))
        #expect(result.failure?.code == .device.activationFailed, "\(result.outcome)")
        #expect(try result.state == state(.bootloader, loader, .unknown, back: .seconds(120)))
    }

    @Test func `is not heard, with the new application, if it accepted the image and did not come back`()
        async throws
    {
        let loader = loader
        var stuck = NordicBench()
        stuck.hearing = { address, events in
            events.age(of: .rebooting) != nil && address != loader ? .absent : .normal
        }
        let lost = try await stuck.flash(firmware)
        #expect(lost.failure?.code == .device.didNotReappear, "\(lost.outcome)")
        #expect(try lost.state == state(.unknown, loader, .new))
    }

    @Test func `is the second part's bootloader if a system part is new and its application is refused`()
        async throws
    {
        let system = TestFirmware.system(bootloader: 8192)
        let parts = PartSequence(
            ("SoftDevice and bootloader", SecureProcedure(system.secureImage)),
            [("application", SecureProcedure(firmware.secureImage))])
        let result = try await application().flash(parts, entry: ButtonlessEntry(name: "Dfu12345"))
        #expect(result.failure?.code.rawValue == "softdevice-mismatch", "\(result.outcome)")
        let part = UpdatePart(
            number: 2, of: 2, title: "application", startingAt: system.image.count)
        #expect(try result.state == state(.bootloader, loader, .unknown, part, back: .seconds(120)))
    }

    @Test
    func
        `is the old application if a new bootloader has started it and only its own address was selected`()
        async throws
    {
        let parts = PartSequence(
            ("bootloader", SecureProcedure(TestFirmware.bootloader(count: 8192).secureImage)),
            [("application", SecureProcedure(firmware.secureImage))])
        let result = try await NordicBench(personality: .sdk14_2).flash(parts, entry: nil)
        #expect(result.failure?.code == .device.partsLeft, "\(result.outcome)")
        #expect(result.failure?.remedy?.description.contains("the device F0:0D:BE:AC:00:00") == true)
        let part = UpdatePart(number: 2, of: 2, title: "application", startingAt: 8192)
        #expect(try result.state == state(.application, unit, .intact, part))
        let whole = try await application().flash(parts, entry: ButtonlessEntry(name: "Dfu12345"))
        #expect(whole.isRight, "\(whole.outcome)")
    }

    @Test func `of Legacy DFU is a bootloader that may have erased the application at Start`() async throws {
        let legacy = try LegacyFirmware(count: 4096)
        var bench = NordicBench.legacy(.sdk11, faults: [.cut(afterPacket: 90)])
        bench.policy.fruitlessLinks = 1
        let result = try await bench.flash(legacy)
        #expect(result.failure?.code == .device.linkLost, "\(result.outcome)")
        #expect(try result.state == state(.bootloader, loader, .unknown, back: .seconds(120)))
        let system = try LegacyFirmware(count: 4096, role: .softdevice)
        #expect(try await bench.flash(system).state?.application == .gone)
    }

    @Test func `of SUOTA is the previous application, until the new one is verified`() async throws {
        var bench = SUOTABench(.da14585, faults: [.cut(afterPacket: 60)])
        bench.policy.fruitlessLinks = 1
        let result = try await bench.flash(SUOTABench.firmware(9000))
        guard case .failure(let failure) = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
        #expect(failure.code == .device.linkLost)
        #expect(try failure.state == state(.application, unit, .intact))
    }
}
