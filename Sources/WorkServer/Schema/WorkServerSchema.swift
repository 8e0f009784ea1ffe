/// The tables and functions of a work server, and the upgrades from earlier versions. (docs/formats/station-engine.md)
///
/// A released step never changes. Functions that stations call keep their parameters, so that a station with an old
/// program can still deliver results.
package struct WorkServerSchema: Sendable {
    package static let current = WorkServerSchema(steps: [first], leastProtocol: 1, mostProtocol: 1)

    /// The version of the calls that this program makes as a station.
    package static let protocolVersion = 1

    /// The SQL of the steps, each from one schema to the next one; the first starts from a database without one.
    let steps: [String]
    /// The oldest version of the calls with which a station may claim.
    let leastProtocol: Int
    /// The newest version of the calls with which a station may claim.
    let mostProtocol: Int

    /// The schema's number, which is the count of its steps.
    package var version: Int { steps.count }

    /// The first step: all parts of `Schema/First`, in the order in which they are run.
    private static let first = [
        roles, refusals, stations, files, orders, results, audit, policy, claiming, judging, delivering,
        ordering, publishing, views, grants,
    ].joined(separator: "\n")
}
