import NIOCore

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
