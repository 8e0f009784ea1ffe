package import Simulation
package import UpdateModel

/// The result of one simulated update.
package struct BenchResult: Sendable {
    package let outcome: Result<UpdateReport, UpdateFailure>
    package let events: [UpdateEvent]
    package let application: [UInt8]?
    package let statistics: NordicStatistics
    package let took: Duration
    /// When each event was reported.
    package var moments: [Duration] = []
    /// Whether the beacon can be heard a second after the end, which means that it has no link.
    package var isFree = false
    /// Write commands that went to other beacons than the selected one.
    package var packetsToOthers = 0
    /// The session statistics, if it has a session.
    package var session: KBeaconStatistics?

    package var isRight: Bool { if case .success = outcome { true } else { false } }
    package var failure: UpdateFailure? { if case .failure(let failure) = outcome { failure } else { nil } }
    /// The device never confirmed the image, and nothing else verified it.
    package var isUnconfirmed: Bool { failure?.code == .device.activationUnconfirmed }
    package var report: UpdateReport? { try? outcome.get() }
}
