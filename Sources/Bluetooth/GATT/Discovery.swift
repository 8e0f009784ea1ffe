import Bytes

/// Discovery. The results are kept only for this link: the bootloader has other handles than the application.
extension ATTClient {
    private static let primaryService: UInt16 = 0x2800
    private static let characteristicDeclaration: UInt16 = 0x2803
    private static let clientConfiguration = BluetoothUUID(0x2902)
    /// The maximum number of services, of characteristics of one service and of descriptors of one characteristic that
    /// are listed; no device has as many. Limits memory and time if a peer declares up to 65535.
    static let mostEntries = 1024

    /// Every primary service (Vol 3, Part G, 4.4.1).
    public func discoverServices() async throws(GATTError) -> [ServiceDeclaration] {
        if let services { return services }
        var found: [ServiceDeclaration] = []
        try await sweep(1...UInt16.max, "listing services") {
            .readByGroupType(Self.primaryService, in: $0)
        } taking: { groups in
            found += groups.compactMap { group in
                BluetoothUUID(wire: group.value).map {
                    ServiceDeclaration(uuid: $0, handles: group.first...group.last)
                }
            }
            return found.count < Self.mostEntries
        }
        services = found
        return found
    }

    /// The characteristics of the first service with the UUID `service` (Vol 3, Part G, 4.6.1); empty if there is none.
    package func discoverCharacteristics(
        of service: BluetoothUUID
    ) async throws(GATTError) -> [CharacteristicDeclaration] {
        if let known = characteristics[service] { return known }
        guard let place = try await discoverServices().first(where: { $0.uuid == service }) else { return [] }
        let found = try await discoverCharacteristics(in: place)
        characteristics[service] = found
        return found
    }

    /// The characteristics in the handle range of `service`: a peer may have several services with the same UUID.
    public func discoverCharacteristics(
        in service: ServiceDeclaration
    ) async throws(GATTError) -> [CharacteristicDeclaration] {
        var values: [AttributeEntry] = []
        try await sweep(service.handles, "listing characteristics") {
            .readByType(Self.characteristicDeclaration, in: $0)
        } taking: { batch in
            values += batch
            return values.count < Self.mostEntries
        }
        let ends = values.dropFirst().map { $0.first - 1 } + [service.handles.upperBound]
        return zip(values, ends).compactMap { value, end in
            CharacteristicDeclaration(value.value, in: service.uuid, endingAt: end)
        }
    }

    /// The descriptors of a characteristic, in the order of their handles (Vol 3, Part G, 4.7.1).
    public func discoverDescriptors(
        of declaration: CharacteristicDeclaration
    ) async throws(GATTError) -> [DescriptorDeclaration] {
        var found: [DescriptorDeclaration] = []
        try await sweepDescriptors(of: declaration) { batch in
            found += batch
            return found.count < Self.mostEntries
        }
        return found
    }

    /// The handle of the descriptor that turns notifications on; nil if the characteristic has none.
    func configurationHandle(of declaration: CharacteristicDeclaration) async throws(GATTError) -> UInt16? {
        var result: UInt16?
        try await sweepDescriptors(of: declaration) { batch in
            result = batch.first { $0.uuid == Self.clientConfiguration }?.handle
            return result == nil
        }
        return result
    }

    private func sweepDescriptors(
        of declaration: CharacteristicDeclaration, _ take: ([DescriptorDeclaration]) -> Bool
    ) async throws(GATTError) {
        guard declaration.valueHandle < declaration.endHandle else { return }
        let handles = declaration.valueHandle + 1...declaration.endHandle
        try await sweep(handles, "listing descriptors") {
            .findInformation(in: $0)
        } taking: { batch in
            take(
                batch.compactMap { entry in
                    BluetoothUUID(wire: entry.value).map {
                        DescriptorDeclaration(uuid: $0, handle: entry.first)
                    }
                })
        }
    }

