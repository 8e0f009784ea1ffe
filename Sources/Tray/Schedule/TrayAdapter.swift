/// The schedule's state of an adapter.
struct TrayAdapter: Sendable {
    let number: AdapterNumber
    var isThere = true
    var slots: LinkSlots
    var connector = ConnectQueue()
    /// The interval of all its links; nil before the first.
    var interval: Duration?
    var isListening = false
    /// When recent links ended.
    private var ends: [Duration] = []

    init(_ number: AdapterNumber, _ slots: LinkSlots) {
        self.number = number
        self.slots = slots
    }

    /// A link has ended.
    mutating func noteEnd(at now: Duration) {
        ends.removeAll { $0 + ConnectQueue.lingering <= now }
        ends.append(now)
        connector.wake()
    }

    /// There was no capacity for another link in addition to `status` links and perhaps those that have just ended.
    mutating func noteRefusal(beside status: Int, at now: Duration) {
        slots.refused(held: status + ends.count { $0 + ConnectQueue.lingering > now })
        connector.rest(from: now)
    }
}
