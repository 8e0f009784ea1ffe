import BeaconIdentity
import BluetoothTypes
import ByteCoding
import FirmwareModel
import Radio
import Sessions
import Vendors

/// What `info` has read from one device.
struct DeviceReport: Equatable, Sendable {
    let sighting: BeaconSighting
    let mtu: Int
    let link: LinkParameters
    let inventory: DeviceInventory
    /// What came of a session; nil where such beacons hold none.
    var session: SessionReading?

    /// The values of the Device Information Service (3.1 to 3.9): name of the member, characteristic.
    static let deviceInformation: [(member: String, uuid: UInt16)] = [
        ("manufacturer", 0x2A29), ("model", 0x2A24), ("serial", 0x2A25), ("hardware", 0x2A27),
        ("firmware", 0x2A26), ("software", 0x2A28),
    ]

    var updates: [OfferedUpdate] { KnownVendors.updates(offeredBy: inventory) }

    /// How its maker updates it, where nobody else can; nil where it has an update service that this program knows.
    var vendorWay: String? { updates.isEmpty ? sighting.identity.maker?.vendorWay : nil }

    /// What is not public of such beacons, and would be shown or done otherwise.
    var gaps: [MakerSupport.Gap] { MakerSupport.of(sighting.identity.family)?.gaps ?? [] }

    /// Which program runs, by its attributes, else by what it advertises.
    var mode: RunningProgram {
        let modes = updates.compactMap(\.program)
        return modes.contains(.bootloader) ? .bootloader : modes.first ?? sighting.mode
    }

    var name: String? { inventory.text(0x1800, 0x2A00) }

    var appearance: UInt16? {
        guard let value = inventory.value(0x1800, 0x2A01), value.count == 2 else { return nil }
        return UInt16(value[0]) | UInt16(value[1]) << 8
    }

    /// In percent (Battery Service, 3.1); other values mean nothing.
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
