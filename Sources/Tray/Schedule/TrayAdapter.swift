struct TrayAdapter: Sendable {
    let number: AdapterNumber
    var isThere = true
    var slots: LinkSlots
    var connector: ConnectQueue
    /// The interval of all its links; nil before the first.
    var interval: Duration?
    var isListening = false
    var ends: [Duration] = []

    mutating func noteEnd(at now: Duration) {
        ends.removeAll { $0 + ConnectQueue.lingering <= now }
        ends.append(now)
        connector.wake()
    }

    /// There was no capacity for another link in addition to `links` and perhaps those that have just ended.
    mutating func noteRefusal(beside links: Int, at now: Duration) {
        slots.refused(held: links + ends.count { $0 + ConnectQueue.lingering > now })
        connector.rest(from: now)
    }
}

/// The connect queue of one adapter: which units it makes links to.
struct ConnectQueue: Sendable {
    /// How long the kernel keeps a link that we have left (`HCI_DISCONN_TIMEOUT`); until then it uses capacity of the
    /// controller.
    static let lingering = Duration.seconds(2)

    /// How many links the adapter makes at the same time.
    private let most: Int
    private var units: Set<UnitNumber> = []
    /// No unit may connect before this moment, because there was no capacity for another link.
    private(set) var restsUntil: Duration?

    init(most: Int) { self.most = max(1, most) }

    func isFree(at now: Duration) -> Bool { units.count < most && restsUntil.map { $0 <= now } ?? true }

    mutating func take(_ unit: UnitNumber) {
        units.insert(unit)
        restsUntil = nil
    }

    mutating func pass(from unit: UnitNumber) { units.remove(unit) }

    mutating func rest(from now: Duration) { restsUntil = now + Self.lingering }

    /// There may be capacity again.
    mutating func wake() { restsUntil = nil }
}

/// How many units an adapter may have under way at once: learnt, since few controllers report how many links they hold.
package struct LinkSlots: Hashable, Sendable {
    /// The default: the weakest controllers in use hold five.
    package static let usual = 4
    /// The highest limit: more than any controller in use was tested with.
    package static let most = 20

    package private(set) var limit: Int
    /// What `limit` may grow to: the tray's limit, or what the controller was found to hold.
    package private(set) var ceiling: Int

    /// Never more than `permitted` if the tray sets it, and as many from the start. Otherwise it starts with the number
    /// `remembered` for the adapter, or the default, and grows with success.
    package init(permitted: Int? = nil, remembered: Int? = nil) {
        ceiling = max(1, permitted ?? Self.most)
        limit = max(1, min(permitted ?? remembered ?? Self.usual, ceiling))
    }

    /// How many more units may have their first link while `taken` slots are in use.
    func free(taken: Int) -> Int { max(0, limit - taken) }

    /// A link was made, with which `taken` slots are in use: tries one more if a unit waits for it.
    mutating func succeeded(taken: Int, isWaitedFor: Bool) {
        if isWaitedFor, taken >= limit, limit < ceiling { limit += 1 }
    }

    /// There was no capacity for another link in addition to `held`: the limit stays for the rest of the run. A
    /// controller may lose more links later.
    mutating func refused(held: Int) {
        ceiling = max(1, min(ceiling, held))
        limit = min(limit, ceiling)
    }
}
