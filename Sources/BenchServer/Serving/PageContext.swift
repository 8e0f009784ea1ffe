import Hummingbird
import NIOCore

/// What is known of the connection of a request.
struct PageContext: InitializableFromSource, Sendable {
    let channel: any Channel

    init(source: ApplicationRequestContextSource) { channel = source.channel }

    /// Closes the connection in `limit` unless that is cancelled before: for a reader that does not read.
    func closing(after limit: Duration) -> Scheduled<Void> {
        let channel = channel
        return channel.eventLoop.scheduleTask(in: TimeAmount(limit)) { channel.close(promise: nil) }
    }

    /// Closes the connection when the answer is on its way, whatever still comes in.
    func closeSoon() {
        let channel = channel
        channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }
}
