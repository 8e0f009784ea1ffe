import Firmware
import UpdateModel

/// A hint on what would have made an update faster (docs/performance.md).
enum SpeedHint {
    /// The interval that bootloaders request. A longer one slows an update more than anything else.
    private static let goodInterval = Duration.milliseconds(15)

    /// Nil if nothing is known to help. `retries` is how often something was sent or requested again, after
    /// which a sender slows down; `repeatedBytes` is how much firmware was sent again.
    static func text(
        for limit: SpeedLimit, over link: LinkDescription?, retries: Int = 0, repeatedBytes: Int = 0
    ) -> String? {
        switch limit {
        case .flash where retries == 0:
            return "the beacon's answers show that its flash limits the speed; a faster link would not help"
        case .flash, .retries:
            return repeatedBytes > 0
                ? "parts were sent again: move the beacon closer, or away from other radios" : nil
        case .answers, .air: break
        }
        guard let link else { return nil }
        if let interval = link.interval, interval > goodInterval {
            return
                "the connection interval is \(interval / .milliseconds(1)) ms, although 15 ms was requested"
        }
        guard limit == .air else { return nil }
        if link.mtu <= 23 {
            let programs = KnownVendors.all.compactMap(\.wording.longPackets).joined(separator: ", and ")
            return
                "the MTU is 23, so a packet carries 20 bytes: the beacon or the adapter refused more (bootloaders of "
                + "\(programs), take 244)"
        }
        if link.phy == "coded" { return "the link runs on LE Coded, at an eighth to half of LE 1M's rate" }
        return link.phy == "1M"
            ? "the link runs on LE 1M: an adapter and a beacon with LE 2M are faster" : nil
    }
}
