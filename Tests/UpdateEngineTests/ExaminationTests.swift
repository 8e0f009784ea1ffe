import Bluetooth
import Nordic
import Simulation
import Synchronization
import Testing
import UpdateBench
import UpdateEngine
import UpdateModel

private let firmware = TestFirmware(count: 4000, version: 3)

private func bench(_ change: @escaping @Sendable (inout NordicDescription) -> Void) -> NordicBench {
    NordicBench(
        change: {
            $0.program = .application
            change(&$0)
        }, entering: .init())
}

@Suite(.timeLimit(.minutes(10))) struct `An application that is checked before it is sent to its bootloader` {
    private func procedure(_ risks: Set<Risk> = []) -> SecureProcedure {
        SecureProcedure(firmware.secureImage, allowing: risks)
    }

    private func flash(
        _ risks: Set<Risk> = [], _ change: @escaping @Sendable (inout NordicDescription) -> Void
    ) async throws -> NordicBenchResult {
        try await bench(change).flash(procedure(risks), entry: ButtonlessEntry(name: "Dfu12345"))
    }

    @Test(
        arguments: [
            ("9", .device.firmwareVersionTooLow), ("0.0.9", .device.firmwareVersionTooLow),
            ("3", .device.sameVersion), ("2", nil), ("1.0.0", nil),
            (nil, nil),
        ] as [(String?, FailureCode?)])
    func `stays if its version conflicts with the package`(_ text: String?, _ code: FailureCode?)
        async throws
    {
        let result = try await flash { $0.firmwareRevision = text.map(FirmwareRevision.text) ?? .none }
        #expect(result.events.contains(.phase(.enteringBootloader)) == (code == nil), "\(result.outcome)")
        guard let code else { return }
        #expect(result.failure?.code == code, "\(result.outcome)")
        #expect(result.statistics.commandsReceived == 0)
        if code == .device.firmwareVersionTooLow {
            #expect(
                result.failure?.remedy?.description.contains("the application version 9 or higher") == true)
        }
    }

    @Test func `leaves if the risk is accepted by its name`() async throws {
        let again = try await flash([.sameVersion]) { $0.applicationVersion = 3 }
        #expect(again.report?.verified == .reappeared, "\(again.outcome)")
        #expect(again.report?.revisionBefore == "3" && again.report?.revision == "3")
        #expect(
            again.events.contains { if case .warning(.device.sameVersion, _) = $0 { true } else { false } })
        let low = try await flash([.lowerVersion]) { $0.applicationVersion = 9 }
        #expect(low.failure?.code == .device.firmwareVersionTooLow, "\(low.outcome)")
        #expect(low.events.contains(.phase(.enteringBootloader)))
    }

    @Test func `reports its battery, and stays if that is too low`() async throws {
        var empty = bench { $0.batteryPercent = 5 }
        empty.inspect = { (facts) throws(UpdateFailure) in
            guard facts.battery != 5 else {
                throw UpdateFailure(FailureCode(named: "battery-low"), during: "a test", message: "5 %")
            }
        }
        let result = try await empty.flash(procedure(), entry: ButtonlessEntry(name: "Dfu12345"))
        #expect(result.failure?.code.rawValue == "battery-low", "\(result.outcome)")
        #expect(result.failure?.state == nil)
        #expect(!result.events.contains(.phase(.enteringBootloader)))
    }

    @Test(arguments: [("nRF51822 rev 2", true), ("nRF52832", false), ("1.2", false)])
    func `stays if it names another chip than the package's`(_ text: String, _ isOther: Bool)
        async throws
    {
        let result = try await flash { $0.hardwareRevision = text }
        #expect(
            result.failure?.code == (isOther ? .device.hardwareVersionMismatch : nil), "\(result.outcome)")
        #expect(result.events.contains(.phase(.enteringBootloader)) != isOther)
        let forced = try await flash([.wrongFamily]) { $0.hardwareRevision = text }
        #expect(forced.isRight, "\(forced.outcome)")
    }
}

@Suite struct `A package's version and an application's` {
    @Test(
        arguments: [
            (2, "2", .same), (2, "9", .lower), (9, "2", .higher), (20731, "2.7.31", .same),
            (20730, "v2.7.31+b", .lower), (1, "1.0.0", nil), (3, "release", nil), (UInt32.max, "1.0.0", nil),
        ] as [(UInt32, String, ExpectedVersion.Order?)])
    func `are compared if both have the same numbering`(
        _ number: UInt32, _ text: String, _ order: ExpectedVersion.Order?
    ) {
        #expect(ExpectedVersion.order(of: number, to: text) == order)
    }

    @Test func `are compared for equality only with Legacy packages`() throws {
        let packet: [UInt8] = [0x52, 0, 0xFF, 0xFF, 1, 0, 0, 0, 1, 0, 0xFE, 0xFF, 0x12, 0x34]
        let image = LegacyImage(
            bytes: [UInt8](repeating: 1, count: 256), initPacket: try LegacyInitPacket(parsing: packet))
        let procedure = LegacyProcedure(image)
        #expect(throws: UpdateFailure.self) { try procedure.check(ApplicationFacts(version: "1")) }
        #expect(try procedure.check(ApplicationFacts(version: "7")) == [])
        let forced = LegacyProcedure(image, allowing: [.sameVersion])
        #expect(try forced.check(ApplicationFacts(version: "1")).count == 1)
    }
}
