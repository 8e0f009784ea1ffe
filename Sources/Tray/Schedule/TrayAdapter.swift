struct TrayAdapter: Sendable {
    let number: AdapterNumber
    var isThere = true
    var slots: LinkSlots
    var queue: ConnectQueue
    /// The connection interval of all links of the adapter; nil before the first link.
    var interval: Duration?
    var isListening = false
    /// When the latest links ended, for as long as the kernel may still keep them.
    var ends: [Duration] = []

    mutating func noteEnd(at now: Duration) {
        ends.removeAll { $0 + ConnectQueue.lingerTime <= now }
        ends.append(now)
        queue.resume()
    }

    /// Records that there was no capacity for another link in addition to `links` links, and to those that the kernel may
    /// still keep.
    mutating func noteRefusal(with links: Int, at now: Duration) {
        slots.refused(held: links + ends.count { $0 + ConnectQueue.lingerTime > now })
        queue.pause(from: now)
    }
}

/// The connect queue of one adapter: the units to which it is making links.
struct ConnectQueue: Sendable {
    /// How long the kernel may keep a link after the program has closed it (`HCI_DISCONN_TIMEOUT`); meanwhile the link
    /// uses capacity of the controller.
    static let lingerTime = Duration.seconds(2)

    /// How many links the adapter can be making at the same time.
    private let most: Int
    private var units: Set<UnitNumber> = []
    /// No unit may connect before this moment, because there was no capacity for another link; nil for no limit.
    private(set) var pausedUntil: Duration?

    init(most: Int) { self.most = max(1, most) }

    func isFree(at now: Duration) -> Bool { units.count < most && pausedUntil.map { $0 <= now } ?? true }

    mutating func add(_ unit: UnitNumber) {
        units.insert(unit)
        pausedUntil = nil
    }

    mutating func remove(_ unit: UnitNumber) { units.remove(unit) }

    mutating func pause(from now: Duration) { pausedUntil = now + Self.lingerTime }

    /// Ends the pause: there may be capacity again.
    mutating func resume() { pausedUntil = nil }
}

/// How many units an adapter may work on at once; learnt, because few controllers report how many links they hold.
package struct LinkSlots: Hashable, Sendable {
    /// The default: the weakest controllers in use hold five.
    package static let usual = 4
    /// The highest limit: more than any controller in use was tested with.
    package static let most = 20

    package private(set) var limit: Int
    /// What `limit` may grow to: the tray's limit, or what the controller was found to hold.
    package private(set) var ceiling: Int

    /// `permitted`: the tray's limit, which then holds from the start. Without it, the limit starts at `remembered` (found
    /// in an earlier run) or the default, and grows with success.
    package init(permitted: Int? = nil, remembered: Int? = nil) {
        ceiling = max(1, permitted ?? Self.most)
        limit = max(1, min(permitted ?? remembered ?? Self.usual, ceiling))
    }

    /// How many more units may have their first link while `taken` slots are in use.
    func free(taken: Int) -> Int { max(0, limit - taken) }

    /// Records that a link was made, and that `taken` slots are now in use. Raises the limit by one if all slots are in
    /// use and a unit waits.
    mutating func succeeded(taken: Int, isWaitedFor: Bool) {
        if isWaitedFor, taken >= limit, limit < ceiling { limit += 1 }
    }

    /// Records that there was no capacity for another link in addition to `held` links: for the rest of the run, the limit
    /// never exceeds `held`. Later refusals may lower it further.
    mutating func refused(held: Int) {
        ceiling = max(1, min(ceiling, held))
        limit = min(limit, ceiling)
    }
}
