import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import Firmware
import UpdateModel

package struct DeviceReport: Equatable, Sendable {
    let sighting: BeaconSighting
    let mtu: Int
    let link: LinkParameters
    let inventory: DeviceInventory
    /// The result of a session; nil for beacons without sessions.
    var session: Result<SessionReading, SessionFailure>?

    /// The characteristics of the Device Information Service (its specification, 3.1 to 3.9), with their JSON members.
    static let deviceInformation: [(member: String, uuid: UInt16)] = [
        ("manufacturer", 0x2A29), ("model", 0x2A24), ("serial", 0x2A25), ("hardware", 0x2A27),
        ("firmware", 0x2A26), ("software", 0x2A28),
    ]

    var updates: [OfferedUpdate] { KnownVendors.updates(offeredBy: inventory) }

    /// How its maker updates it, if only the maker can; nil if it has an update service that this program supports.
    var vendorWay: String? { updates.isEmpty ? sighting.identity.maker?.vendorWay : nil }

    /// The features of this family's beacons that the program lacks because their documentation is not public.
    var gaps: [MakerSupport.Gap] { MakerSupport.of(sighting.identity.family)?.gaps ?? [] }

    /// The running program, from its attributes, else from its advertisements.
    var mode: RunningProgram {
        let modes = updates.compactMap(\.program)
        return modes.contains(.bootloader) ? .bootloader : modes.first ?? sighting.mode
    }

    var name: String? { inventory.text(0x1800, 0x2A00) }

    var appearance: UInt16? {
        guard let value = inventory.value(0x1800, 0x2A01), value.count == 2 else { return nil }
        return UInt16(value[0]) | UInt16(value[1]) << 8
    }

    /// In percent (Battery Service, 3.1); other values are invalid.
    var battery: Int? {
        guard let value = inventory.value(0x180F, 0x2A19), value.count == 1, value[0] <= 100 else {
            return nil
        }
        return Int(value[0])
    }

    var identity: DeviceIdentity? {
        guard let value = inventory.value(0x180A, 0x2A50) else { return nil }
        var reader = ByteReader(value)
        guard let identity = try? DeviceIdentity(parsingPnP: &reader), reader.remaining == 0 else {
            return nil
        }
        return identity
    }

    var systemID: [UInt8]? { inventory.value(0x180A, 0x2A23) }
    var regulatory: [UInt8]? { inventory.value(0x180A, 0x2A2A) }
}

extension Result<SessionReading, SessionFailure> {
    var rows: [SessionReading.Row] {
        switch self {
        case .success(let reading): reading.rows
        case .failure(let failure):
            SessionReading("", rows: [("session", "\(failure.code.rawValue): \(failure.message)")]).rows
        }
    }

    var value: JSONValue {
        switch self {
        case .failure(let failure):
            return .object([
                "kind": .null, "code": .text(failure.code.rawValue), "message": .text(failure.message),
            ])
        case .success(let reading):
            var members = reading.facts.mapValues(JSONValue.init)
            members["kind"] = .text(reading.kind)
            members["settings"] = reading.application.settings.map { .object($0.values.mapValues(\.value)) }
            return .object(members)
        }
    }
}

extension MakerSupport {
    /// The row of `family`; nil if nothing is known about the maker.
    static func of(_ family: Family) -> MakerSupport? { all.first { $0.family == family.rawValue } }

    /// A row for each maker's kind of beacon: first those of the vendor modules, then those of makers without a module.
    static var all: [MakerSupport] { KnownVendors.all.flatMap(\.support) + Maker.allCases.flatMap(\.support) }
}
