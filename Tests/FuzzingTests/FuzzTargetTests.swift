import Bytes
import Foundation
import FuzzTargets
import TestSupport
import Testing

extension FuzzTarget {
    /// Inputs that once revealed a defect, and are kept.
    fileprivate func corpus() throws -> [(String, [UInt8])] {
        let folder = "\(Samples.root)/Tests/Fuzzing/Corpus/\(name)"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
        return try names.sorted().map { ($0, try Samples.file(at: "\(folder)/\($0)")) }
    }

    /// Reads one input and records the violated facts.
    fileprivate func holds(for input: [UInt8], _ origin: String) async {
        do { try await check(input) } catch {
            Issue.record("\(name), \(origin): \(error); input \(HexText.encode(input.prefix(4096)))")
        }
    }
}

/// The same facts that `make fuzz` tests for longer, guided by coverage.
@Suite(.timeLimit(.minutes(10))) struct `A parser of outside bytes` {
    @Test(arguments: FuzzTarget.all)
    func `keeps its promises for its seeds and for earlier failures`(_ target: FuzzTarget) async throws {
        let seeds = try target.seeds()
        #expect(!seeds.isEmpty)
        for (index, seed) in seeds.enumerated() { await target.holds(for: seed, "seed \(index)") }
        for (name, input) in try target.corpus() { await target.holds(for: input, name) }
        await target.holds(for: [], "nothing")
    }

    @Test(arguments: FuzzTarget.all)
    func `keeps its promises for mutations of its seeds`(_ target: FuzzTarget) async throws {
        print("mutations for", target.name, "with seed", Seed.ofThisRun)
        var random = Seed(Seed.ofThisRun)
        let seeds = try target.seeds().filter { $0.count <= 4096 }
        for _ in 0..<target.mutations {
            guard let seed = seeds.randomElement(using: &random),
                let other = seeds.randomElement(using: &random)
            else { return }
            await target.holds(for: Mutation.of(seed, with: other, &random), "a mutation")
        }
    }

    @Test func `has a name of its own`() {
        let names = FuzzTarget.all.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
