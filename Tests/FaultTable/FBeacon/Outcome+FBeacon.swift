import Simulation
import UpdateBench
import UpdateModel

extension Outcome {
    /// The outcome of sending `payload` to a beacon that ran version 830.
    init(_ result: FBeaconBenchResult, sending payload: [UInt8], under trouble: FBeaconTrouble) {
        // A receiver does not know where in its last packet the image ends.
        let isRight = result.running.map { $0.version == 840 && $0.payload.starts(with: payload) } ?? false
        let isOld = result.running.map { $0.version == 830 } ?? false
        // The bootloader of a beacon that overwrites its application stays, and accepts another upgrade.
        let mayStart = isRight || isOld || result.running == nil
        let errors = result.statistics.transfer.clientErrors.filter { !trouble.excuses.contains($0) }
        switch result.outcome {
        case _ where result.took > Self.limit: self = .endless
        case _ where !mayStart: self = .ruined
        case _ where !errors.isEmpty: self = .forbidden(errors.map(\.broken.text).joined(separator: ", "))
        case _ where result.statistics.wrongPINs > 1: self = .forbidden("a wrong PIN twice")
        case _ where trouble.circumstances.contains(.noMark) && result.statistics.openings > 0:
            self = .forbidden("spoke to a device without the mark")
        case .failure(let failure): self = .failed(failure.code.rawValue)
        case .success: self = isRight ? .right : .falseSuccess
        }
    }
}
