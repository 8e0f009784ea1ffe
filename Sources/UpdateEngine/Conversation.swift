import BluetoothTypes
import GATT
import Radio
import Timing
import UpdateCore

/// Carries out a procedure's commands over one link, until the procedure completes or the link ends.
struct Conversation: ~Copyable {
    /// How long a device that has everything may take to hang up by itself. We wait for that: a device that
    /// we leave may advertise once more before it restarts.
    private static let farewell = Duration.seconds(5)

    /// The same for an application that leaves for its bootloader: it may not hang up at all
    /// (nordic-buttonless.md, Timing).
    private static let departure = Duration.milliseconds(500)

    /// As many as one system call takes at most; progress is told after each such handful.
    private static let packetsAtOnce = 16

    /// Fewer over a channel, so that one without credits shows in how long they take.
    private static let channelPacketsAtOnce = 4

    /// How a conversation ends when nothing has failed.
    enum Ending: Sendable {
        /// Whether the device has hung up by itself, as one does that starts what it has.
        case complete(Completion, hasLeft: Bool)
        case restarting(Restart)
        case departing(Departure)
        case linkLost
    }

    /// Opens a credit-based channel on the same link; with it comes the longest packet that it takes.
    typealias ChannelOpening =
        @Sendable (_ psm: UInt16, _ limit: Duration) async throws(AdapterError) -> (any Bearer, Int)

    private let client: any GATTClient
    private let receiver: Receiver
    private let openChannel: ChannelOpening
    private var channel: (any Bearer)?
    private let time: Timekeeper
    private var queues: [Characteristic: NotificationQueue] = [:]
    private var lastAnswer: Duration
    /// When the device had the last request.
    private var acknowledged: Duration?
    private var shares = WaitingShares()
    private var block = BlockShares()

    /// `openChannel` is for procedures that send beside the attributes.
    init(
        with client: any GATTClient, to receiver: Receiver = .bootloader, time: Timekeeper,
        opening openChannel: @escaping ChannelOpening = { (_, _) throws(AdapterError) in
            throw .unavailable("there are no channels on this link")
        }
    ) {
        self.client = client
        self.receiver = receiver
        self.openChannel = openChannel
        self.time = time
        lastAnswer = time.now
    }

    mutating func run(
        _ dialogue: inout some Dialogue, _ telemetry: inout Telemetry
    ) async throws -> Ending {
        defer { channel?.close() }
        let link = LinkFacts(maximumWriteLength: await client.maximumWriteLength, to: receiver)
        var step = try dialogue.begin(on: link)
        while true {
            for notice in step.notices { telemetry.note(notice) }
            let outcome: UpdateOutcome
            let start = time.now
            acknowledged = nil
            do throws(GATTError) {
                switch step.command {
                case .complete(let completion):
                    return .complete(completion, hasLeft: try await hasLeft(within: Self.farewell))
                case .restart(let restart):
                    _ = try await hasLeft(within: Self.farewell)
                    return .restarting(restart)
                case .depart(let departure):
                    _ = try await hasLeft(within: Self.departure)
                    return .departing(departure)
                default: break
                }
                outcome = try await perform(step, of: dialogue.total, &telemetry)
            } catch {
                switch error {
                case .disconnected, .bearer: return .linkLost
                default: throw error
                }
            }
            try Task.checkCancellation()
            if outcome != .timedOut {
                dialogue.note(CommandTimes(started: start, acknowledged: acknowledged, ended: time.now))
            }
            step = try dialogue.advance(after: outcome)
        }
    }

