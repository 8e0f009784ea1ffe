public import Bluetooth

/// Carries out the commands of dialogues over one link, with their timeouts, until a dialogue is over or the link ends.
public struct SessionRunner: ~Copyable {
    /// Packets per system call; progress is reported after each call.
    private static let packetsAtOnce = 16

    /// Packets per system call over a channel: fewer, so that a call takes longer only if credits are missing.
    private static let channelPacketsAtOnce = 4

    /// Opens a credit-based channel on the same link and returns it with the longest packet that it accepts, in bytes;
    /// nil if the peer accepts no channel.
    public typealias ChannelOpening =
        @Sendable (_ psm: UInt16, _ limit: Duration) async throws(GATTError) -> (any Bearer, Int)?

    private let client: any GATTClient
    private let openChannel: ChannelOpening
    private var channel: (any Bearer)?
    private let time: Timekeeper
    private var queues: [Characteristic: NotificationQueue] = [:]
    private let leastInterval: Duration
    private var lastWrite: Duration?
    private var lastAnswer: Duration
    /// When the device acknowledged the last request.
    private var acknowledged: Duration?
    private var shares = WaitingShares()
    private var block = BlockShares()
    /// The last request that was sent without acknowledgement and is answered by a notification: when it was sent, and
    /// in how many packets. Nil if acknowledged requests show how long an answer takes.
    private var unacknowledged: (sent: Duration, packets: Int)?

    /// A runner over the link of `client`, with at least `leastInterval` between writes. `openChannel` is for
    /// dialogues that send over a channel.
    public init(
        with client: any GATTClient, time: Timekeeper, pausing leastInterval: Duration = .zero,
        opening openChannel: @escaping ChannelOpening = { (_, _) throws(GATTError) in nil }
    ) {
        (self.client, self.openChannel) = (client, openChannel)
        (self.time, self.leastInterval) = (time, leastInterval)
        lastAnswer = time.now
    }

    deinit { channel?.close() }

    /// The result of `dialogue`, whose events are passed to `observer`. Throws the dialogue's failure, what the device
    /// refuses (`GATTError`), and `GATTError.disconnected` if the link ends before the dialogue.
    public mutating func run<D: Dialogue, Observer: SessionObserver>(
        _ dialogue: inout D, _ observer: inout Observer
    ) async throws -> D.Ending where Observer.Notice == D.Notice {
        var step = try dialogue.begin(on: LinkFacts(maximumWriteLength: await client.maximumWriteLength))
        while true {
            for notice in step.notices { try await observer.note(notice) }
            if case .end(let ending) = step.command { return ending }
            let outcome: DialogueOutcome
            let start = time.now
            acknowledged = nil
            do throws(GATTError) {
                outcome = try await perform(step, &observer)
            } catch {
                // An error of the socket ends the link, too.
                if case .system = error { throw GATTError.disconnected }
                throw error
            }
            try Task.checkCancellation()
            if outcome != .timedOut {
                dialogue.note(CommandTimes(started: start, acknowledged: acknowledged, ended: time.now))
            }
            step = try dialogue.advance(after: outcome)
        }
    }

    /// Waits at most `limit` until the device ends the link; returns whether it did. Without a subscription it does not
    /// wait.
    public func deviceDisconnects(within limit: Duration) async throws(GATTError) -> Bool {
        let deadline = time.now + limit
        for queue in queues.values {
            while time.now < deadline {
                switch try await queue.next(within: deadline - time.now, by: time) {
                case .value: continue
                case .disconnected: return true
                case .timedOut: return false
                }
            }
        }
        return false
    }

