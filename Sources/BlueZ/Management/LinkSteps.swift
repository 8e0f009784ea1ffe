import Bluetooth
import Bytes

/// Interval and supervision timeout in a controller's steps, within the range it accepts (Vol 4, Part E, 7.8.18;
/// Vol 6, Part B, 4.5.1 and 4.5.2).
struct LinkSteps: Equatable, Sendable {
    /// Time between two connection events, in steps of 1.25 ms.
    let interval: UInt16
    /// How long a link lives without packets, in steps of 10 ms. It has to exceed two intervals, otherwise the
    /// kernel drops the entry.
    let supervisionTimeout: UInt16

    init(interval: Duration, supervisionTimeout: Duration) {
        self.interval = Self.steps(of: .microseconds(1250), in: interval, within: 6...3200)
        let least = max(10, self.interval / 4 + 1)
        self.supervisionTimeout = Self.steps(
            of: .milliseconds(10), in: supervisionTimeout, within: least...3200)
    }

    init(_ linkRequest: LinkRequest) {
        self.init(interval: linkRequest.interval, supervisionTimeout: linkRequest.supervisionTimeout)
    }

    /// Shortest and longest interval, latency and supervision timeout.
    var bytes: [UInt8] { [interval, interval, 0, supervisionTimeout].flatMap { $0.bytes() } }

    /// Clamped before the conversion to an integer, which traps on values out of range.
    private static func steps(
        of step: Duration, in length: Duration, within range: ClosedRange<UInt16>
    ) -> UInt16 {
        let count = (length / step).rounded()
        return UInt16(min(max(count, Double(range.lowerBound)), Double(range.upperBound)))
    }
}