    private mutating func perform(
        _ step: UpdateStep, of total: Int, _ telemetry: inout Telemetry
    ) async throws(GATTError) -> UpdateOutcome {
        let start = time.now
        switch step.command {
        case .subscribe(let source):
            queues[source] = try await client.notifications(from: source)
            return .done
        case .request(let bytes, let target, let source, let limit):
            _ = queues[source]?.drain()
            try await client.write(bytes, to: target)
            let written = time.now
            acknowledged = written
            for (limit, length) in shares.request(took: written - start) { telemetry.book(length, to: limit) }
            defer { telemetry.book(time.now - written, to: step.waitsFor) }
            return try await answer(from: source, within: limit)
        case .expect(let source, let limit):
            guard step.endsBlock else {
                defer { shares.wait(time.now - start, for: step.waitsFor) }
                return try await answer(from: source, within: limit)
            }
            let outcome = try await answer(from: source, within: limit)
            if outcome == .timedOut { block.missed() } else { bookBlock(&telemetry) }
            return outcome
        case .write(let bytes, let target, let mayRefuse):
            do { try await client.write(bytes, to: target) } catch {
                guard mayRefuse, case .refused(let status, _, _) = error,
                    status != .insufficientAuthorization
                else { throw error }
                return .refused(status: status.rawValue)
            }
            let written = time.now
            acknowledged = written
            for (limit, length) in shares.request(took: written - start) { telemetry.book(length, to: limit) }
            return .done
        case .read(let source):
            defer { telemetry.book(time.now - start, to: .answers) }
            guard try await client.offers(source) else { return .absent }
            do {
                let value = try await client.read(source)
                telemetry.note(.detail(.characteristicRead(source, value)))
                return .value(value)
            } catch {
                guard case .refused(let status, _, _) = error, status != .insufficientAuthorization else {
                    throw error
                }
                return .absent
            }
        case .stream(let passage) where passage.target == .channel:
            return try await stream(passage, of: total, &telemetry)
        case .stream(let passage):
            defer { shares.stream(for: time.now - start) }
            let packets = (passage.bytes.count - 1) / passage.packetLength + 1
            telemetry.book(block.left(packets, since: start), to: .retries)
            return try await stream(passage, of: total, &telemetry)
        case .rest(let length):
            defer { shares.wait(time.now - start, for: .flash) }
            do { try await time.sleep(until: lastAnswer + length) } catch { throw .cancelled }
            return .done
        case .open(let psm, let limit):
            defer { telemetry.book(time.now - start, to: .answers) }
            return try await open(psm, within: limit)
        case .complete, .restart, .depart: return .done
        }
    }

    /// The answer to a block tells what the time of its packets went into.
    private mutating func bookBlock(_ telemetry: inout Telemetry) {
        shares.settle()
        for (limit, length) in block.answered(at: time.now, trip: shares.quickest ?? .zero) {
            telemetry.book(length, to: limit)
        }
    }

    private mutating func open(_ psm: UInt16, within limit: Duration) async throws(GATTError) -> UpdateOutcome
    {
        channel?.close()
        channel = nil
        do throws(AdapterError) {
            let (opened, maximum) = try await openChannel(psm, limit)
            channel = opened
            return .opened(maximumPacket: maximum)
        } catch {
            if case .cancelled = error { throw .cancelled }
            return .refused(status: nil)
        }
    }

    private mutating func answer(
        from source: Characteristic, within limit: Duration
    ) async throws(GATTError) -> UpdateOutcome {
        guard let queue = queues[source] else { return .timedOut }
        switch try await queue.next(within: limit, by: time) {
        case .value(let bytes):
            lastAnswer = time.now
            return .value(bytes)
        case .timedOut: return .timedOut
        case .ended: throw .disconnected
        }
    }

    private func stream(
        _ passage: Passage, of total: Int, _ telemetry: inout Telemetry
    ) async throws(GATTError) -> UpdateOutcome {
        let bytes = passage.bytes
        let isChannel = passage.target == .channel
        let stretch = passage.packetLength * (isChannel ? Self.channelPacketsAtOnce : Self.packetsAtOnce)
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: stretch) {
            let end = min(start + stretch, bytes.endIndex)
            let begun = time.now
            switch passage.target {
            case .characteristic(let target):
                try await client.send(bytes[start..<end], inWritesOf: passage.packetLength, to: target)
            case .channel:
                try await send(bytes[start..<end], inPacketsOf: passage.packetLength)
                let shares = BlockShares.handedOver(
                    end - start, after: time.now - begun, trip: shares.quickest ?? .zero)
                for (limit, length) in shares { telemetry.book(length, to: limit) }
            }
            if let position = passage.position {
                telemetry.sent(
                    end - start, upTo: position + end - bytes.startIndex, of: total, isUnanswered: isChannel)
            }
        }
        return .done
    }

    private func send(_ bytes: ArraySlice<UInt8>, inPacketsOf length: Int) async throws(GATTError) {
        guard let channel else { throw .disconnected }
        do throws(BearerError) { try await channel.send(bytes, inPacketsOf: length, behind: []) } catch {
            throw error == .cancelled ? .cancelled : .disconnected
        }
    }

    private func hasLeft(within limit: Duration) async throws(GATTError) -> Bool {
        let deadline = time.now + limit
        for queue in queues.values {
            while time.now < deadline {
                switch try await queue.next(within: deadline - time.now, by: time) {
                case .value: continue
                case .ended: return true
                case .timedOut: return false
                }
            }
        }
        return false
    }
}
