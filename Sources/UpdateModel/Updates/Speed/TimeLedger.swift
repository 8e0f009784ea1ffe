/// How a transfer spent its time, to report what limited it.
public struct TimeLedger: Sendable {
    private var spent: [SpeedLimit: Duration] = [:]
    /// Whether a repetition is under way; all its time counts as retries.
    public var isRepeating = false

    /// An empty ledger.
    public init() {}

    /// Adds `length` to the time limited by `limit`.
    public mutating func book(_ length: Duration, to limit: SpeedLimit) {
        spent[isRepeating ? .retries : limit, default: .zero] += length
    }

    /// The limit with the largest share.
    public var limit: SpeedLimit {
        SpeedLimit.allCases.max { spent[$0, default: .zero] < spent[$1, default: .zero] } ?? .air
    }
}
