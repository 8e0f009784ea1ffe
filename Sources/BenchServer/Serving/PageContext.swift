import BenchPage
import Hummingbird
import NIOCore

/// What is known of the connection of a request.
struct PageContext: InitializableFromSource, Sendable {
    let channel: any Channel

    init(source: ApplicationRequestContextSource) { channel = source.channel }

    /// From where somebody asks; a socket of the file system is one place.
    var address: String { Connections.address(of: channel) }

    /// Closes the connection when the answer is on its way, whatever still comes in.
    func closeSoon() {
        let channel = channel
        channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }
}
