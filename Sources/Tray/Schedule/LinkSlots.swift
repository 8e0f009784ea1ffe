/// How many units an adapter may have under way at once: learnt, since hardly any controller says how many links it holds.
public struct LinkSlots: Hashable, Sendable {
    /// Where nobody has said or learnt anything: the weakest controllers in use hold five.
    public static let usual = 4
    /// More than any controller in use was tested with.
    public static let most = 20

    /// How many units may be under way.
    public private(set) var limit: Int
    /// What `limit` may grow to: the tray's limit, or what the controller was found to hold.
    public private(set) var ceiling: Int

    /// Never more than `permitted` where a tray says so, and then as many from the beginning; else as many as were
    /// `remembered` of the adapter, or the usual few, and more as they succeed.
    public init(permitted: Int? = nil, remembered: Int? = nil) {
        ceiling = max(1, permitted ?? Self.most)
        limit = max(1, min(permitted ?? remembered ?? Self.usual, ceiling))
    }

    /// How many more units may have their first link while `taken` slots are.
    func free(taken: Int) -> Int { max(0, limit - taken) }

    /// A link came about, with which `taken` slots are: one more is tried where somebody waits for it.
    mutating func succeeded(taken: Int, isWaitedFor: Bool) {
        if isWaitedFor, taken >= limit, limit < ceiling { limit += 1 }
    }

    /// There was no room for another link beside `held`: there are no more for the rest of the run. A controller may lose
    /// further ones later on.
    mutating func refused(held: Int) {
        ceiling = max(1, min(ceiling, held))
        limit = min(limit, ceiling)
    }
}
