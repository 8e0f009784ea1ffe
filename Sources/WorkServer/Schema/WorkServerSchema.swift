/// The tables and functions of a work server, and the upgrades from earlier versions. (docs/formats/station-engine.md)
///
/// A step never changes once it was released, and functions that stations call keep their parameters, so that an old
/// station can still deliver results.
public struct WorkServerSchema: Sendable {
    /// The current schema.
    public static let present = WorkServerSchema(steps: [first], leastProtocol: 1, mostProtocol: 1)

    /// The version of the calls that this program makes.
    public static let spokenProtocol = 1

    /// Each step turns a schema into the next; the first starts from a database without one.
    let steps: [String]
    /// The oldest version of the calls with which a station may claim.
    let leastProtocol: Int
    /// The newest version of the calls.
    let mostProtocol: Int

    /// Its number.
    public var version: Int { steps.count }

    init(steps: [String], leastProtocol: Int, mostProtocol: Int) {
        (self.steps, self.leastProtocol, self.mostProtocol) = (steps, leastProtocol, mostProtocol)
    }

    private static let first = [
        roles, refusals, stations, files, orders, results, audit, policy, claiming, judging, delivering,
        ordering, publishing, views, grants,
    ].joined(separator: "\n")
}
