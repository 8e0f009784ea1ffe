package import Bluetooth
import Logging
package import Simulation
package import UpdateEngine
package import UpdateModel

/// One update by the engine of a simulated beacon of any vendor, in virtual time, over real kernel sockets.
package struct BenchRun: Sendable {
    package var link: LinkModel?
    package var policy: RetryPolicy
    /// When the update is cancelled; nil for never.
    package var cancelled: Duration?
    /// How long after the update the beacon is examined.
    package var pause: Duration
    package var controller = SimulatedController()

    package init(
        link: LinkModel?, policy: RetryPolicy, cancelled: Duration? = nil, examinedAfter pause: Duration
    ) {
        self.link = link
        self.policy = policy
        self.cancelled = cancelled
        self.pause = pause
    }

    /// The `update` of the beacon that `makeBeacon` makes, and its state afterwards, as `examine` reads it.
    package func update<Beacon: SimulatedPeer, State: Sendable>(
        _ makeBeacon: @escaping @Sendable (Timekeeper) -> Beacon,
        _ update: @escaping @Sendable (Updater<SimulatedAdapter>) async throws(UpdateFailure) -> UpdateReport,
        examining examine: @escaping @Sendable (Beacon) async -> State
    ) async throws -> BenchResult<State> {
        try await self.update({ (makeBeacon($0), []) }, over: { adapter, _ in adapter }, update) {
            beacon, _, _ in await examine(beacon)
        }
    }

    /// As above with other beacons in range, and over the `air` that is made of the simulated one.
    package func update<Beacon: SimulatedPeer, Air: Adapter, State: Sendable>(
        _ makeBeacons: @escaping @Sendable (Timekeeper) -> (Beacon, others: [Beacon]),
        over air: @escaping @Sendable (SimulatedAdapter, EventLog) -> Air,
        _ update: @escaping @Sendable (Updater<Air>) async throws(UpdateFailure) -> UpdateReport,
        examining examine: @escaping @Sendable (Beacon, _ others: [Beacon], _ now: Duration) async -> State
    ) async throws -> BenchResult<State> {
        try await VirtualTime.run { time in
            let clock = time.clock
            let (beacon, others) = makeBeacons(clock)
            return try await SimulatedAdapter.withBeacons(
                [beacon] + others, link: link, time: clock, readiness: time, controller: controller
            ) { adapter in
                let events = EventLog(clock)
                let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                let updater = Updater(adapter: air(adapter, events), policy: policy, log: log) {
                    events.add($0)
                }
                let outcome = await result(by: clock) { () async throws(UpdateFailure) -> UpdateReport in
                    try await update(updater)
                }
                let took = clock.now
                try await clock.sleep(for: pause)
                return BenchResult(
                    outcome: outcome, events: events.all, moments: events.moments, took: took,
                    state: await examine(beacon, others, clock.now))
            }
        }
    }

    /// The result of `update`, which is cancelled at its moment.
    private func result(
        by time: Timekeeper, _ update: @escaping @Sendable () async throws(UpdateFailure) -> UpdateReport
    ) async -> Result<UpdateReport, UpdateFailure> {
        await withTaskGroup(of: Result<UpdateReport, UpdateFailure>?.self) { group in
            group.addTask {
                do throws(UpdateFailure) { return .success(try await update()) } catch {
                    return .failure(error)
                }
            }
            if let cancelled {
                group.addTask {
                    try? await time.sleep(until: cancelled)
                    return nil
                }
            }
            for await result in group {
                group.cancelAll()
                if let result { return result }
            }
            return .failure(UpdateFailure(.system.interrupted, during: "the test", message: "nothing ran"))
        }
    }
}

/// The result of one simulated update, with the beacon's state afterwards.
@dynamicMemberLookup
package struct BenchResult<State: Sendable>: Sendable {
    package let outcome: Result<UpdateReport, UpdateFailure>
    package let events: [UpdateEvent]
    /// When each event was reported.
    package let moments: [Duration]
    package let took: Duration
    let state: State

    package subscript<Value>(dynamicMember member: KeyPath<State, Value>) -> Value { state[keyPath: member] }

    package var isRight: Bool { if case .success = outcome { true } else { false } }
    package var failure: UpdateFailure? { if case .failure(let failure) = outcome { failure } else { nil } }
    /// The device never confirmed the image, and nothing else verified it.
    package var isUnconfirmed: Bool { failure?.code == .device.activationUnconfirmed }
    package var report: UpdateReport? { try? outcome.get() }
    /// The reasons of the repetitions.
    package var reasons: [FailureCode] {
        events.compactMap { if case .retry(_, let reason, _, _) = $0 { reason } else { nil } }
    }
}

enum BenchError: Error { case address }
