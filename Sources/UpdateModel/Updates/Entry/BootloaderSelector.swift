package import Bluetooth
package import Bytes

/// A user's choice of a unit's bootloader, for one at an address that no rule predicts.
package enum BootloaderSelector: Hashable, Sendable, CustomStringConvertible {
    /// The address; if the user gave no address type, as random address first and then as public address.
    case addresses([DeviceAddress])
    /// A name pattern, with `*` and `?`.
    case name(Glob)

    /// Parses `F0:0D:BE:AC:01:01`, optionally with `/public` or `/random`, or `name:PATTERN`; nil for other texts.
    package init?(_ text: String) {
        let prefix = "name:"
        if text.hasPrefix(prefix) {
            guard text.count > prefix.count else { return nil }
            self = .name(Glob(String(text.dropFirst(prefix.count))))
            return
        }
        let addresses = DeviceAddress.named(by: text)
        guard !addresses.isEmpty else { return nil }
        self = .addresses(addresses)
    }

    /// The addresses that it can match; empty for a name.
    package var addresses: [DeviceAddress] {
        if case .addresses(let addresses) = self { addresses } else { [] }
    }

    /// Whether a beacon at `address` with this advertised `name` is selected.
    package func matches(_ address: DeviceAddress, named name: String?) -> Bool {
        switch self {
        case .addresses(let addresses): addresses.contains(address)
        case .name(let pattern): name.map(pattern.matches) ?? false
        }
    }

    package var description: String {
        switch self {
        case .addresses(let addresses):
            addresses.first.map { addresses.count > 1 ? "\($0)" : "\($0)/\($0.kind.rawValue)" } ?? ""
        case .name(let pattern): "name:\(pattern.pattern)"
        }
    }
}
