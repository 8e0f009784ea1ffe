import Sessions
import UpdateCore

/// The one thing that would have made an update faster (docs/performance.md).
enum SpeedHint {
    /// Longer intervals than the one that bootloaders ask for cost more than anything else.
    private static let goodInterval = Duration.milliseconds(15)

    /// Nil when nothing is known to help. `retries` is how often something was sent or asked again, after which a sender is
    /// careful.
    static func text(for limit: SpeedLimit, over link: LinkDescription?, retries: Int = 0) -> String? {
        switch limit {
        case .flash where retries == 0:
            return
                "the beacon's flash sets the speed, as far as its answers show; a faster link would not help"
        case .flash, .retries:
            return "parts were sent again: bring the beacon closer, or away from other radios"
        case .answers, .air: break
        }
        guard let link else { return nil }
        if let interval = link.interval, interval > goodInterval {
            return
                "the connection interval is \(interval / .milliseconds(1)) ms, though 15 ms was asked for"
        }
        guard limit == .air else { return nil }
        if link.mtu <= 23 {
            return
                "the MTU is 23, so a packet carries 20 bytes: the beacon or the adapter refused more (bootloaders of "
                + "Nordic's SDK 15 and later, and SUOTA 1.3, take 244)"
        }
        return link.phy == "1M"
            ? "the link runs on LE 1M: an adapter and a beacon with LE 2M are faster" : nil
    }
}
