import UpdateBench
import UpdateModel

extension Outcome {
    init(_ result: NordicBenchResult, expecting image: [UInt8]) {
        let isRight = result.application == image
        switch result.outcome {
        case _ where result.took > Self.limit: self = .endless
        case .failure(let failure): self = .failed(failure.code.rawValue)
        case .success(let report) where report.verified == .no:
            self =
                isRight && result.events.haveWarned(of: .device.activationUnconfirmed)
                ? .rightUnseen : .falseSuccess
        // A power failure between the device's confirmation and its settings leaves the old application, and only its
        // version reveals that.
        case .success where !isRight && result.events.haveWarned(of: .device.versionUnchanged):
            self = .failed("version-unchanged")
        case .success: self = isRight ? .right : .falseSuccess
        }
    }
}
