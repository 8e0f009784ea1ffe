import ArgumentParser
package import Bluetooth
import Bytes
package import CommandKit
import Firmware
package import Identity
import UpdateModel

/// The values that `info` read from one beacon.
package struct DeviceReport: Equatable, Sendable {
    let sighting: BeaconSighting
    let mtu: Int
    let link: LinkParameters
    let inventory: DeviceInventory
    /// The result of a session; nil for beacons without sessions.
    var session: Result<SessionReading, SessionFailure>?

    /// The characteristics of the Device Information Service (3.1 to 3.9), with their JSON members.
    static let deviceInformation: [(member: String, uuid: UInt16)] = [
        ("manufacturer", 0x2A29), ("model", 0x2A24), ("serial", 0x2A25), ("hardware", 0x2A27),
        ("firmware", 0x2A26), ("software", 0x2A28),
    ]

    var updates: [OfferedUpdate] { KnownVendors.updates(offeredBy: inventory) }

    /// How its maker updates it, if only the maker can; nil if it has an update service that this program supports.
    var vendorWay: String? { updates.isEmpty ? sighting.identity.maker?.vendorWay : nil }

    /// The features of such beacons that are missing here because their documentation is not public.
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
            members["settings"] = reading.application.settings.map {
                .object($0.values.mapValues(\.value))
            }
            return .object(members)
        }
    }
}

extension DeviceReading {
    private static let texts = [
        (0x1800, 0x2A00), (0x180A, 0x2A24), (0x180A, 0x2A25), (0x180A, 0x2A27), (0x180A, 0x2A26),
        (0x180A, 0x2A28),
    ].map { (service: UInt16, uuid: UInt16) in Characteristic(BluetoothUUID(service), BluetoothUUID(uuid)) }
    private static let batteryLevel = Characteristic(BluetoothUUID(0x180F), BluetoothUUID(0x2A19))

    package static let sources = texts + [batteryLevel]

    package init(_ values: [Characteristic: [UInt8]]) {
        self.init()
        let texts = Self.texts.map { values[$0].flatMap(Self.text) }
        (name, model, serial) = (texts[0], texts[1], texts[2])
        (hardware, firmware, software) = (texts[3], texts[4], texts[5])
        // In percent (Battery Service 1.1, 3.1); other values are invalid.
        battery = values[Self.batteryLevel]?.first.flatMap { $0 <= 100 ? Int($0) : nil }
    }

    /// The text in a value that may be padded with zeros, spaces or FF; nil for an empty text.
    private static func text(_ value: [UInt8]) -> String? {
        let text = String(decoding: value.prefix { $0 != 0 && $0 != 0xFF }, as: UTF8.self)
        let words = text.split(separator: " ").joined(separator: " ")
        return words.isEmpty ? nil : words
    }
}

/// A risk that `info` takes only if `--force` names it.
package enum LockRisk: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// The beacon may refuse every connection for a while afterwards.
    case lock = "lock-risk"

    /// The last version that locks itself.
    private static let lastVersion = VersionOrder("3.1")

    /// The time limit for reading `beacon`. Kontakt.io's beacons disconnect after 30 s, and only then refuse every connection.
    static func timeToRead(_ beacon: BeaconSighting) -> Duration {
        .seconds(beacon.identity.family == .kontakt ? 20 : 30)
    }

    /// Throws for a beacon that a connection could lock: Kontakt.io's up to 3.1 drop a client that writes no password
    /// for 30 s, and then refuse every connection for 20 minutes (beacon-frames.md, Limits).
    package static func check(_ beacon: BeaconSighting, allowing risks: [LockRisk]) throws(CommandFailure) {
        guard !risks.contains(.lock), isKontakt(beacon.identity) else { return }
        let version = beacon.version.flatMap { VersionOrder($0) }
        if let version, let lastVersion, version > lastVersion { return }
        throw CommandFailure(
            .command.wouldLockBeacon, during: "looking for the beacon",
            message:
                "\(beacon.address) is a Kontakt.io beacon with firmware \(beacon.version ?? "of an unknown version")"
        )
    }

    /// Recognised by its frames, including damaged ones.
    private static func isKontakt(_ identity: AdvertisedIdentity) -> Bool {
        identity.family == .kontakt || identity.flaws.contains { $0.frame.family == .kontakt }
    }
}
