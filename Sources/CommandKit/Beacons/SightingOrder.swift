import ArgumentParser
import Bluetooth
package import Firmware

extension BeaconSightings { package var byStrength: [BeaconSighting] { SightingOrder.rssi.sorted(all) } }

package enum SightingOrder: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Strongest signal first.
    case rssi
    case address
    /// Beacons without a name last.
    case name
    /// By the time when they were first heard.
    case seen

    /// Sorts by this order, then by address.
    package func sorted(_ sightings: some Sequence<BeaconSighting>) -> [BeaconSighting] {
        let byAddress = sightings.sorted {
            ($0.address.description, $0.address.kind.rawValue)
                < ($1.address.description, $1.address.kind.rawValue)
        }
        // The standard library's sort is stable.
        switch self {
        case .rssi: return byAddress.sorted { ($0.rssi ?? .min) > ($1.rssi ?? .min) }
        case .address: return byAddress
        case .name: return byAddress.sorted { isBefore($0.data.name, $1.data.name) }
        case .seen: return byAddress.sorted { $0.firstSeen < $1.firstSeen }
        }
    }

    private func isBefore(_ first: String?, _ second: String?) -> Bool {
        guard let first else { return false }
        guard let second else { return true }
        return first < second
    }
}
