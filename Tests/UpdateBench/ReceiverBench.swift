import Nordic
package import Simulation
import UpdateModel

extension NordicBench {
    /// A beacon whose application takes updates itself, by Legacy DFU or by Secure DFU: version 1.15.0, and 1.16.0 after
    /// the update.
    package static func receiver(
        isLegacy: Bool, faults: [Fault] = [], revision: String = "1.15.0", updated: String? = "1.16.0",
        _ change: @escaping @Sendable (inout ApplicationReceiver) -> Void = { _ in }
    ) -> NordicBench {
        NordicBench(
            faults: faults,
            change: {
                if isLegacy { $0.speakLegacy(LegacyDevice(.sdk11)) }
                $0.firmwareRevision = .text(revision)
                var receiver = ApplicationReceiver()
                receiver.updatedRevision = updated
                change(&receiver)
                $0.takeUpdates(receiver)
            })
    }

    /// The update of such a beacon.
    package func flashReceiver(
        _ firmware: LegacyFirmware, receipts: Int? = nil, expecting version: String? = nil
    ) async throws -> NordicBenchResult {
        try await flash(
            LegacyProcedure(firmware.image, receiptInterval: receipts, versionText: version), entry: nil)
    }

    /// The same over Secure DFU.
    package func flashReceiver(
        _ firmware: TestFirmware, receipts: Int? = nil, expecting version: String? = nil
    ) async throws -> NordicBenchResult {
        try await flash(
            SecureProcedure(firmware.secureImage, receiptInterval: receipts, versionText: version), entry: nil
        )
    }
}
