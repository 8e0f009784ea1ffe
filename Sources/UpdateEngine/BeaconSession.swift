package import Bluetooth
package import UpdateModel

/// A session with one beacon. It runs one dialogue at a time, until it is closed or the link ends.
package actor BeaconSession<Kind: SessionKind> {
    package enum State: Sendable {
        case connecting, authenticating, open
        /// Nothing more is sent; the link is still up.
        case closing
        case closed
    }

    package nonisolated let address: DeviceAddress
    package private(set) var state = State.connecting
    private static var step: String { "talking to the beacon" }
    private let kind: Kind
    /// Runs dialogues; nil while one is running, and while there is no link.
    private var runner: SessionRunner?
    package private(set) var opened: Kind.Opening.Ending?

    package init(_ kind: Kind, with address: DeviceAddress) { (self.kind, self.address) = (kind, address) }

    /// Opens the session over the established link of `client` by authentication, and returns the result.
    @discardableResult package func open(
        over client: any GATTClient, time: Timekeeper
    ) async throws -> Kind.Opening.Ending {
        let step = "opening the session"
        guard state == .connecting else {
            throw SessionFailure(
                .session.closed, during: step, "the session with \(address) was already opened")
        }
        state = .authenticating
        runner = SessionRunner(with: client, time: time, pausing: kind.leastInterval)
        let found = try await hold(try kind.opening(to: address), during: step)
        guard state == .authenticating else {
            throw SessionFailure(
                .session.closed, during: step, "the session with \(address) was closed in the meantime")
        }
        (opened, state) = (found, .open)
        return found
    }

    package func close() {
        guard state != .closed else { return }
        state = .closing
        runner = nil
    }

    /// Records that the link has ended, or was never established.
    func noteEnd() {
        state = .closed
        runner = nil
    }

    /// Runs the dialogue that `make` creates from the result of opening. Throws `SessionFailure`, also if
    /// another dialogue is running.
    package func perform<D: SessionDialogue>(
        _ make: @Sendable (Kind.Opening.Ending) throws(SessionFailure) -> D
    ) async throws -> D.Ending {
        guard state == .open, let opened else {
            throw SessionFailure(
                .session.closed, during: Self.step, "the session with \(address) is not open")
        }
        return try await hold(try make(opened), during: Self.step)
    }

    private func hold<D: SessionDialogue>(
        _ dialogue: D, during step: String
    ) async throws -> D.Ending {
        guard var held = runner.take() else {
            throw SessionFailure(
                .session.busy, during: step, "another dialogue with \(address) is in progress")
        }
        var dialogue = dialogue
        var observer = SilentObserver<Never>()
        do {
            let ending = try await held.run(&dialogue, &observer)
            returnRunner(held)
            return ending
        } catch GATTError.disconnected {
            noteEnd()
            throw dialogue.completing(
                SessionFailure(.device.linkLost, during: step, "the link to \(address) was lost"))
        } catch {
            // No further query: a late answer would be taken for the answer to it.
            if let failure = error as? SessionFailure, failure.leavesAnswers { close() }
            returnRunner(held)
            if let failure = error as? SessionFailure { throw dialogue.completing(failure) }
            let cause = UpdateFailure(of: error, during: step)
            let failure = SessionFailure(
                cause.code, during: cause.during, cause.message, remedy: cause.remedy)
            let completed = dialogue.completing(failure)
            throw completed == failure ? error : completed
        }
    }

    private func returnRunner(_ held: consuming SessionRunner) {
        if state == .authenticating || state == .open { runner = consume held }
    }
}

extension SessionFailure {
    /// Whether a late answer to the failed dialogue may still arrive.
    fileprivate var leavesAnswers: Bool {
        [.device.noAnswer, .session.answerMalformed, .session.answerTooLong].contains(code)
    }
}

extension Adapter {
    /// Connects to the beacon at `address`, opens a session of `kind`, runs `body` with it, and disconnects
    /// however `body` ends.
    ///
    /// Throws `SessionFailure`, and the errors of the adapter and the link (`AdapterError`, `GATTError`).
    package func withSession<Kind: SessionKind, Value: Sendable>(
        _ kind: Kind, with address: DeviceAddress, asking linkRequest: LinkRequest = LinkRequest(),
        within limit: Duration, telling tell: @escaping @Sendable (SessionEvent) -> Void = { _ in },
        _ body: (BeaconSession<Kind>) async throws -> Value
    ) async throws -> Value {
        let session = BeaconSession(kind, with: address)
        var hasOpened = false
        do {
            let value = try await withConnection(to: address, asking: linkRequest, within: limit) { client in
                try await client.exchangeMTU()
                try await session.open(over: client, time: time)
                hasOpened = true
                tell(.opened(address))
                let value = try await body(session)
                await session.close()
                return value
            }
            await session.noteEnd()
            tell(.closed(address, nil))
            return value
        } catch {
            await session.noteEnd()
            if hasOpened { tell(.closed(address, error as? SessionFailure)) }
            throw error
        }
    }
}

package enum SessionEvent: Equatable, Sendable {
    case opened(DeviceAddress)
    /// The session has ended; with the failure if a `SessionFailure` has ended it, otherwise nil.
    case closed(DeviceAddress, SessionFailure?)
}
