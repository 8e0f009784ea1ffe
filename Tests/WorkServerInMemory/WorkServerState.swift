import UpdateModel
import Work

/// The whole state of a work server.
struct WorkServerState: Sendable {
    /// A journal of a station.
    struct Journal: Sendable {
        let station: StationIdentity
        /// The numbers whose results are not needed again.
        var settled: Set<Int64> = []
        /// The last number that was not a duplicate's.
        var highest: Int64 = 0
    }

    /// A result, and its journal.
    struct Kept: Sendable {
        let result: WorkResult
        let incarnation: String
        let standing: ResultStanding
    }

    var orders: [String: WorkServerOrder] = [:]
    /// Of all orders, in order of arrival.
    var units: [WorkServerUnit] = []
    /// By incarnation.
    var journals: [String: Journal] = [:]
    /// The machine, journal and time of a station's last heartbeat.
    var stations: [String: (machine: String, incarnation: String, seen: Duration)] = [:]
    /// In order of arrival.
    var results: [Kept] = []
    /// By version, from 1.
    var catalogues: [PublishedCatalogue] = []
    /// By SHA-256.
    var files: [String: [UInt8]] = [:]
    /// The reasons, by SHA-256.
    var recalledFiles: [String: String] = [:]

    /// The unit of an order with a beacon of `keys`, by the most reliable of them.
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
    static func refusal(_ code: FailureCode, _ during: String, _ message: String) -> WorkError {
        WorkError(.refused, code, during: during, message: message)
    }
}
