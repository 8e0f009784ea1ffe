import TestSupport
import Testing
import UpdateModel

@testable import Firmware

@Suite struct `A SUOTA receiver's verdict` {
    static func verdict(_ file: String, _ target: String) throws -> FileVerdict? {
        var gate = Gate()
        gate.target = try TargetDevice(parsing: target)
        return gate.report(on: try Samples.bytes(file), named: file).verdict
    }

    static func code(_ verdict: FileVerdict?) -> String? {
        if case .refused(_, let code, _) = verdict { code ?? "no code" } else { verdict?.word }
    }

    @Test(arguments: [
        ("dialog/58x.img", "chip=58x,bank=110592", "accepted"), ("dialog/58x.img", "chip=68x", "12"),
        ("dialog/58x.img", "chip=58x", "undecided"), ("dialog/58x.img", "chip=58x,bank=1087", "13"),
        ("dialog/58x.img", "chip=58x,bank=1088", "accepted"),
        ("dialog/58x.img", "chip=58x,bank=110592,version=1.2.3,timestamp=1700000000", "15"),
        ("dialog/58x.img", "chip=58x,bank=110592,version=1.2.3,timestamp=1", "accepted"),
        ("malformed/suota-crc-mismatch.img", "chip=531,bank=110592", "no code"),
        ("malformed/suota-empty-payload.img", "chip=58x,bank=110592", "13"),
        ("dialog/68x.img", "chip=68x,version=1.2.3,timestamp=1700000000", "accepted"),
        ("dialog/69x.img", "chip=69x,bank=1", "13"),
    ])
    func `is its status`(file: String, target: String, answer: String) throws {
        #expect(Self.code(try Self.verdict(file, target)) == answer)
    }

    @Test(arguments: [
        ("feasycom/bp102.fbu", "model=bp102,bootloader=9999,version=830", "accepted"),
        ("feasycom/bp102.fbu", "version=830", "undecided"),
        ("feasycom/bp102.fbu", "model=BP101,version=830", "no code"),
        ("hex/application.hex", "model=BP101", nil),
    ])
    func `about a Feasycom file depends on model and versions`(file: String, target: String, answer: String?)
        throws
    {
        #expect(Self.code(try Self.verdict(file, target)) == answer)
    }
}
