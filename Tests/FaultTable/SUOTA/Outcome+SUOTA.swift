import Simulation
import UpdateBench
import UpdateModel

extension Outcome {
    /// The outcome of sending `firmware` to a device that had the images of `board`; `excuses` are client errors that
    /// the faults explain.
    init(
        _ result: SUOTABenchResult, sending firmware: SUOTAFirmware, to board: SUOTABoard?,
        excusing excuses: Set<SUOTAClientError>
    ) {
        let isRight = result.running.map(firmware.isWhole) ?? false
        let known = [firmware, board?.first, board?.second].compactMap(\.self)
        let errors = result.statistics.receiver.clientErrors.filter { !excuses.contains($0) }
        switch result.outcome {
        case _ where result.took > Self.limit: self = .endless
        case _ where !known.contains(where: { result.next.map($0.isWhole) ?? false }): self = .ruined
        case _ where !errors.isEmpty:
            self = .forbidden(errors.map(\.broken.text).joined(separator: ", "))
        case .failure(let failure): self = .failed(failure.code.rawValue)
        case .success(let report) where report.verified == .no:
            // A device that does not report its version may run the old image, and the report states that.
            guard result.events.haveWarned(of: .device.activationUnconfirmed) else {
                self = .falseSuccess
                break
            }
            self = isRight ? .rightUnseen : .failed("activation-unconfirmed")
        case .success: self = isRight ? .right : .falseSuccess
        }
    }
}

extension SUOTAFirmware {
    fileprivate func isWhole(in image: SUOTABoot.Image) -> Bool {
        image.isIntact && image.payload == payload && image.version == version
    }
}
