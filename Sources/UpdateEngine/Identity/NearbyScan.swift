import Bluetooth
import UpdateModel

/// The devices heard near the selected unit, while the unit still runs the program in which it was selected.
///
/// The scan begins before the first link and continues during it, until enough is known, or until the unit may
/// advertise under another address: `close` ends it. (docs/decisions/0011)
final class NearbyScan: Sendable {
    struct State: Sendable {
        /// All reports of the unit merged; nil if it was not heard.
        var selected: Advertisement?
        var isBootloader = false
        var others: Set<DeviceAddress> = []
        /// Devices heard during a link to the unit's bootloader since its last response: if the link is already lost, one
        /// of them may be the unit itself. Nil without such a link.
        fileprivate var unproven: Set<DeviceAddress>?
        var refusal: UpdateFailure?
        /// The unit was observed long enough to have sent all its frames.
        var hasShownFrames = false
        var isOver = false
        /// The scan was long enough to hear every device nearby.
        var isComplete = false
        var failure: AdapterError?
    }

    enum ScanCondition: Sendable {
        case selection
        /// The unit was observed long enough to have sent all its frames, or must not be updated.
        case frames
        case refusal, end

        fileprivate func isReached(in state: State) -> Bool {
            switch self {
            case .selection: state.selected != nil
            case .frames: state.hasShownFrames || state.refusal != nil
            case .refusal: state.refusal != nil
            case .end: state.isOver
            }
        }
    }

    private let shared = Watched(State())

    var state: State { shared.value }

    /// Records that a link to the unit is up; its loss may go unnoticed for a while.
    func noteLink() { shared.change { $0.unproven = [] } }

    /// Records that the unit has responded over the link: the devices heard up to now are not the unit.
    func noteAnswer() { accept(unproven: []) }

    /// Records that the unit runs its application, and keeps its address until it is told to start its bootloader.
    func noteApplication() { accept(unproven: nil) }

    /// Counts the unproven devices as others; `next` are the unproven ones from now on.
    private func accept(unproven next: Set<DeviceAddress>?) {
        shared.change {
            $0.others.formUnion($0.unproven ?? [])
            $0.unproven = next
        }
    }

    /// The scan time after which every device nearby was heard.
    static func length(of policy: RetryPolicy, over adapter: some Adapter) -> Duration {
        policy.survey * (adapter.passesEveryReport ? 1 : 3)
    }

    /// Adds the rest of the devices nearby, heard during a link to the unit.
    func complete(with others: Set<DeviceAddress>) {
        shared.change {
            $0.others.formUnion(others)
            $0.isComplete = true
        }
    }

    /// Ends the scan: devices heard from now on may be the unit itself, because the link to it has ended, or its
    /// application is about to leave.
    func close() {
        shared.change {
            $0.unproven = nil
            $0.isOver = true
        }
    }

    /// Waits until `condition` is reached or the scan is over.
    func wait(for condition: ScanCondition) async throws(AdapterError) -> State {
        let state: State
        do { state = try await shared.value { $0.isOver || condition.isReached(in: $0) } } catch {
            throw .cancelled
        }
        if let failure = state.failure { throw failure }
        return state
    }

    /// Scans for the unit at `address`, and long enough to know all devices whose addresses could be confused with
    /// its own in another program. Reports of the adapter since `since` count as well.
    func listen<Air: Adapter>(
        around address: DeviceAddress, since: Duration?, for targetSignature: TargetSignature,
        over adapter: Air, within policy: RetryPolicy, _ admit: @escaping Updater<Air>.Admission
    ) async {
        let hear: @Sendable (Advertisement) -> Void = { [self] in
            self.hear($0, selected: address, targetSignature, admit)
        }
        let time = adapter.time
        var begin = time.now
        if let since {
            let history = adapter.scanHistory()
            begin = max(since, history.listeningSince ?? begin)
            // Older reports of the unit may be from another program at the same address.
            for sighting in history.sightings
            where (sighting.address == address ? sighting.firstSeen : sighting.lastSeen) >= since {
                hear(sighting.report)
            }
        }
        let isKnown = state.selected != nil
        let gaps = ListeningGaps(of: adapter)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                do throws(AdapterError) {
                    // A scan that ends is started again: the adapter may have been away for a moment.
                    for _ in 0..<ListeningGaps.mostScans where !Task.isCancelled {
                        let reports =
                            try await isKnown ? adapter.furtherAdvertisements() : gaps.reports(from: adapter)
                        for await report in reports { hear(report) }
                    }
                    end(with: .unavailable("the adapter is gone"))
                } catch { end(with: error) }
            }
            let heard = try? await adapter.hearing(within: policy.search, extendedBy: gaps) { [self] in
                try await wait(for: .selection)
            }
            if heard?.selected != nil {
                await pause(until: begin + policy.survey, by: time)
                shared.change { $0.hasShownFrames = true }
                await pause(until: begin + Self.length(of: policy, over: adapter), by: time)
                shared.change { $0.isComplete = !$0.isOver }
            }
            shared.change { $0.isOver = true }
            group.cancelAll()
        }
    }

    /// Waits until `moment` or the end of the scan, not for a next report, which may take long: the kernel reports a
    /// device once per discovery, and may miss it.
    private func pause(until moment: Duration, by time: Timekeeper) async {
        _ = try? await time.within(max(.zero, moment - time.now)) { [self] in try await wait(for: .end) }
    }

    private func hear(
        _ report: Advertisement, selected address: DeviceAddress, _ targetSignature: TargetSignature,
        _ admit: (Advertisement) throws(UpdateFailure) -> Void
    ) {
        guard report.address == address else {
            return shared.change {
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
        shared.change { state in
            state.selected = report
            state.isBootloader =
                !targetSignature.isApplication
                && report.data.services.contains(targetSignature.control.service)
            state.refusal = state.refusal ?? refusal
        }
    }

    /// Ends the scan; drops `error` if the unit was heard, because a link to the unit gives a better error.
    private func end(with error: AdapterError) {
        guard !Task.isCancelled else { return }
        shared.change { state in
            if state.selected == nil, !state.isOver { state.failure = error }
            state.isOver = true
        }
    }
}
