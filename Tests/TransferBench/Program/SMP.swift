import Simulation
import TransferBench

/// The speeds of updates over SMP: a table for each server and flash, with one request at a time beside.
func reportSMP() async throws {
    print(
        "\nUpdates over SMP of an image of 100168 bytes, simulated time, from the first upload request to the last answer."
    )
    print(
        "Terms of the ceiling in milliseconds: air + answers + flash = total. Bytes/s, and shares of the ceiling."
    )
    for flash in NamedFlash.all.prefix(2) {
        for server in SMPTransfer.Server.allCases {
            print("\n\(flash.name) flash, \(server.rawValue)")
            print(
                "link".padded(to: 18) + "air  answers    flash    total".leftPadded(to: 33)
                    + "ceiling".leftPadded(to: 10) + "ours".leftPadded(to: 8)
                    + "  limited by".leftPadded(to: 21) + "one at a time".leftPadded(to: 18))
            for mtu in [23, 64, 131, 185, 247, 498] {
                for milliseconds in [7.5, 15, 30, 50] {
                    print(try await line(server, flash, mtu, milliseconds))
                }
            }
        }
    }
}

private func line(
    _ server: SMPTransfer.Server, _ flash: NamedFlash, _ mtu: Int, _ milliseconds: Double
) async throws -> String {
    var transfer = SMPTransfer(server)
    (transfer.timing, transfer.maximumMTU) = (flash.timing, mtu)
    transfer.link.interval = .seconds(milliseconds / 1000)
    let number = milliseconds == 7.5 ? "7.5" : "\(Int(milliseconds))"
    let name = "\(number) ms, MTU \(mtu)".padded(to: 18)
    let ours = try await transfer.ours()
    guard let ceiling = transfer.ceiling else { return name + "no request fits: \(ours.failure ?? "")" }
    transfer.window = 1
    let single = try await transfer.ours()
    return name
        + figures([ceiling.air, ceiling.answers, ceiling.flash, ceiling.total], ceiling.bytesPerSecond, ours)
        + "\(Int(single.bytesPerSecond)) \(single.failure ?? single.limit ?? "")".leftPadded(to: 17)
}
