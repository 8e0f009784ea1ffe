public import Sessions

/// What a transfer spent its time on, so that a report can say what limited it.
public struct TimeLedger: Sendable {
    private var spent: [SpeedLimit: Duration] = [:]
    /// Whether what happens now is a repetition; all its time counts as retries.
    public var isRepeating = false

    /// An empty ledger.
    public init() {}

    /// `length` went into `limit`.
    public mutating func book(_ length: Duration, to limit: SpeedLimit) {
        spent[isRepeating ? .retries : limit, default: .zero] += length
    }

    /// Where most of the time went.
    public var limit: SpeedLimit {
        SpeedLimit.allCases.max { spent[$0, default: .zero] < spent[$1, default: .zero] } ?? .air
    }
}
