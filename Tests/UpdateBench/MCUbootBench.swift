import Bluetooth
package import MCUboot
package import Simulation
package import UpdateEngine
package import UpdateModel

/// The update of a simulated beacon with MCUboot.
package struct MCUbootBench: Sendable {
    package var link: LinkModel?
    package var faults: [Fault]
    package var policy = RetryPolicy()
    package var preferences = SMPPreferences()
    /// What the advertisements have to show, and what is asked of the application's facts before the update.
    package var frames: FrameVersion?
    package var inspect: Updater.Inspection = { _ in }
    package var change: @Sendable (inout MCUbootDescription) -> Void = { _ in }

    package init(
        link: LinkModel? = LinkModel(), faults: [Fault] = [],
        _ change: @escaping @Sendable (inout MCUbootDescription) -> Void = { _ in }
    ) {
        (self.link, self.faults, self.change) = (link, faults, change)
    }

    /// The beacon.
    package func description() throws -> MCUbootDescription {
        guard let address = DeviceAddress("DD:34:02:06:5B:60") else { throw BenchError.address }
        var description = MCUbootDescription(address: address)
        change(&description)
        return description
    }

    /// Sends images that are linked for slot 1 where they have to be linked for one.
    package func flash(_ images: [MCUbootTestImage]) async throws -> MCUbootBenchResult {
        let mode = try description().bootloader.mode
        let slot = mode == .directXIP || mode == .directXIPRevert ? 1 : nil
        return try await flash(uploads: images.map { $0.upload(linkedFor: $0.slot ?? slot) })
    }

    package func flash(uploads: [ImageUpload]) async throws -> MCUbootBenchResult {
        let description = try description()
        return try await BenchRun(link: link, policy: policy, examinedAfter: .seconds(60)).update(
            { MCUbootBeacon(description, time: $0, faults: faults) },
            { (updater) async throws(UpdateFailure) -> UpdateReport in
                try await updater.run(
                    SMPUpdate(uploads, preferences), on: description.address, among: EarlierScan(),
                    showing: frames, inspect: inspect)
            },
            examining: {
                MCUbootState(
                    runningVersion: await $0.runningVersion, slots: await $0.slots, record: await $0.record,
                    packets: await $0.packetsReceived)
            })
    }
}

/// A beacon with MCUboot a minute after its update.
package struct MCUbootState: Sendable {
    package let runningVersion: String?
    package let slots: [MCUbootSlotState]
    package let record: SMPRecord
    /// Packets of any kind that it has received.
    package let packets: Int
}

package typealias MCUbootBenchResult = BenchResult<MCUbootState>

extension MCUbootBenchResult {
    /// Whether `image` runs, and will still run after the next restart.
    package func runs(_ image: MCUbootTestImage, confirmed: Bool) -> Bool {
        self.slots.contains {
            $0.image == image.image && $0.isActive && $0.hash == image.hash && $0.isConfirmed == confirmed
        }
    }

    /// What a failure says of the application that is not so, after sending `images`, the application's
    /// first; nil if it says nothing wrong.
    package func contradiction(
        to told: DeviceState.Application?, sending images: [MCUbootTestImage]
    ) -> String? {
        let isNew = self.slots.contains { $0.isActive && $0.hash == images.first?.hash }
        switch told {
        case .unknown: return nil
        case .new: return isNew ? nil : "reported the new application, and the previous one runs"
        case .gone: return "reported that no application is left"
        case nil, .intact: return isNew ? "reported the previous application, and the new one runs" : nil
        }
    }
}
