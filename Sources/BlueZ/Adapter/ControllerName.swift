public import Bluetooth

/// Identifies one of the kernel's Bluetooth controllers.
public enum ControllerName: Hashable, Sendable {
    /// The kernel's number for it: 0 for `hci0`. A controller that is plugged in again may get another one.
    case number(UInt16)
    /// Its own public address, which stays the same.
    case address(DeviceAddress)

    /// Parses `hci0` or `00:1B:DC:06:B2:4A`; nil for other texts.
    public init?(_ text: some StringProtocol) {
        if let address = DeviceAddress(text, .public) {
            self = .address(address)
            return
        }
        guard text.hasPrefix("hci"), let number = UInt16(text.dropFirst(3)), number != UInt16.max,
            text == "hci\(number)"
        else { return nil }
        self = .number(number)
    }

    /// Whether it identifies the controller with this number and address.
    func means(_ number: UInt16, _ address: DeviceAddress) -> Bool {
        switch self {
        case .number(let own): own == number
        case .address(let own): own == address
        }
    }
}

extension ControllerName: CustomStringConvertible {
    /// `hci0`, or the address.
    public var description: String {
        switch self {
        case .number(let number): "hci\(number)"
        case .address(let address): "\(address)"
        }
    }
}

extension DeviceAddress {
    /// Whether it distinguishes a controller from others: some have no public address, so that it is all zero.
    var tellsControllersApart: Bool { bytes.contains { $0 != 0 } }
}
