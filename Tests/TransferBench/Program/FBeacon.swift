import Simulation
import TransferBench

/// The speeds of Feasycom upgrades: a table for each way to the transfer.
func reportFBeacons() async throws {
    print(
        "\nFeasycom upgrades of 100000 bytes in packets of 1029, simulated time, from the first packet to the last answer."
    )
    print(
        "Terms of the ceiling in milliseconds: air + answers + flash = total. Bytes/s, and shares of the ceiling."
    )
    for stays in [true, false] {
        print("\n" + (stays ? "over the link on which it was entered" : "over a new link"))
        print(
            "link".padded(to: 22) + "air  answers    flash    total".leftPadded(to: 33)
                + "ceiling".leftPadded(to: 10) + "ours".leftPadded(to: 8) + "  limited by".leftPadded(to: 21))
        for mtu in [247, 23] {
            for milliseconds in [7.5, 15, 30, 50] { print(try await line(stays, mtu, milliseconds)) }
        }
    }
}

private func line(_ stays: Bool, _ mtu: Int, _ milliseconds: Double) async throws -> String {
    var transfer = FBeaconTransfer(stays: stays)
    transfer.maximumMTU = mtu
    transfer.link.interval = .seconds(milliseconds / 1000)
    let number = milliseconds == 7.5 ? "7.5" : "\(Int(milliseconds))"
    let name = "\(number) ms, MTU \(mtu)".padded(to: 22)
    guard let ceiling = transfer.ceiling else { return name + "takes no such image" }
    let ours = try await transfer.ours()
    return name
        + figures([ceiling.air, ceiling.answers, ceiling.flash, ceiling.total], ceiling.bytesPerSecond, ours)
}
