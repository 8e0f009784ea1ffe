/// One connection of a simulated beacon.
struct BeaconLink: Sendable {
    let number: Int
    var server: AttributeServer
    var schedule = DeliverySchedule()
    var isSilent = false
    var isCut = false
    /// When somebody looks next at what is due.
    var awaited: Duration?
    let outgoing: AsyncStream<DeliverySchedule.Delivery>.Continuation
    /// Ends the channel that belongs to it.
    var endChannel: (@Sendable () -> Void)?

    init(
        number: Int, server: AttributeServer,
        outgoing: AsyncStream<DeliverySchedule.Delivery>.Continuation
    ) {
        self.number = number
        self.server = server
        self.outgoing = outgoing
    }

    mutating func withServer<Value>(_ body: (inout AttributeServer) -> Value) -> Value { body(&server) }

    /// Ends it without its waiting answers; what the device has begun goes on.
    mutating func cut() {
        schedule = DeliverySchedule()
        isCut = true
        outgoing.yield(.close)
        closeChannel()
    }

    mutating func closeChannel() {
        endChannel?()
        endChannel = nil
    }
}
