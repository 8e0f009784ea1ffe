public import Bluetooth

/// Identifies one of the kernel's Bluetooth controllers.
public enum ControllerName: Hashable, Sendable, CustomStringConvertible {
    /// The kernel's number for the controller: 0 for `hci0`. When it is plugged in again, it may get another one.
    case number(UInt16)
    /// The controller's own public address, which stays the same.
    case address(DeviceAddress)

    /// Parses `hci0` or `00:1B:DC:06:B2:4A`; nil for other texts.
    package init?(_ text: some StringProtocol) {
        if let address = DeviceAddress(text, .public) {
            self = .address(address)
            return
        }
        guard text.hasPrefix("hci"), let number = UInt16(text.dropFirst(3)), number != UInt16.max,
            text == "hci\(number)"
        else { return nil }
        self = .number(number)
    }

    func matches(_ number: UInt16, _ address: DeviceAddress) -> Bool {
        switch self {
        case .number(let own): own == number
        case .address(let own): own == address
        }
    }

    public var description: String {
        switch self {
        case .number(let number): "hci\(number)"
        case .address(let address): "\(address)"
        }
    }
}

extension DeviceAddress {
    /// Whether this address identifies a controller: some controllers have no public address, and report zeros.
    var identifiesController: Bool { bytes.contains { $0 != 0 } }
}
