/// What the schedule knows of an adapter.
struct TrayAdapter: Sendable {
    let number: AdapterNumber
    var isThere = true
    var slots: LinkSlots
    var connector = ConnectQueue()
    /// Of all its links; nil before the first.
    var interval: Duration?
    var isListening = false
    /// When links ended lately.
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

    /// There was no room for another link beside `standing`, and perhaps those that ended a moment ago.
    mutating func noteRefusal(beside standing: Int, at now: Duration) {
        slots.refused(held: standing + ends.count { $0 + ConnectQueue.lingering > now })
        connector.rest(from: now)
    }
}
