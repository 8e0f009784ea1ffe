import Bluetooth
import Simulation
import TransferBench

/// The speeds of SUOTA updates: a table for each receiver.
func reportSUOTA() async throws {
    print(
        "\nSUOTA, simulated time, from the start to the word to restart; fixed policies to the answer to the end."
    )
    print(
        "Terms of the ceiling in milliseconds: air + answers + flash = total. Bytes/s, and shares of the ceiling."
    )
    for kind in SUOTAPersonality.named.keys.sorted() {
        guard let personality = SUOTAPersonality.named[kind] else { continue }
        let transfer = SUOTATransfer(personality)
        print("\n\(kind), \(transfer.size) bytes, \(description(of: transfer.way))")
        let names = FixedSUOTAPolicy.all.map { $0.name.leftPadded(to: 16) }.joined()
        print(
            "link".padded(to: 12) + "air  answers    flash    total".leftPadded(to: 33)
                + "ceiling".leftPadded(to: 10) + "ours".leftPadded(to: 8) + "  limited by".leftPadded(to: 21)
                + names)
        for phy in [LinkModel.PHY.le1M, .le2M] {
            for milliseconds in [7.5, 15, 30] {
                print(try await line(transfer, phy, milliseconds))
            }
        }
    }
}

private func description(of way: SUOTACeiling.Cargo.Way) -> String {
    switch way {
    case .attributes(let block, let chunk): "blocks of \(block), chunks of \(chunk)"
    case .channel(let packet): "a channel, packets of \(packet)"
    }
}

private func line(
    _ transfer: SUOTATransfer, _ phy: LinkModel.PHY, _ milliseconds: Double
) async throws -> String {
    var transfer = transfer
    transfer.link.phy = phy
    transfer.link.interval = .seconds(milliseconds / 1000)
    let number = milliseconds == 7.5 ? "7.5" : "\(Int(milliseconds))"
    let name = "\(phy.rawValue), \(number) ms".padded(to: 12)
    guard let ceiling = transfer.ceiling else { return name + "takes no such image" }
    let ours = try await transfer.ours()
    let rate = ceiling.bytesPerSecond
    var text = name + figures([ceiling.air, ceiling.answers, ceiling.flash, ceiling.total], rate, ours)
    for policy in FixedSUOTAPolicy.all {
        text += share(try await transfer.fixed(policy), rate).leftPadded(to: 16)
    }
    return text
}

/// The terms of a ceiling of `rate` bytes per second in milliseconds, and the share that `ours` reaches.
func figures(_ terms: [Duration], _ rate: Double, _ ours: TransferResult) -> String {
    let columns = zip(terms, [6, 9, 9, 9]).map { term, width in
        "\(Int((term / .milliseconds(1)).rounded()))".leftPadded(to: width)
    }
    return columns.joined() + "\(Int(rate))".leftPadded(to: 10)
        + "\(Int(ours.bytesPerSecond))".leftPadded(to: 8) + " " + share(ours, rate).leftPadded(to: 8)
        + "  " + (ours.failure ?? ours.limit ?? "").padded(to: 10)
}
