import Identity
import TestSupport
import Testing

@Suite struct `A frame` {
    @Test(arguments: FrameSample.all) func `is read whole`(_ sample: FrameSample) throws {
        _ = try sample.parse(sample.bytes)
    }

    @Test(arguments: FrameSample.all) func `is refused with the offset when it is cut short`(
        _ sample: FrameSample
    ) throws {
        let kind = try sample.parse(sample.bytes).kind
        for prefix in Corruption.prefixes(of: sample.bytes) {
            do throws(FrameError) {
                let frame = try sample.parse(prefix)
                #expect(prefix.count >= sample.least, "\(prefix.count) bytes are no frame")
                #expect(frame.kind == kind)
            } catch {
                #expect(error.frame == kind)
                #expect((0...prefix.count).contains(error.offset), "\(error)")
                #expect(!error.problem.isEmpty)
            }
        }
    }

    @Test(arguments: FrameSample.all) func `with a changed byte is read, or refused with an offset`(
        _ sample: FrameSample
    ) throws {
        let kind = try sample.parse(sample.bytes).kind
        for flip in Corruption.flips(of: sample.bytes) {
            do throws(FrameError) {
                let frame = try sample.parse(flip.bytes)
                #expect(frame.kind == kind)
            } catch {
                #expect(error.frame == kind)
                #expect((0...flip.bytes.count).contains(error.offset), "\(error)")
            }
        }
    }

    @Test func `includes every kind that has a sample`() throws {
        let kinds = Set(try FrameSample.all.map { try $0.parse($0.bytes).kind })
        // These two are recognised by a service UUID in the list.
        #expect(Set(FrameKind.allCases).subtracting(kinds) == [.kkmOld, .orangeTag])
    }
}
