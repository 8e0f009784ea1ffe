import BluetoothTypes
import FirmwareModel
import UpdateCore

extension UnitUpdate {
    /// What follows from the version that a report tells; nil where it is better read on a link.
    mutating func advertised(
        _ version: String?, at address: DeviceAddress, _ verifying: Verifying
    ) throws(UpdateFailure) -> UnitStep? {
        var verifying = verifying
        guard let version else {
            // Frames alternate.
            verifying.unversioned += 1
            guard verifying.unversioned <= 5 else { return nil }
            verifying.step = .resting
            return go(to: .verifying(verifying), .rest(order.policy.firstPause))
        }
        verifying.otherVersions += 1
        // One or two may be the last reports before a restart.
        guard
            procedure.expectedVersion?.isMet(by: version) ?? true || verifying.otherVersions > 2
        else {
            verifying.step = .resting
            return go(to: .verifying(verifying), .rest(order.policy.longestPause))
        }
        seen = DeviceSighting(program: .application, address: address)
        let revision = Revision(text: version, source: procedure.targetSignature.control.service)
        return finish(
            .success(
                try proof(
                    in: revision, before: baseline.advertisedVersion, verifying.completion, at: address)))
    }
}
