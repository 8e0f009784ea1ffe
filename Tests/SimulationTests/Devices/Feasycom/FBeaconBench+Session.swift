import Simulation
import Testing

extension FBeaconBench {
    /// A beacon over a link, with its AT engine open.
    static func opened(
        _ faults: [FBeaconFault] = [], mtu: Int = 247,
        _ change: (inout FBeaconDescription) -> Void = { _ in }
    ) throws -> FBeaconBench {
        var bench = try FBeaconBench(faults, change)
        bench.openWorkServer(mtu: mtu)
        return bench
    }

    /// On a new link.
    mutating func openWorkServer(mtu: Int = 247) {
        disconnect()
        connect(mtu: mtu)
        #expect(ask("$OpenFscAtEngine$") == "$OK,Opened$")
    }

    /// The answer to a command, without line ends.
    mutating func tell(_ command: String) -> [String] {
        ask(command + "\r\n").split(whereSeparator: \.isNewline).map(String.init)
    }
}
