/// One connection of a simulated beacon.
struct BeaconLink: Sendable {
    let number: Int
    var server: AttributeServer
    var schedule = DeliverySchedule()
    var isSilent = false
    var isCut = false
    /// The time at which a task will next flush what is due.
    var awaited: Duration?
    let outgoing: AsyncStream<DeliverySchedule.Delivery>.Continuation
    /// Closes the channel over this link.
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

    /// Cuts it without sending pending responses; what the device has started continues.
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
