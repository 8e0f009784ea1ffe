import SimulatedDevice
import Testing

extension FBeaconBench {
    /// A beacon over a link, whose AT engine listens.
    static func opened(
        _ faults: [FBeaconFault] = [], mtu: Int = 247,
        _ change: (inout FBeaconDescription) -> Void = { _ in }
    ) throws -> FBeaconBench {
        var bench = try FBeaconBench(faults, change)
        bench.openWorkServer(mtu: mtu)
        return bench
    }

    /// Over a new link.
    mutating func openWorkServer(mtu: Int = 247) {
        disconnect()
        connect(mtu: mtu)
        #expect(ask("$OpenFscAtEngine$") == "$OK,Opened$")
    }

    /// What a command is answered with, without line ends.
    mutating func tell(_ command: String) -> [String] {
        ask(command + "\r\n").split(whereSeparator: \.isNewline).map(String.init)
    }
}
