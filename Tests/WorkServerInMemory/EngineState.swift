import WorkOrders

/// All that an engine knows.
struct EngineState: Sendable {
    /// A journal of a station.
    struct Journal: Sendable {
        let station: StationIdentity
        /// The numbers whose results are not wanted again.
        var settled: Set<Int64> = []
        /// The last number that was not a duplicate's.
        var highest: Int64 = 0
    }

    /// A result, and which journal it is of.
    struct Kept: Sendable {
        let result: WorkResult
        let incarnation: String
        let standing: Status
    }

    var orders: [String: EngineOrder] = [:]
    /// Of all orders, as they came.
    var units: [EngineUnit] = []
    /// By their incarnations.
    var journals: [String: Journal] = [:]
    /// On which machine and with which journal a station has greeted last, and when.
    var stations: [String: (machine: String, incarnation: String, seen: Duration)] = [:]
    /// As they came.
    var results: [Kept] = []
    /// By their versions, from 1.
    var catalogues: [PublishedCatalogue] = []
    /// By their SHA-256.
    var files: [String: [UInt8]] = [:]
    /// Why, by their SHA-256.
    var recalledFiles: [String: String] = [:]

    /// The unit of an order that a beacon of `keys` is, by the surest of them.
    func unit(of order: String, _ keys: [String]) -> Int? {
        for key in keys {
            if let found = units.firstIndex(where: { $0.order == order && $0.keys.contains(key) }) {
                return found
            }
        }
        return nil
    }
}

extension WorkError {
    static func refusal(_ code: String, _ during: String, _ message: String) -> WorkError {
        WorkError(.refused, code, during: during, message: message)
    }
}
