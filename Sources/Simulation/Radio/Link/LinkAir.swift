import Bluetooth
import Synchronization

/// The air of one link, which all of its channels share.
final class LinkAir: Sendable {
    private struct State {
        /// The model at the start of the link.
        let first: LinkModel
        var model: LinkModel
        /// How many changes the peripheral has requested so far.
        var changes = 0
        /// When the central gets its own interval again, which it requests once; nil if no such request is pending.
        var restoring: Duration?
        /// Whether the central has requested its own interval again.
        var hasRepeated = false
        var toPeripheral: ConnectionEvents
        var toCentral: ConnectionEvents

        init(_ model: LinkModel) {
            (first, self.model) = (model, model)
            toPeripheral = ConnectionEvents(model)
            toCentral = ConnectionEvents(model, direction: 1)
        }

        /// Continues with another model; packets under way keep their arrival times.
        mutating func change(to changed: LinkModel) {
            guard changed != model else { return }
            model = changed
            toPeripheral = ConnectionEvents(changed)
            toCentral = ConnectionEvents(changed, direction: 1)
        }
    }

    private let state: Mutex<State>
    private let begun: Duration
    private let isIntervalChosen: Bool

    /// The air of a link that started at `begun`, for which the central requests `linkRequest`.
    init(_ model: LinkModel, asking linkRequest: LinkRequest, begun: Duration) {
        state = Mutex(State(model.requesting(interval: linkRequest.interval)))
        (self.begun, isIntervalChosen) = (begun, linkRequest.isIntervalChosen)
    }

    var phy: LinkModel.PHY { state.withLock { $0.first.phy } }

    /// Time from one connection event to the next, at `now`.
    func interval(at now: Duration) -> Duration { caughtUp(to: now) { $0.model.interval } }

    /// Changes the interval, if the link follows requests.
    func retune(_ interval: Duration, at now: Duration) {
        guard !isIntervalChosen else { return }
        caughtUp(to: now) { $0.change(to: $0.first.requesting(interval: interval)) }
    }

    /// When a packet that leaves for the central at `now` arrives.
    func arrivalAtCentral(of count: Int, at now: Duration) -> Duration {
        caughtUp(to: now) { $0.toCentral.arrival(of: count, readyAt: now) }
    }

    /// When a packet arrives at the peripheral; `ready` returns, from the events so far, when it was ready.
    func arrivalAtPeripheral(
        of count: Int, at now: Duration, readyAt ready: (ConnectionEvents) -> Duration
    ) -> Duration {
        caughtUp(to: now) { $0.toPeripheral.arrival(of: count, readyAt: ready($0.toPeripheral)) }
    }

    /// Runs `body` after applying every change that the peripheral has requested by `now`. A central whose requests the
    /// link follows asks once for its own interval again, as the kernel's adapter does, and gets it six intervals later
    /// (Vol 6, Part B, 5.1.1).
    private func caughtUp<Value: Sendable>(to now: Duration, _ body: (inout State) -> Value) -> Value {
        state.withLock { state in
            while true {
                let change = state.first.changes.dropFirst(state.changes).first
                let moment = change.map { begun + $0.moment }
                if let restoring = state.restoring, restoring <= min(now, moment ?? now) {
                    state.restoring = nil
                    state.change(to: state.first)
                } else if let change, let moment, moment <= now {
                    state.changes += 1
                    state.change(to: state.first.with(interval: change.interval))
                    guard state.first.followsRequests, !state.hasRepeated,
                        change.interval > state.first.interval
                    else { continue }
                    state.hasRepeated = true
                    state.restoring = moment + change.interval * 6
                } else {
                    return body(&state)
                }
            }
        }
    }
}

/// The peripheral's end of a link whose packets take the time that a model gives.
///
/// A packet that has not arrived yet stays in the socket, so a sender that is too fast meets a full queue, as with a
/// real controller.
final class ModelledLink<Base: Bearer>: Bearer {
    /// The longest that a system call takes if it does not have to wait.
    private static var atOnce: Duration { .milliseconds(1) }

    private let base: Base
    private let time: Timekeeper
    private let air: LinkAir
    /// The bytes that a packet costs in addition to its payload and the L2CAP header.
    private let overhead: Int
    /// When the last packet was handed over.
    private let handedOver = Mutex(Duration?.none)

    init(_ base: Base, over air: LinkAir, overhead: Int = 0, time: Timekeeper) {
        (self.base, self.time, self.air, self.overhead) = (base, time, air, overhead)
    }

    func receive() async throws(BearerError) -> [UInt8]? {
        let called = time.now
        guard let packet = try await base.receive() else { return nil }
        // A packet that was available at once, right after another one, had been waiting while that one was on the air.
        // A clock that wakes late must not make it miss its connection event. A peripheral that was not yet waiting for
        // the packet does delay it.
        let isAwaited = called - (handedOver.withLock { $0 } ?? called) < Self.atOnce
        let wasThere = isAwaited && time.now - called < Self.atOnce
        try await wait(
            until: air.arrivalAtPeripheral(of: packet.count + overhead, at: time.now) { events in
                let isAfter = called - events.lastArrival < events.model.interval
                return wasThere && isAfter ? min(time.now, events.lastArrival) : time.now
            })
        handedOver.withLock { $0 = time.now }
        return packet
    }

    func send(_ packet: [UInt8]) async throws(BearerError) {
        try await wait(until: air.arrivalAtCentral(of: packet.count + overhead, at: time.now))
        try await base.send(packet)
    }

    func close() { base.close() }

    private func wait(until moment: Duration) async throws(BearerError) {
        do { try await time.sleep(until: moment) } catch { throw .cancelled }
    }
}
