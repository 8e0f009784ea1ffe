import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `The examples` {
    private static let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"

    @Test(arguments: [
        ("F0:0D:BE:AC:04:00", "nordic/blinker-1.1.0.zip", "version 2, verified: version"),
        ("F0:0D:BE:AC:05:01", "legacy/generation-05.zip", "verified: "),
        ("F0:0D:BE:AC:06:00", "dialog/58x.img", "verified: version"),
    ])
    func `flash beacons of every vendor`(_ address: String, _ file: String, _ last: String) throws {
        let run = try Program.run(
            [Samples.root + "/firmware-samples/" + file, address, "--simulated"], of: "flash-one-beacon")
        #expect(run.status == 0, "\(run.output)\(run.talk)")
        #expect(run.output.split(separator: "\n").last?.contains(last) == true, "\(run.output)")
    }

    @Test func `identify files`() throws {
        let hex = Samples.root + "/firmware-samples/README.md"
        let run = try Program.run([Self.package, hex], of: "inspect-firmware")
        #expect(run.status == 0, "\(run.talk)")
        #expect(
            run.output.contains("blinker-1.1.0.zip: nordic-secure, version 2\n  application, "),
            "\(run.output)")
        #expect(run.output.contains("README.md: unknown: "), "\(run.output)")
    }

    @Test func `test a third-party client`() throws {
        let run = try Program.run([], of: "test-phone-client")
        #expect(run.status == 0, "\(run.output)\(run.talk)")
        #expect(run.output.contains("beacon whose response is lost: silent, then it runs its application"))
    }
}
