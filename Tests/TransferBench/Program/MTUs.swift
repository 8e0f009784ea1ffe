import Bluetooth
import Simulation
import TransferBench

/// MTUs between the smallest and the largest.
private let mtus = [23, 27, 50, 64, 80, 100, 115, 123, 130, 131, 158, 185, 220, 247, 517]
private let intervals = [7.5, 15, 30, 50]

/// The share of the ceiling that transfers reach with any MTU: a table for each modulation and flash.
func reportMTUs() async throws {
    print(
        "\nSecure DFU of 100000 bytes at any MTU, SDK 17.1, 251 octets, simulated time: shares of the ceiling."
    )
    for flash in NamedFlash.all.prefix(2) {
        for phy in [LinkModel.PHY.le1M, .le2M] {
            print("\n\(flash.name) flash, LE \(phy.rawValue)")
            print(
                "MTU".padded(to: 8)
                    + intervals.map { "\($0) ms".leftPadded(to: 14) }.joined())
            for mtu in mtus {
                var line = "\(mtu)".padded(to: 8)
                for interval in intervals {
                    var bench = TransferBench()
                    bench.timing = flash.timing
                    bench.link.phy = phy
                    bench.link.interval = .seconds(interval / 1000)
                    bench.maximumMTU = mtu
                    line += share(try await bench.ours(), bench.ceiling.bytesPerSecond).leftPadded(to: 14)
                }
                print(line)
            }
        }
    }
}

/// Cells below `least` of the ceiling, or with lost packets, for the given MTUs (`100`) and intervals (`100@30`).
func reportWeakCells(below least: Double, _ words: [String]) async throws {
    let many = [7.5, 10, 12.5, 15, 17.5, 20, 22.5, 25, 30, 35, 40, 45, 50]
    for word in words {
        let parts = word.split(separator: "@")
        guard let mtu = parts.first.flatMap({ Int($0) }) else { continue }
        for milliseconds in parts.count > 1 ? [Double(parts[1]) ?? 15] : many {
            for phy in [LinkModel.PHY.le1M, .le2M] {
                for flash in NamedFlash.all.prefix(2) {
                    var bench = TransferBench()
                    bench.timing = flash.timing
                    bench.link.phy = phy
                    bench.link.interval = .seconds(milliseconds / 1000)
                    bench.maximumMTU = mtu
                    let result = try await bench.ours()
                    let ceiling = bench.ceiling.bytesPerSecond
                    guard result.bytesPerSecond < least * ceiling || result.lost > 0 || result.repeated > 0
                    else { continue }
                    print(
                        "MTU \(mtu), \(milliseconds) ms, LE \(phy.rawValue), \(flash.name) flash: "
                            + share(result, ceiling))
                }
            }
        }
    }
}

/// The cost of one lost answer at the worst place, and of lost packets.
func reportFaults() async throws {
    print(
        "\nOne lost answer, SDK 17.1, 100000 bytes: the undisturbed time and the wait for the answer, by the time that it took,"
    )
    print("at the worst place (a number of a request).")
    for flash in NamedFlash.all.prefix(2) {
        for mtu in [23, 64, 130, 247] {
            var line = "\(flash.name) flash, MTU \(mtu)".padded(to: 30)
            for interval in intervals {
                var bench = TransferBench()
                bench.timing = flash.timing
                bench.link.interval = .seconds(interval / 1000)
                bench.maximumMTU = mtu
                let worst = try await bench.worstLostAnswer()
                let tenths = Int(worst.share * 1000)
                line += (worst.failure ?? "\(tenths / 10).\(tenths % 10) % (\(worst.place))").leftPadded(
                    to: 16)
            }
            print(line)
        }
    }
    try await reportLosses()
}

/// The cost of lost packets.
func reportLosses() async throws {
    print(
        "\nPackets lost, SDK 17.1, stock flash, 15 ms, 100000 bytes: bytes/s, and how often something was sent again."
    )
    for mtu in [23, 64, 130, 247] {
        var line = "MTU \(mtu)".padded(to: 10)
        for percent in [0, 1, 5] {
            for interval in [nil, 1] {
                var bench = TransferBench()
                bench.maximumMTU = mtu
                let result = try await bench.ours(
                    faults: percent > 0 ? [.losePackets(percent: percent)] : [], receiptInterval: interval)
                let speed = result.failure ?? "\(Int(result.bytesPerSecond)) (\(result.repeated))"
                line += "\(percent) %\(interval == nil ? "" : ", PRN 1"): \(speed)".leftPadded(to: 26)
            }
        }
        print(line)
    }
}

/// The cost of a link that repeats packets: they come late, and then many at once.
func reportRepetitions() async throws {
    print(
        "\nLinks that repeat packets, SDK 17.1, stock flash, 40000 bytes: packets without room, of ten links each; share of the clean link's speed."
    )
    for mtu in [23, 64, 247] {
        for phy in [LinkModel.PHY.le1M, .le2M] {
            var line = "MTU \(mtu), LE \(phy.rawValue)".padded(to: 18)
            for milliseconds in [7.5, 15, 30] {
                for loss in [0.02, 0.1] {
                    var bench = TransferBench()
                    bench.maximumMTU = mtu
                    bench.size = 40_000
                    bench.link.phy = phy
                    bench.link.interval = .seconds(milliseconds / 1000)
                    let clean = try await bench.ours()
                    bench.link.loss = loss
                    var lost = 0
                    var seconds = 0.0
                    for seed in 1...10 {
                        bench.link.seed = UInt64(seed)
                        let result = try await bench.ours()
                        lost += result.lost
                        seconds += result.seconds ?? 1000
                    }
                    line +=
                        "\(milliseconds) ms, \(loss): \(lost), \(Int((clean.seconds ?? 0) * 1000 / seconds)) %"
                        .leftPadded(to: 26)
                }
            }
            print(line)
        }
    }
}
