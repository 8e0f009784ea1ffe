import Bluetooth
import Bytes

extension AttributeServer {
    mutating func write(_ reader: inout ByteReader) throws(AttributeRefusal) -> Event? {
        let attribute = try attribute(try Self.word(&reader))
        let value = Array(reader.remainder())
        switch attribute.role {
        case .configuration(let uuid):
            try checkEncryption(of: uuid, at: attribute.handle)
            guard value.count == 2 else { throw AttributeRefusal(.invalidLength, at: attribute.handle) }
            let bits = UInt16(value[0]) | UInt16(value[1]) << 8
            configurations[uuid] = bits
            if bits & ~permittedBits(of: uuid) != 0 { brokenRule = .subscriptionNotOffered }
            lastAct = .subscribed(uuid, bits: bits)
            return nil
        case .value(let entry) where entry.isForbidden:
            throw AttributeRefusal(.insufficientAuthorization, at: attribute.handle)
        case .value(let entry) where entry.properties.contains(.write):
            try checkEncryption(of: entry.uuid, at: attribute.handle)
            guard value.count <= entry.maximumLength else {
                throw AttributeRefusal(.invalidLength, at: attribute.handle)
            }
            guard isReady(entry) else { throw AttributeRefusal(.configurationImproper, at: attribute.handle) }
            return .written(value, to: entry.uuid)
        case .service, .declaration, .value: throw AttributeRefusal(.writeNotPermitted, at: attribute.handle)
        }
    }

    /// The configuration bits that a client may set: 1 for notifications, 2 for indications.
    private func permittedBits(of uuid: BluetoothUUID) -> UInt16 {
        let properties = entry(of: uuid)?.properties ?? []
        return (properties.contains(.notify) ? 1 : 0) | (properties.contains(.indicate) ? 2 : 0)
    }

    private func entry(of uuid: BluetoothUUID) -> AttributeTable.Entry? {
        for case .value(let entry) in attributes.map(\.role) where entry.uuid == uuid { return entry }
        return nil
    }

    private func isReady(_ entry: AttributeTable.Entry) -> Bool {
        !entry.needsSubscription || isSubscribed(to: entry.uuid)
    }

    /// Checks for security mode 1, level 2 (Core, Vol 3, Part C, 10.2.1).
    private func checkEncryption(of uuid: BluetoothUUID, at handle: UInt16) throws(AttributeRefusal) {
        guard isEncrypted || entry(of: uuid)?.needsEncryption != true else {
            throw AttributeRefusal(.insufficientAuthentication, at: handle)
        }
    }

    /// Processes a Write Command, which is never answered: one that is not allowed is ignored.
    mutating func command(_ reader: inout ByteReader) -> Event? {
        guard let handle = try? reader.integer("handle", as: UInt16.self),
            let attribute = try? attribute(handle), case .value(let entry) = attribute.role
        else { return ignore(.invalidHandle) }
        let takesCommands = entry.properties.contains(.writeCommand)
        guard takesCommands || entry.takesCommands else { return ignore(.commandNotPermitted) }
        guard takesCommands || isReady(entry) else { return ignore(.writeBeforeSubscription) }
        guard isEncrypted || !entry.needsEncryption, !entry.isForbidden else { return nil }
        guard reader.remaining <= entry.maximumLength else { return ignore(.valueOfWrongLength) }
        return .commanded(Array(reader.remainder()), to: entry.uuid)
    }

    private mutating func ignore(_ rule: AttributeRule) -> Event? {
        brokenRule = rule
        return nil
    }
}