    private mutating func perform<Ending, Notice>(
        _ step: DialogueStep<Ending, Notice>, _ observer: inout some SessionObserver
    ) async throws(GATTError) -> DialogueOutcome {
        let start = time.now
        switch step.command {
        case .subscribe(let source):
            queues[source] = try await client.notifications(from: source)
            return .done
        case .request(let bytes, let target, let source, let limit):
            try await pause()
            _ = queues[source]?.drain()
            try await client.write(bytes, to: target)
            let written = time.now
            acknowledged = written
            for (limit, length) in shares.request(took: written - start) { observer.book(length, to: limit) }
            defer { observer.book(time.now - written, to: step.waitsFor) }
            return try await answer(from: source, within: limit)
        case .expect(let source, let limit):
            let outcome = try await answer(from: source, within: limit)
            guard step.endsBlock else {
                if outcome != .timedOut { block.overlap() }
                bookWait(from: start, for: step.waitsFor, outcome, &observer)
                return outcome
            }
            if outcome == .timedOut { block.missed() } else { bookBlock(&observer) }
            return outcome
        case .write(let bytes, let target, let mayRefuse):
            try await pause()
            do { try await client.write(bytes, to: target) } catch {
                guard mayRefuse, case .refused(let status, _, _) = error,
                    status != .insufficientAuthorization
                else { throw error }
                return .refused(status: status.rawValue)
            }
            let written = time.now
            acknowledged = written
            for (limit, length) in shares.request(took: written - start) { observer.book(length, to: limit) }
            return .done
        case .find(let wanted):
            return try await client.offers(wanted) ? .done : .absent
        case .read(let source):
            defer { observer.book(time.now - start, to: .answers) }
            return try await read(source, &observer)
        case .readIfAllowed(let source):
            do { return try await read(source, &observer) } catch {
                switch error {
                case .refused, .unsuitable, .notEncrypted, .missing: return .absent
                default: throw error
                }
            }
        case .readHandle(let handle, let uuid, let limit):
            return try await bounded(limit) { .value(try await $0.read(at: handle, of: uuid)) }
        case .list(.services, let limit):
            return try await bounded(limit) { .services(try await $0.discoverServices()) }
        case .list(.characteristics(let service), let limit):
            return try await bounded(limit) {
                .characteristics(try await $0.discoverCharacteristics(in: service))
            }
        case .list(.descriptors(let declaration), let limit):
            return try await bounded(limit) {
                .descriptors(try await $0.discoverDescriptors(of: declaration))
            }
        case .stream(let run) where run.target == .channel:
            return try await stream(run, &observer)
        case .stream(let run):
            defer { shares.stream(for: time.now - start) }
            let packets = (run.bytes.count - 1) / run.packetLength + 1
            if run.payload == nil, !shares.hasRequests {
                unacknowledged = (start, packets)
            } else {
                unacknowledged = nil
                observer.book(block.left(packets, of: run.bytes.count, since: start), to: .retries)
            }
            return try await stream(run, &observer)
        case .rest(let length):
            defer { shares.wait(time.now - start, for: .flash) }
            do { try await time.sleep(until: lastAnswer + length) } catch { throw .cancelled }
            return .done
        case .open(let psm, let limit):
            defer { observer.book(time.now - start, to: .answers) }
            return try await open(psm, within: limit)
        case .end: return .done
        }
    }

    /// Waits until the next write is allowed.
    private mutating func pause() async throws(GATTError) {
        if let lastWrite, lastWrite + leastInterval > time.now {
            do { try await time.sleep(until: lastWrite + leastInterval) } catch { throw .cancelled }
        }
        lastWrite = time.now
    }

    private func read(
        _ source: Characteristic, _ observer: inout some SessionObserver
    ) async throws(GATTError) -> DialogueOutcome {
        guard try await client.offers(source) else { return .absent }
        do {
            let value = try await client.read(source)
            observer.read(source, value)
            return .value(value)
        } catch {
            // A device that requires authorization refuses everything else as well, so this refusal is a failure.
            guard case .refused(let status, _, _) = error, status != .insufficientAuthorization else {
                throw error
            }
            return .absent
        }
    }

    /// The outcome of `request`, or `timedOut` after `limit`.
    private func bounded(
        _ limit: Duration, _ request: @escaping @Sendable (any GATTClient) async throws -> DialogueOutcome
    ) async throws(GATTError) -> DialogueOutcome {
        do {
            return try await time.within(limit) { [client] in try await request(client) } ?? .timedOut
        } catch let error as GATTError {
            if error.endsLink { throw error }
            return .failed(error)
        } catch {
            throw .cancelled
        }
    }

    /// Records the time of a wait that does not end a block: at once if the wait was for the answer to `unacknowledged`,
    /// otherwise with the next request.
    private mutating func bookWait(
        from start: Duration, for limit: SpeedLimit, _ outcome: DialogueOutcome,
        _ observer: inout some SessionObserver
    ) {
        guard let unacknowledged, outcome != .timedOut else {
            return shares.wait(time.now - start, for: limit)
        }
        self.unacknowledged = nil
        let booked = shares.unacknowledgedRequest(
            took: time.now - unacknowledged.sent, isShort: unacknowledged.packets == 1, for: limit)
        for (limit, length) in booked { observer.book(length, to: limit) }
    }

