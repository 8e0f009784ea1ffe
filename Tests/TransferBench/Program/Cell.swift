import Bluetooth
import Simulation
import TransferBench

/// A flash, with its name in the tables.
struct NamedFlash: Sendable {
    let name: String
    let timing: FlashTiming

    /// One that takes no time, a stock nRF52, and one whose bootloader writes whole packets at 43 µs per word.
    static let all = [
        NamedFlash(name: "fast", timing: .instant),
        NamedFlash(name: "stock nRF52", timing: .stock),
        NamedFlash(
            name: "long writes",
            timing: FlashTiming(
                pageErase: .milliseconds(87), pieceWrite: .microseconds(215), pageProgram: .milliseconds(42))),
    ]
}

/// A link, with its name in the tables.
struct NamedLink: Sendable {
    let name: String
    let model: LinkModel
    let mtu: Int

    init(_ phy: LinkModel.PHY, _ milliseconds: Double, octets: Int, mtu: Int) {
        var model = LinkModel()
        model.phy = phy
        model.interval = .seconds(milliseconds / 1000)
        model.dataLength = octets
        self.model = model
        self.mtu = mtu
        let number = milliseconds == 7.5 ? "7.5" : "\(Int(milliseconds))"
        name =
            "\(phy.rawValue), \(number.leftPadded(to: 3)) ms, \("\(octets)".leftPadded(to: 3)) octets, MTU \(mtu)"
    }

    /// Both modulations, four intervals, and the combinations of MTU and data length.
    static let all: [NamedLink] = [(251, 247), (27, 247), (27, 23)].flatMap { octets, mtu in
        [LinkModel.PHY.le1M, .le2M].flatMap { phy in
            [7.5, 15, 30, 50].map { NamedLink(phy, $0, octets: octets, mtu: mtu) }
        }
    }
}

/// One row: the results of all senders.
struct Row: Sendable {
    let link: NamedLink
    let ceiling: TransferCeiling
    let ours: TransferResult
    let fixed: [TransferResult]

    init(
        _ link: NamedLink, _ flash: NamedFlash, _ personality: SecurePersonality,
        among policies: [FixedPolicy]
    )
        async throws
    {
        self.link = link
        var bench = TransferBench()
        bench.personality = personality
        bench.timing = flash.timing
        bench.link = link.model
        bench.maximumMTU = link.mtu
        ceiling = bench.ceiling
        ours = try await bench.ours()
        var fixed: [TransferResult] = []
        for policy in policies { fixed.append(try await bench.fixed(policy)) }
        self.fixed = fixed
    }
}

extension String {
    func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
