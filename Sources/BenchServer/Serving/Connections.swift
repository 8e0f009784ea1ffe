import BenchPage
import NIOCore
import NIOSSL
import Synchronization

/// The connections of all listeners, each of which has a limited time for the head of its next request.
final class Connections: Sendable {
    private struct Open: Sendable {
        let number: Int
        let channel: any Channel
        var deadline: Scheduled<Void>?
    }

    private struct State: Sendable {
        var plan = ConnectionPlan()
        var open: [ObjectIdentifier: Open] = [:]
    }

    private let state = Mutex(State())

    /// A connection is there, and nothing of it is known.
    func arrive(_ channel: any Channel) {
        state.withLock { state in
            guard state.open[ObjectIdentifier(channel)] == nil else { return }
            let (number, leaving) = state.plan.arrive(from: Self.address(of: channel))
            state.open[ObjectIdentifier(channel)] = Open(number: number, channel: channel)
            wait(for: channel, &state)
            drop(leaving, &state)
        }
    }

    /// The head of a request has come.
    func begin(_ channel: any Channel) {
        state.withLock { state in
            guard let open = state.open[ObjectIdentifier(channel)] else { return }
            open.deadline?.cancel()
            state.plan.note(open.number, isBusy: true)
        }
    }

    /// It was answered.
    func end(_ channel: any Channel) {
        state.withLock { state in
            guard let open = state.open[ObjectIdentifier(channel)] else { return }
            state.plan.note(open.number, isBusy: false)
            wait(for: channel, &state)
        }
    }

    /// The connection is that of `owner`, who has shown it.
    func seat(_ channel: any Channel, for owner: String) {
        state.withLock { state in
            guard let open = state.open[ObjectIdentifier(channel)] else { return }
            drop(state.plan.seat(open.number, for: owner), &state)
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

    /// From where somebody asks; a socket of the file system is one place.
    static func address(of channel: any Channel) -> String { channel.remoteAddress?.ipAddress ?? "socket" }

    private func wait(for channel: any Channel, _ state: inout State) {
        guard let number = state.open[ObjectIdentifier(channel)]?.number else { return }
        let limit = TimeAmount(state.plan.patience(of: number))
        state.open[ObjectIdentifier(channel)]?.deadline?.cancel()
        state.open[ObjectIdentifier(channel)]?.deadline = channel.eventLoop.scheduleTask(in: limit) {
            Self.close(channel)
        }
    }

    private func drop(_ number: Int?, _ state: inout State) {
        guard let number, let open = state.open.values.first(where: { $0.number == number }) else { return }
        open.deadline?.cancel()
        state.open[ObjectIdentifier(open.channel)] = nil
        open.channel.eventLoop.execute { Self.close(open.channel) }
    }

    /// Closes at once: an end of TLS would wait for the other side. On the connection's event loop.
    private static func close(_ channel: any Channel) {
        if let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) {
            tls.close(promise: nil)
        } else {
            channel.close(promise: nil)
        }
    }
}
