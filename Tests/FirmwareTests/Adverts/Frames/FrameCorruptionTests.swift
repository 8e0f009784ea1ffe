import Firmware
import KKM
import Orange
import TestSupport
import Testing
import UpdateModel

@Suite struct `A frame` {
    @Test(arguments: FrameSample.all) func `is read whole`(_ sample: FrameSample) throws {
        try sample.parse(sample.bytes)
    }

    @Test(arguments: FrameSample.all) func `is refused with the offset when it is cut short`(
        _ sample: FrameSample
    ) throws {
        let kind = sample.kind
        for prefix in Corruption.prefixes(of: sample.bytes) {
            do throws(FrameError) {
                try sample.parse(prefix)
                #expect(prefix.count >= sample.least, "\(prefix.count) bytes are no frame")
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
        let kind = sample.kind
        for flip in Corruption.flips(of: sample.bytes) {
            do throws(FrameError) {
                try sample.parse(flip.bytes)
            } catch {
                #expect(error.frame == kind)
                #expect((0...flip.bytes.count).contains(error.offset), "\(error)")
            }
        }
    }

    @Test func `includes every kind that has a sample`() throws {
        let kinds = Set(FrameSample.all.map(\.kind))
        // These two are recognised by a service UUID in the list.
        #expect(Set(FrameKind.allCases).subtracting(kinds) == [KKMOld.kind, OrangeTagAdvert.kind])
    }
}
