import Glibc
import HummingbirdCore
import NIOCore
import NIOSSL
import Synchronization

/// The connections of a listener, each of which has a limited time for the head of its next request.
final class Connections: Sendable {
    private struct Open: Sendable {
        let number: Int
        let channel: any Channel
        var deadline: Scheduled<Void>?
    }

    private struct State: Sendable {
        var plan: ConnectionPlan
        var open: [ObjectIdentifier: Open] = [:]
        /// Whether an alarm is set for the end of a stranger's minimum time.
        var isAlarmSet = false
    }

    private let state: Mutex<State>
    private let clock = ContinuousClock()
    private let start = ContinuousClock.now

    private var now: Duration { clock.now - start }

    /// Starts without connections; with TLS, strangers get more time.
    init(isSecure: Bool) {
        state = Mutex(
            State(
                plan: ConnectionPlan(
                    grace: isSecure ? PageLimits.strangersHandshake : PageLimits.strangersGrace)))
    }

    /// Whether one more is accepted.
    var hasRoom: Bool { state.withLock { $0.plan.hasRoom } }

    /// A connection has arrived.
    func arrive(_ channel: any Channel) {
        state.withLock { state in
            guard state.open[ObjectIdentifier(channel)] == nil else { return }
            let number = state.plan.arrive(from: Self.address(of: channel), at: now)
            state.open[ObjectIdentifier(channel)] = Open(number: number, channel: channel)
            wait(for: channel, &state)
            makeRoom(&state)
        }
    }

    /// The head of a request has arrived; its answer is next.
    func hear(_ channel: any Channel) {
        state.withLock { state in
            guard let open = state.open[ObjectIdentifier(channel)] else { return }
            state.plan.begin(open.number, at: now)
        }
    }

    /// The request is being answered.
    func begin(_ channel: any Channel) {
        hear(channel)
        state.withLock { $0.open[ObjectIdentifier(channel)]?.deadline?.cancel() }
    }

    /// The request was answered.
    func end(_ channel: any Channel) {
        state.withLock { state in
            guard let open = state.open[ObjectIdentifier(channel)] else { return }
            state.plan.end(open.number)
            wait(for: channel, &state)
            // A connection that was spared for its answer may now be closed.
            makeRoom(&state)
        }
    }

    /// The connection belongs to `owner`.
    func slot(_ channel: any Channel, for owner: String) {
        state.withLock { state in
            guard let open = state.open[ObjectIdentifier(channel)] else { return }
            state.plan.note(open.number, isLeaving: false)
            if let number = state.plan.slot(open.number, for: owner) { drop(number, &state) }
        }
    }

    /// The connection is gone.
    func leave(_ channel: any Channel) {
        state.withLock { state in
            guard let open = state.open.removeValue(forKey: ObjectIdentifier(channel)) else { return }
            open.deadline?.cancel()
            state.plan.leave(open.number)
        }
    }

    /// The source address in its counting form; a Unix socket counts as one place.
    static func address(of channel: any Channel) -> String {
        guard let text = channel.remoteAddress?.ipAddress else { return "socket" }
        var bytes = [UInt8](repeating: 0, count: 16)
        return inet_pton(AF_INET6, text, &bytes) == 1 ? ConnectionPlan.place(ofIPv6: bytes) : text
    }

    private func wait(for channel: any Channel, _ state: inout State) {
        guard let number = state.open[ObjectIdentifier(channel)]?.number else { return }
        let limit = TimeAmount(state.plan.timeout(of: number))
        state.open[ObjectIdentifier(channel)]?.deadline?.cancel()
        state.open[ObjectIdentifier(channel)]?.deadline = channel.eventLoop.scheduleTask(in: limit) {
            Self.close(channel)
        }
    }

    /// Closes strangers until another connection is accepted, or until the next one has had its minimum time.
    private func makeRoom(_ state: inout State) {
        while let (number, due) = state.plan.next(at: now) {
            guard due > now else {
                drop(number, &state)
                continue
            }
            guard !state.isAlarmSet, let open = state.open.values.first(where: { $0.number == number }) else {
                return
            }
            state.isAlarmSet = true
            open.channel.eventLoop.scheduleTask(in: TimeAmount(due - now)) {
                self.state.withLock { state in
                    state.isAlarmSet = false
                    self.makeRoom(&state)
                }
            }
            return
        }
    }

    private func drop(_ number: Int, _ state: inout State) {
        state.plan.note(number, isLeaving: true)
        guard let open = state.open.values.first(where: { $0.number == number }) else {
            state.plan.leave(number)
            return
        }
        let isStranger = state.plan.isStranger(number)
        // Received data is read first: a stranger that has sent a request meanwhile is answered.
        open.channel.eventLoop.execute {
            let isSpared = self.state.withLock { state in
                guard isStranger, state.plan.isBusy(number, at: self.now) || !state.plan.isStranger(number)
                else {
                    return false
                }
                state.plan.note(number, isLeaving: false)
                self.makeRoom(&state)
                return true
            }
            if !isSpared { Self.close(open.channel) }
        }
    }

    /// Closes at once: a TLS shutdown would wait for the peer. On the connection's event loop.
    private static func close(_ channel: any Channel) {
        if let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) {
            tls.close(promise: nil)
        } else {
            channel.close(promise: nil)
        }
    }
}

/// Lets a listener accept connections while there is room; called when one is wanted, and when one has closed.
struct ConnectionGate: AvailableConnectionsDelegate {
    private let connections: Connections

    init(_ connections: Connections) { self.connections = connections }

    mutating func connectionOpened() {}
    mutating func connectionClosed() {}
    func isAcceptingNewConnections() -> Bool { connections.hasRoom }
}

/// Reports when a connection arrives and leaves, and closes one whose reader does not accept written data, whether one
/// answer, a stream, or the answers to many requests.
final class ConnectionWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let connections: Connections
    private var closing: Scheduled<Void>?

    init(_ connections: Connections) { self.connections = connections }

    /// A channel with any unwritten data counts as not writable.
    func handlerAdded(context: ChannelHandlerContext) {
        _ = context.channel.setOption(
            ChannelOptions.writeBufferWaterMark,
            value: ChannelOptions.Types.WriteBufferWaterMark(low: 1, high: 1))
        if context.channel.isActive { connections.arrive(context.channel) }
    }

    func channelActive(context: ChannelHandlerContext) {
        connections.arrive(context.channel)
        context.fireChannelActive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stop()
        let channel = context.channel
        if !channel.isWritable {
            closing = channel.eventLoop.scheduleTask(in: TimeAmount(PageLimits.write)) {
                channel.close(promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // This handler is after the request decoder: the head is complete.
        connections.hear(context.channel)
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        connections.leave(context.channel)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
        connections.leave(context.channel)
    }

    private func stop() {
        closing?.cancel()
        closing = nil
    }
}
