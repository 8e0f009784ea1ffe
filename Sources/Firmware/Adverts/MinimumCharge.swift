package import UpdateModel

/// The minimum battery charge for starting an update. Some products drop an update silently, and others their
/// flash writes, when the voltage is low (beacon-frames.md, Limits).
package struct MinimumCharge: Hashable, Sendable {
    /// In percent, for beacons that report a percentage; 0 for no limit.
    package var percent = 20
    /// In millivolts, for beacons that report a voltage; 0 for no limit.
    package var millivolts = 2400

    /// 20 % or 2400 mV, the rest of a nearly empty coin cell.
    package init() {}

    package static let none = {
        var limit = MinimumCharge()
        (limit.percent, limit.millivolts) = (0, 0)
        return limit
    }()

    /// Sets a limit from a text such as `30`, `30%` or `2500mV`; 0 removes both limits. False if the text is
    /// not a limit.
    package mutating func set(_ text: some StringProtocol) -> Bool {
        let text = text.lowercased()
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { return false }
        switch text.dropFirst(digits.count) {
        case "" where number == 0: self = .none
        case "" where number <= 100, "%" where number <= 100: percent = number
        case "mv" where number <= 10_000: millivolts = number
        default: return false
        }
        return true
    }

    /// Why `charge` is too low, in words; nil if it is high enough or unknown.
    package func shortage(of charge: BatteryCharge) -> String? {
        guard !charge.isExternal else { return nil }
        if let value = charge.percent, value < percent { return "\(value) %, below \(percent) %" }
        if let value = charge.millivolts, value < millivolts { return "\(value) mV, below \(millivolts) mV" }
        return nil
    }
}