    /// Records the time of a block's packets, once its response shows what it was spent on.
    private mutating func bookBlock(_ observer: inout some SessionObserver) {
        shares.clear()
        for (limit, length) in block.answered(at: time.now, trip: shares.quickest ?? .zero) {
            observer.book(length, to: limit)
        }
    }

    private mutating func open(
        _ psm: UInt16, within limit: Duration
    ) async throws(GATTError) -> DialogueOutcome {
        channel?.close()
        channel = nil
        guard let (opened, maximum) = try await openChannel(psm, limit) else { return .refused(status: nil) }
        channel = opened
        return .opened(maximumPacket: maximum)
    }

    private mutating func answer(
        from source: Characteristic, within limit: Duration
    ) async throws(GATTError) -> DialogueOutcome {
        guard let queue = queues[source] else { return .timedOut }
        switch try await queue.next(within: limit, by: time) {
        case .value(let bytes):
            lastAnswer = time.now
            return .value(bytes)
        case .timedOut: return .timedOut
        case .disconnected: throw .disconnected
        }
    }

    private func stream(
        _ run: PacketRun, _ observer: inout some SessionObserver
    ) async throws(GATTError) -> DialogueOutcome {
        let bytes = run.bytes
        let isChannel = run.target == .channel
        let stretch = run.packetLength * (isChannel ? Self.channelPacketsAtOnce : Self.packetsAtOnce)
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: stretch) {
            let end = min(start + stretch, bytes.endIndex)
            let begun = time.now
            switch run.target {
            case .characteristic(let target):
                try await client.send(bytes[start..<end], inWritesOf: run.packetLength, to: target)
            case .channel:
                try await send(bytes[start..<end], inPacketsOf: run.packetLength)
                let shares = BlockShares.handedOver(
                    end - start, after: time.now - begun, trip: shares.quickest ?? .zero)
                for (limit, length) in shares { observer.book(length, to: limit) }
            }
            reportSent(to: &observer, of: run, from: start - bytes.startIndex, to: end - bytes.startIndex)
        }
        return .done
    }

    /// Reports to `observer` that the bytes of `run` between these two offsets were sent.
    private func reportSent(
        to observer: inout some SessionObserver, of run: PacketRun, from start: Int, to end: Int
    ) {
        guard let payload = run.payload else { return }
        let before = payload.payload(in: start, of: run.bytes.count)
        let after = payload.payload(in: end, of: run.bytes.count)
        guard after > before else { return }
        observer.sent(
            after - before, upTo: payload.position + after, in: payload,
            isUnanswered: run.target == .channel)
    }

    private func send(_ bytes: ArraySlice<UInt8>, inPacketsOf length: Int) async throws(GATTError) {
        guard let channel else { throw .disconnected }
        do throws(BearerError) { try await channel.send(bytes, inPacketsOf: length, after: []) } catch {
            throw error == .cancelled ? .cancelled : .disconnected
        }
    }
}

extension GATTError {
    /// Whether the link is of no use after this error.
    var endsLink: Bool {
        switch self {
        case .disconnected, .cancelled, .transactionTimeout, .unexpectedAnswer, .system: true
        case .refused, .malformed, .notEncrypted, .missing, .unsuitable: false
        }
    }
}

/// An observer of a session.
public protocol SessionObserver<Notice> {
    /// A notice of the dialogue.
    associatedtype Notice: Sendable

    /// Handles a notice of the dialogue. The next command waits until this returns, and is not carried out if it
    /// throws.
    mutating func note(_ notice: Notice) async throws
    /// Handles a `value` that was read.
    mutating func read(_ source: Characteristic, _ value: [UInt8])
    /// Records `length` as time limited by `limit`.
    mutating func book(_ length: Duration, to limit: SpeedLimit)
    /// Records `count` sent bytes of `payload`, up to `position`. `isUnanswered`: the device does not confirm
    /// accepted blocks.
    mutating func sent(_ count: Int, upTo position: Int, in payload: PayloadSpan, isUnanswered: Bool)
}

/// An observer that ignores everything.
public struct SilentObserver<Notice: Sendable>: SessionObserver {
    public init() {}
    public func note(_ notice: Notice) {}
    public func read(_ source: Characteristic, _ value: [UInt8]) {}
    public func book(_ length: Duration, to limit: SpeedLimit) {}
    public func sent(_ count: Int, upTo position: Int, in payload: PayloadSpan, isUnanswered: Bool) {}
}
