/// A parser of untrusted bytes, with the facts that have to hold for every input.
public struct FuzzTarget: Sendable, CustomStringConvertible {
    /// The name, in kebab case: that of its folder of inputs.
    public let name: String
    /// Initial inputs, from samples and from vectors.
    public let seeds: @Sendable () throws -> [[UInt8]]
    /// Reads one input. Throws a ``Violation`` if a fact does not hold; must never trap.
    public let check: @Sendable ([UInt8]) async throws -> Void

    /// The number of mutations of its seeds in an ordinary test.
    public let mutations: Int

    init(
        _ name: String, mutations: Int = 500, seeds: @escaping @Sendable () throws -> [[UInt8]],
        check: @escaping @Sendable ([UInt8]) async throws -> Void
    ) {
        self.name = name
        self.mutations = mutations
        self.seeds = seeds
        self.check = check
    }

    /// Its name.
    public var description: String { name }

    /// All of them. Readers of controller events belong to `air`.
    public static let all = [
        attributes, air, userChannel, files, archives, release, suota, kbeacon, kbeaconClient, fbeacon,
        orangeTag, mcuboot, smp,
        conversations,
        commands,
        shown, state,
        tray,
    ].flatMap(\.self)
}

/// A fact that does not hold for an input.
public struct Violation: Error, CustomStringConvertible {
    /// What was found instead.
    public let description: String
}

/// Throws unless `fact` holds.
func demand(_ fact: Bool, _ found: @autoclosure () -> String) throws(Violation) {
    if !fact { throw Violation(description: found()) }
}

/// An input as a row of packets: each is preceded by its length in one byte; the last may be cut short.
struct Script {
    let packets: [[UInt8]]

    init(_ input: [UInt8]) {
        var packets: [[UInt8]] = []
        var rest = input[...]
        while let length = rest.popFirst() {
            packets.append(Array(rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
        self.packets = packets
    }

    /// The input that encodes `packets`.
    static func input(_ packets: [[UInt8]]) -> [UInt8] {
        packets.flatMap { [UInt8(truncatingIfNeeded: $0.count)] + $0.prefix(255) }
    }
}
