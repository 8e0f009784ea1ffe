/// How many units an adapter may have under way at once: learnt, since few controllers report how many links they hold.
public struct LinkSlots: Hashable, Sendable {
    /// The default: the weakest controllers in use hold five.
    public static let usual = 4
    /// The highest limit: more than any controller in use was tested with.
    public static let most = 20

    /// How many units may be under way.
    public private(set) var limit: Int
    /// What `limit` may grow to: the tray's limit, or what the controller was found to hold.
    public private(set) var ceiling: Int

    /// Never more than `permitted` if the tray sets it, and as many from the start. Otherwise it starts with the number
    /// `remembered` for the adapter, or the default, and grows with success.
    public init(permitted: Int? = nil, remembered: Int? = nil) {
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
