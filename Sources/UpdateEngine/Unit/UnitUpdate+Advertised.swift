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
            promised?.isMet(by: version) ?? true || verifying.otherVersions > 2
                // A link has shown since that it has restarted.
                || verifying.found != nil && order.frames?.expected == nil
        else {
            verifying.step = .resting
            return go(to: .verifying(verifying), .rest(order.policy.longestPause))
        }
        seen = DeviceSighting(program: .application, address: address)
        let signature = procedure.targetSignature
        let revision = Revision(
            text: version, source: signature.advertisedVersion == nil ? nil : signature.control.service)
        return finish(
            .success(
                try proof(
                    in: revision, before: baseline.advertisedVersion, verifying.completion, at: address)))
    }

    /// How long the frames of an application are waited for that has shown itself on a link. Beacons that send several kinds of
    /// frames in turn may show one of them every 10 s.
    private static let frameTimeout = Duration.seconds(12)
    /// The same where they have to show the version.
    private static let promiseTimeout = Duration.seconds(30)

    /// Between two reports, each of which may be of another kind.
    private static let frameRest = Duration.milliseconds(100)

    /// Whether the frames of an application that shows `revision` on a link decide.
    func awaitsFrames(blinking revision: Revision?) -> Bool {
        guard let frames = order.frames, procedure.targetSignature.advertisedVersion == nil else {
            return false
        }
        return frames.expected != nil || revision == nil && baseline.advertisedVersion != nil
    }

    /// Waits for the frames of `found`.
    mutating func waitForFrames(of found: Program?, _ verifying: Verifying) -> UnitStep {
        var verifying = verifying
        verifying.found = found
        verifying.deadline =
            now + (order.frames?.expected == nil ? Self.frameTimeout : Self.promiseTimeout)
        verifying.step = .resting
        return go(to: .verifying(verifying), .rest(Self.frameRest))
    }

    /// What follows from a report of an application whose frames are waited for.
    mutating func frames(
        of report: Advertisement, _ verifying: Verifying
    ) throws(UpdateFailure) -> UnitStep {
        var verifying = verifying
        if let version = order.frames?.read(report.data, report.address),
            let step = try advertised(version, at: report.address, verifying)
        {
            return step
        }
        verifying.step = .resting
        return go(to: .verifying(verifying), .rest(Self.frameRest))
    }
}
