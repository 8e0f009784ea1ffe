import Hummingbird
import NIOCore

/// The connection of a request.
struct PageContext: InitializableFromSource, Sendable {
    let channel: any Channel

    init(source: ApplicationRequestContextSource) { channel = source.channel }

    /// The source address; a Unix socket counts as one place.
    var address: String { Connections.address(of: channel) }

    /// Closes the connection after the answer was sent, whatever still arrives.
    func closeSoon() {
        let channel = channel
        channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }
}
