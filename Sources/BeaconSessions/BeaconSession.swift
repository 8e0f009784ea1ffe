public import BluetoothTypes
public import GATT
public import Sessions
public import Timing

/// A session with one beacon: one dialogue at a time, until somebody closes it or the link ends.
public actor BeaconSession<Kind: SessionKind> {
    /// Where a session stands.
    public enum State: Sendable {
        case connecting
        case authenticating
        case open
        /// Nothing more is said; the link still stands.
        case closing
        case closed
    }

    /// The beacon's address.
    public nonisolated let address: DeviceAddress
    /// Where the session stands.
    public private(set) var state = State.connecting
    private let kind: Kind
    /// What holds dialogues; nil while one is held, and while there is no link.
    private var runner: SessionRunner?
    /// What opening it has found out.
    public private(set) var opened: Kind.Opening.Ending?

    /// A session with the beacon at `address`, which is connected to now.
    public init(_ kind: Kind, with address: DeviceAddress) { (self.kind, self.address) = (kind, address) }

    /// The link stands, which `client` has: authenticates. Gives what that has found out.
    @discardableResult public func open(
        over client: any GATTClient, time: Timekeeper
    ) async throws -> Kind.Opening.Ending {
        guard state == .connecting else {
            throw SessionFailure(
                .closed, during: "opening the session", "the session with \(address) was opened before")
        }
        state = .authenticating
        runner = SessionRunner(with: client, time: time, pausing: kind.leastInterval)
        let found = try await hold(try kind.opening(to: address))
        guard state == .authenticating else {
            throw SessionFailure(
                .closed, during: "opening the session", "the session with \(address) was closed meanwhile")
        }
        (opened, state) = (found, .open)
        return found
    }

    /// Nothing more is said from now on, whatever is being asked.
    public func close() {
        guard state != .closed else { return }
        state = .closing
        runner = nil
    }

    /// The link is gone, or never came about.
    func noteEnd() {
        state = .closed
        runner = nil
    }

    /// Holds the dialogue that `make` makes for the beacon as it was found to be. Throws `SessionFailure`: also where another
    /// one is being held.
    public func perform<D: Dialogue>(
        _ make: @Sendable (Kind.Opening.Ending) throws(SessionFailure) -> D
    ) async throws -> D.Ending where D.Notice == Never, D.Failure == SessionFailure {
        guard state == .open, let opened else {
            throw SessionFailure(.closed, during: "the session", "the session with \(address) is not open")
        }
        return try await hold(try make(opened))
    }

    private func hold<D: Dialogue>(
        _ dialogue: D
    ) async throws -> D.Ending where D.Notice == Never, D.Failure == SessionFailure {
        guard var held = runner.take() else {
            throw SessionFailure(
                .busy, during: "the session", "something else is being asked of \(address) already")
        }
        var dialogue = dialogue
        var observer = SilentObserver<Never>()
        let end: SessionRunner.End<D.Ending>
        do {
            end = try await held.run(&dialogue, &observer)
        } catch {
            // What is still to be said to this would be taken for an answer to the next question.
            if let failure = error as? SessionFailure, failure.leavesAnswers { close() }
            giveBack(held)
            throw error
        }
        giveBack(held)
        guard case .ended(let ending) = end else {
            noteEnd()
            throw SessionFailure(.linkLost, during: "the session", "the link to \(address) was lost")
        }
        return ending
    }

    private func giveBack(_ held: consuming SessionRunner) {
        if state == .authenticating || state == .open { runner = consume held }
    }
}

extension SessionFailure {
    /// Whether something may yet come that belongs to what has failed.
    fileprivate var leavesAnswers: Bool { [.noAnswer, .malformed, .tooLong].contains(code) }
}
