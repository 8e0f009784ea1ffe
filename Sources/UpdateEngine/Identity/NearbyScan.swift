import BluetoothTypes
import Radio
import Synchronization
import Timing
import UpdateCore

/// Who is heard near the unit that was selected, while that is the program it was selected in.
///
/// The listening begins before the first link and goes on beside it, until enough was heard or the unit may show itself
/// elsewhere: `close` ends it. (docs/decisions/0032)
final class NearbyScan: Sendable {
    /// What is known so far.
    struct State: Sendable {
        /// All reports of the unit together; nil when it was not heard.
        var selected: Advertisement?
        /// It advertises the service that bootloaders have.
        var isBootloader = false
        /// Who else was heard.
        var others: Set<DeviceAddress> = []
        /// Who was heard beside the link to the unit since that answered last: if the link is lost already, it may be the unit
        /// itself. Nil while there is no link to its bootloader.
        fileprivate var unproven: Set<DeviceAddress>?
        /// What stands against an update of the unit.
        var refusal: UpdateFailure?
        /// The unit was listened to for so long that it has shown its frames.
        var hasShownFrames = false
        /// Nothing more will become known.
        var isOver = false
        /// The listening lasted long enough for every device nearby to be heard.
        var isComplete = false
        /// Why nobody could listen.
        var failure: AdapterError?
    }

    private static let mostListenings = 8

    /// What can be waited for.
    enum ScanCondition: Sendable {
        /// The unit was heard.
        case selection
        /// It was listened to for so long that it has shown its frames, or something stands against its update.
        case frames
        /// Something stands against its update.
        case refusal
        /// Nothing more will become known.
        case end

        fileprivate func isReached(in state: State) -> Bool {
            switch self {
            case .selection: state.selected != nil
            case .frames: state.hasShownFrames || state.refusal != nil
            case .refusal: state.refusal != nil
            case .end: state.isOver
            }
        }
    }

    private struct Shared: Sendable {
        var state = State()
        var waiting: [OneShot<Void>] = []
    }

    private let shared = Mutex(Shared())

    /// What is known so far.
    var state: State { shared.withLock { $0.state } }

    /// There is a link to the unit, which may be lost unnoticed.
    func noteLink() { change { $0.unproven = [] } }

    /// The unit has answered over the link: who was heard up to now is not it.
    func noteAnswer() { settle(unproven: []) }

    /// The unit is in its application, and will not be elsewhere before it was told to go.
    func noteApplication() { settle(unproven: nil) }

    private func settle(unproven: Set<DeviceAddress>?) {
        change {
            $0.others.formUnion($0.unproven ?? [])
            $0.unproven = unproven
        }
    }

    /// How long to listen until every device nearby has been heard.
    static func length(of policy: RetryPolicy, over adapter: some Adapter) -> Duration {
        policy.survey * (adapter.passesEveryReport ? 1 : 3)
    }

    /// The rest of the devices nearby, heard while a link to the unit stood.
    func complete(with others: Set<DeviceAddress>) {
        change {
            $0.others.formUnion(others)
            $0.isComplete = true
        }
    }

    /// Who is heard from now on may be the unit itself: the link to it has ended, or its application is about to leave.
    func close() {
        change {
            $0.unproven = nil
            $0.isOver = true
        }
    }

    /// Waits until `condition` is reached, or nothing more will become known.
    func wait(for condition: ScanCondition) async throws(AdapterError) -> State {
        while true {
            let change = OneShot<Void>()
            let state = shared.withLock { shared -> State in
                if !shared.state.isOver, !condition.isReached(in: shared.state) {
                    shared.waiting.append(change)
                }
                return shared.state
            }
            if let failure = state.failure { throw failure }
            guard !state.isOver, !condition.isReached(in: state) else { return state }
            _ = await change.value()
            guard !Task.isCancelled else { throw .cancelled }
        }
    }

    /// Listens for the unit at `address`, and long enough to know whose address could be mistaken for its own
    /// in another program. What the adapter has heard already counts back to `since`.
    func listen<Air: Adapter>(
        around address: DeviceAddress, since: Duration?, entering targetSignature: TargetSignature,
        with adapter: Air,
        as policy: RetryPolicy, _ admit: @escaping Updater<Air>.Admission
    ) async {
        let hear: @Sendable (Advertisement) -> Void = { [self] in
            self.hear($0, as: address, targetSignature, admit)
        }
        let time = adapter.time
        var begin = time.now
        if let since {
            let memory = adapter.scanHistory()
            begin = max(since, memory.listeningSince ?? begin)
            // Older frames of the unit may be those of another program at the same address.
            for sighting in memory.sightings
            where (sighting.address == address ? sighting.firstSeen : sighting.lastSeen) >= since {
                hear(sighting.report)
            }
        }
        let isKnown = state.selected != nil
        let gaps = ListeningGaps(of: adapter)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                do throws(AdapterError) {
                    // A listening that ends is begun again: the adapter may have been away for a moment.
                    for _ in 0..<Self.mostListenings where !Task.isCancelled {
                        let reports =
                            try await isKnown ? adapter.furtherAdvertisements() : gaps.reports(from: adapter)
                        for await report in reports { hear(report) }
                    }
                    end(with: .unavailable("the adapter is gone"))
                } catch { end(with: error) }
            }
            let heard = try? await adapter.hearing(within: policy.search, besides: gaps) { [self] in
                try await wait(for: .selection)
            }
            if heard?.selected != nil {
                await pause(until: begin + policy.survey, by: time)
                change { $0.hasShownFrames = true }
                await pause(until: begin + Self.length(of: policy, over: adapter), by: time)
                change { $0.isComplete = !$0.isOver }
            }
            change { $0.isOver = true }
            group.cancelAll()
        }
    }

    /// A kernel reports a device once a discovery, and may miss somebody: whoever waits for the next report may wait long.
    private func pause(until moment: Duration, by time: Timekeeper) async {
        _ = try? await time.within(max(.zero, moment - time.now)) { [self] in try await wait(for: .end) }
    }

    private func hear(
        _ report: Advertisement, as address: DeviceAddress, _ targetSignature: TargetSignature,
        _ admit: (Advertisement) throws(UpdateFailure) -> Void
    ) {
        guard report.address == address else {
            return change {
                guard !$0.isOver else { return }
                if $0.unproven?.insert(report.address) == nil { $0.others.insert(report.address) }
            }
        }
        let before = state.selected
        var report = report
        if let before {
            report.data = before.data.merged(with: report.data)
            report.isConnectable = Advertisement.merged(
                connectable: report.isConnectable, before.isConnectable)
        }
        var refusal: UpdateFailure?
        do throws(UpdateFailure) { try admit(report) } catch { refusal = error }
        change { state in
            state.selected = report
            state.isBootloader =
                !targetSignature.isApplication
                && report.data.services.contains(targetSignature.control.service)
            state.refusal = state.refusal ?? refusal
        }
    }

    /// Once the unit was heard, a link to it says more of an adapter that is gone.
    private func end(with error: AdapterError) {
        guard !Task.isCancelled else { return }
        change { state in
            if state.selected == nil, !state.isOver { state.failure = error }
            state.isOver = true
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiting = shared.withLock { shared in
            body(&shared.state)
            defer { shared.waiting = [] }
            return shared.waiting
        }
        for waiter in waiting { waiter.settle(()) }
    }
}