    func declaration(of wanted: Characteristic) async throws(GATTError) -> CharacteristicDeclaration {
        let all = try await discoverCharacteristics(of: wanted.service)
        guard let found = all.first(where: { $0.characteristic == wanted }) else { throw .missing(wanted) }
        return found
    }

    /// Drops the entries that are not in `range` or not in ascending order, which the specification requires (Vol 3,
    /// Part F, 3.4.3.2, 3.4.4.2 and 3.4.4.10). Returns the last handle of the other entries, nil if there are none.
    ///
    /// A whole discovery never keeps more entries than there are handles, whatever the peer sends.
    private static func keepOrdered(
        _ entries: inout [AttributeEntry], in range: ClosedRange<UInt16>
    ) -> UInt16? {
        var covered: UInt16?
        entries.removeAll { entry in
            let comesForward = covered.map { entry.first > $0 } ?? (entry.first >= range.lowerBound)
            guard comesForward, entry.first <= entry.last, entry.last <= range.upperBound else { return true }
            covered = entry.last
            return false
        }
        return covered
    }

    /// Repeats `request` over the rest of `handles` until the peer has no more, or `take` returns false.
    ///
    /// An answer without any higher handle ends the sweep too; otherwise a faulty peer could keep it running.
    private func sweep(
        _ handles: ClosedRange<UInt16>, _ step: String,
        _ request: (ClosedRange<UInt16>) -> ATTRequest<[AttributeEntry]>,
        taking take: ([AttributeEntry]) -> Bool
    ) async throws(GATTError) {
        var next = handles.lowerBound
        while true {
            do throws(GATTError) {
                let range = next...handles.upperBound
                var batch = try await perform(request(range), step)
                let last = Self.keepOrdered(&batch, in: range)
                guard take(batch), let last, last < handles.upperBound else { return }
                next = last + 1
            } catch {
                if case .refused(.attributeNotFound, _, _) = error { return }
                throw error
            }
        }
    }
}

/// A characteristic as the peripheral declares it.
public struct CharacteristicDeclaration: Equatable, Sendable {
    /// The operations on the value (Vol 3, Part G, 3.3.1.1).
    package struct Properties: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let broadcast = Properties(rawValue: 0x01)
        package static let read = Properties(rawValue: 0x02)
        static let writeWithoutResponse = Properties(rawValue: 0x04)
        package static let write = Properties(rawValue: 0x08)
        package static let notify = Properties(rawValue: 0x10)
        package static let indicate = Properties(rawValue: 0x20)
        package static let extended = Properties(rawValue: 0x80)
    }

    package let characteristic: Characteristic
    package let properties: Properties
    package let valueHandle: UInt16
    /// The last handle that can belong to the characteristic.
    let endHandle: UInt16
}

/// A primary service and the range of its handles.
public struct ServiceDeclaration: Equatable, Sendable {
    package let uuid: BluetoothUUID
    package let handles: ClosedRange<UInt16>

    package init(uuid: BluetoothUUID, handles: ClosedRange<UInt16>) {
        (self.uuid, self.handles) = (uuid, handles)
    }
}

public struct DescriptorDeclaration: Equatable, Sendable {
    package let uuid: BluetoothUUID
    package let handle: UInt16
}

extension CharacteristicDeclaration {
    ///     0  1  properties
    ///     1  2  handle of the value
    ///     3  n  UUID (2 or 16)
    init?(_ value: [UInt8], in service: BluetoothUUID, endingAt end: UInt16) {
        var reader = ByteReader(value)
        guard let properties: UInt8 = try? reader.integer("properties"),
            let handle: UInt16 = try? reader.integer("value handle"),
            let uuid = BluetoothUUID(wire: reader.remainder())
        else { return nil }
        self.init(
            characteristic: Characteristic(service, uuid), properties: Properties(rawValue: properties),
            valueHandle: handle, endHandle: max(end, handle))
    }
}
