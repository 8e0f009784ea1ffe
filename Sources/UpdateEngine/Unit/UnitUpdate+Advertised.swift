import Bluetooth
import UpdateModel

extension UnitUpdate {
    /// The step after a report with a version; nil if the version is better read over a link.
    mutating func advertised(
        _ version: String?, at address: DeviceAddress, _ verifying: Verifying
    ) throws(UpdateFailure) -> UnitStep? {
        var verifying = verifying
        guard let version else {
            // The unit alternates between kinds of frames.
            verifying.unversioned += 1
            guard verifying.unversioned <= 5 else { return nil }
            verifying.step = .resting
            return go(to: .verifying(verifying), .rest(order.policy.firstPause))
        }
        verifying.otherVersions += 1
        // One or two reports may be the last ones before a restart.
        guard
            promised?.isMet(by: version) ?? true || verifying.otherVersions > 2
                // A link has since shown that it has restarted.
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

    /// How long to wait for the frames of an application that was seen over a link. Beacons that alternate between
    /// several kinds of frames may send one of them every 10 s.
    private static let frameTimeout = Duration.seconds(12)
    /// The same if the frames must show the version.
    private static let promiseTimeout = Duration.seconds(30)

    /// The time between two reports, each of which may be of another kind.
    private static let frameRest = Duration.milliseconds(100)

    /// Whether the frames decide for an application that shows `revision` over a link.
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

    /// The step after a report of an application whose frames are awaited.
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
