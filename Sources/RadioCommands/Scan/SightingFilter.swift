import Bluetooth
import Bytes
package import Identity
import UpdateModel

/// One condition of `--filter`, such as `rssi>-70`.
package struct SightingFilter: Equatable, Sendable {
    /// A comparison of two values.
    enum Relation: String, Equatable, Sendable, CaseIterable {
        // Relations of two characters first: a shorter one may be a prefix of a longer one.
        case unequal = "!="
        case atLeast = ">="
        case atMost = "<="
        case equal = "="
        case above = ">"
        case below = "<"

        func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
            switch self {
            case .equal: left == right
            case .unequal: left != right
            case .above: left > right
            case .atLeast: left >= right
            case .below: left < right
            case .atMost: left <= right
            }
        }
    }

    /// The property, and its required value.
    enum Condition: Equatable, Sendable {
        case name(Glob)
        case address(Glob)
        case rssi(Relation, Int)
        case battery(Relation, Int)
        case version(Glob)
        /// Compared number by number, from left to right.
        case versionOrder(Relation, VersionOrder)
        case vendor(Glob)
        case model(Glob)
        case id(Glob)
        case kind(Glob)
        case mode(RunningProgram)
        case service(BluetoothUUID)
        case company(UInt16)
        case connectable(Bool)
    }

    let condition: Condition
    let isNegated: Bool

    /// Whether `sighting` is to be listed.
    package func passes(_ sighting: BeaconSighting) -> Bool { fits(sighting) != isNegated }

    /// Whether a beacon may still pass once its name is heard.
    var isAboutName: Bool { if case .name = condition { true } else { false } }

    private func fits(_ sighting: BeaconSighting) -> Bool {
        switch condition {
        case .name(let glob): sighting.data.name.map(glob.matches) ?? false
        case .address(let glob): glob.matches(sighting.address.description)
        case .rssi(let relation, let limit): sighting.rssi.map { relation.holds(Int($0), limit) } ?? false
        case .battery(let relation, let limit):
            sighting.identity.charge.percent.map { relation.holds($0, limit) } ?? false
        case .version(let glob): sighting.identity.version.map(glob.matches) ?? false
        case .versionOrder(let relation, let limit):
            sighting.identity.version.flatMap { VersionOrder($0) }.map { relation.holds($0, limit) } ?? false
        case .vendor(let glob): sighting.vendor.map(glob.matches) ?? false
        case .model(let glob): ScanColumn.model.text(of: sighting).map(glob.matches) ?? false
        case .id(let glob): sighting.identity.id.map(glob.matches) ?? false
        case .kind(let glob): glob.matches(sighting.kind)
        case .mode(let mode): sighting.mode == mode
        case .service(let uuid): sighting.data.mentions(uuid)
        case .company(let number): sighting.data.companies.contains(number)
        case .connectable(let wanted): sighting.isConnectable == wanted
        }
    }
}

extension AdvertisingData {
    /// Whether `service` is listed or has data.
    fileprivate func mentions(_ service: BluetoothUUID) -> Bool {
        elements.contains { element in
            switch element {
            case .services(let list, _): list.contains(service)
            case .serviceData(service, _): true
            default: false
            }
        }
    }
}
