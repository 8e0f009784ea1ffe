import Bluetooth
import MCUboot
import Simulation
import Testing
import UpdateBench
import UpdateEngine
import UpdateModel

/// A beacon with small slots.
private func bench(_ change: @escaping @Sendable (inout MCUbootDescription) -> Void = { _ in })
    -> MCUbootBench
{
    MCUbootBench {
        $0.slotSize = 16 * 1024
        change(&$0)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `What proves an update of a beacon with MCUboot` {
    private static let image = MCUbootTestImage(3000)
    private static let core = MCUbootTestImage(3000, image: 1, seed: 1)

    private static func cores(_ change: @escaping @Sendable (inout MCUbootDescription) -> Void)
        -> MCUbootBench
    {
        bench {
            $0.images = [.init(), .init(first: MCUbootFirmware(payload: [1, 2, 3]).file)]
            $0.server.confirmsOtherImages = true
            change(&$0)
        }
    }

    @Test func `is not the application if the list does not show the core that was sent`() async throws {
        let kind = Self.cores { $0.server.listsOtherCores = false }
        let alone = try await kind.flash([Self.core])
        #expect(alone.failure?.code == .device.activationUnconfirmed, "\(alone.outcome)")
        let both = try await kind.flash([Self.image, Self.core])
        #expect(both.report?.verified == .version, "\(both.outcome)")
        #expect(both.warnings.contains("image-unreported"))
    }

    @Test func `is missing if the image runs and cannot be confirmed`() async throws {
        let run = try await bench { $0.server.confirmsRunningImage = false }.flash([Self.image])
        #expect(run.failure?.code.rawValue == "confirm-refused", "\(run.outcome)")
        #expect(run.slots.contains { $0.isActive && $0.hash == Self.image.hash && !$0.isConfirmed })
    }

    @Test(arguments: [MCUbootRules.Mode.directXIP, .directXIPRevert])
    func `never costs an application that starts from one slot only`(mode: MCUbootRules.Mode) async throws {
        let kind = bench {
            $0.bootloader.mode = mode
            $0.application.linkedSlot = 0
            var new = MCUbootApplication()
            new.linkedSlot = 0
            $0.applications["1.1.0"] = new
        }
        let run = try await kind.flash(uploads: [Self.image.upload])
        #expect(run.failure?.code.rawValue == "wrong-slot", "\(run.outcome)")
        #expect(run.runningVersion == "1.0.0" && run.record.uploads == 0)
    }

    @Test func `includes the version that the frames have to show`() async throws {
        var kind = bench()
        for (name, code) in [("Beacon", nil), ("Other", FailureCode.device.versionMismatch)] {
            kind.frames = FrameVersion(expecting: name) { data, _ in data.name }
            let run = try await kind.flash([Self.image])
            #expect(run.failure?.code == code, "\(run.outcome)")
            guard code == nil else { continue }
            #expect(run.report?.verified == .version && run.report?.revision == "1.1.0")
        }
    }

    @Test func `needs enough battery before anything is sent`() async throws {
        var kind = bench { $0.batteryPercent = 7 }
        kind.inspect = { (facts) throws(UpdateFailure) in
            guard facts.battery == 7 else { return }
            throw UpdateFailure(.device.batteryLow, during: "asking the application", message: "7 %")
        }
        let run = try await kind.flash([Self.image])
        #expect(run.failure?.code == .device.batteryLow, "\(run.outcome)")
        #expect(run.record.uploads == 0)
    }
}
