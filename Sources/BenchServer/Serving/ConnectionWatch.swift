import BenchPage
import NIOCore

/// Closes a connection whose reader does not take what was written, be it one answer, a stream, or the answers to many requests at once.
final class ConnectionWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private var closing: Scheduled<Void>?

    /// Not writable is what has anything left to write.
    func handlerAdded(context: ChannelHandlerContext) {
        _ = context.channel.setOption(
            ChannelOptions.writeBufferWaterMark,
            value: ChannelOptions.Types.WriteBufferWaterMark(low: 1, high: 1))
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

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    private func stop() {
        closing?.cancel()
        closing = nil
    }
}
