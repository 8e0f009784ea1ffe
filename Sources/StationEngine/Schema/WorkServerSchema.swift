/// The tables and functions of an engine, and how those of earlier versions become them. (docs/formats/station-engine.md)
///
/// A step never changes once it was released, and functions that stations call keep their parameters: an old station goes on handing
/// results in.
public struct WorkServerSchema: Sendable {
    /// The present one.
    public static let present = WorkServerSchema(steps: [first], leastProtocol: 1, mostProtocol: 1)

    /// The version of the calls that this program makes.
    public static let spokenProtocol = 1

    /// What makes a schema of the one before it; the first of a database without one.
    let steps: [String]
    /// The oldest version of the calls by which a station may claim.
    let leastProtocol: Int
    /// The newest one.
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
