import Testing
import UpdateBench

/// `fault-runs --cuts` tries every combination; here are every block and every chunk, and a selection of their pairs.
@Suite(.timeLimit(.minutes(20))) struct `A SUOTA image in blocks and chunks of any size` {
    private static let stride = 89
    private static let batches = 4

    @Test(arguments: 0..<batches) func `arrives byte for byte`(_ batch: Int) throws {
        let images = try SUOTACut.images()
        let cuts = SUOTACut.all(every: Self.stride)
        for number in Swift.stride(from: batch, to: cuts.count, by: Self.batches) {
            let defect = cuts[number].defect(images)
            #expect(defect == nil)
        }
    }

    @Test func `is tested with every possible size`() {
        let cuts = SUOTACut.all(every: Self.stride)
        for kind in SUOTACut.kinds {
            let all = SUOTACut.all().filter { $0.kind == kind }
            let some = cuts.filter { $0.kind == kind }
            #expect(Set(some.map(\.chunk)) == Set(all.map(\.chunk)), "\(kind)")
            #expect(Set(some.map(\.block)) == Set(all.map(\.block)), "\(kind)")
        }
    }
}
