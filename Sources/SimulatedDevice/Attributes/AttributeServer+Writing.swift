import BluetoothTypes
import ByteCoding

extension AttributeServer {
    mutating func write(_ reader: inout ByteReader) throws(AttributeFlaw) -> Event? {
        let attribute = try attribute(try Self.word(&reader))
        let value = Array(reader.remainder())
        switch attribute.role {
        case .configuration(let uuid):
            try checkEncryption(of: uuid, at: attribute.handle)
            guard value.count == 2 else {
                throw AttributeFlaw(AttributeFlaw.invalidLength, at: attribute.handle)
            }
            configurations[uuid] = UInt16(value[0]) | UInt16(value[1]) << 8
            return nil
        case .value(let entry) where entry.isForbidden:
            throw AttributeFlaw(AttributeFlaw.insufficientAuthorization, at: attribute.handle)
        case .value(let entry) where entry.properties.contains(.write):
            try checkEncryption(of: entry.uuid, at: attribute.handle)
            guard value.count <= entry.maximumLength else {
                throw AttributeFlaw(AttributeFlaw.invalidLength, at: attribute.handle)
            }
            guard isReady(entry) else {
                throw AttributeFlaw(AttributeFlaw.configurationImproper, at: attribute.handle)
            }
            return .written(value, to: entry.uuid)
        case .service, .declaration, .value:
            throw AttributeFlaw(AttributeFlaw.writeNotPermitted, at: attribute.handle)
        }
    }

    private func isReady(_ entry: AttributeTable.Entry) -> Bool {
        !entry.needsSubscription || configurations[entry.uuid, default: 0] & 3 != 0
    }

    /// Security mode 1, level 2 (Core, Vol 3, Part C, 10.2.1).
    private func checkEncryption(of uuid: BluetoothUUID, at handle: UInt16) throws(AttributeFlaw) {
        guard isEncrypted || !needsEncryption(uuid) else {
            throw AttributeFlaw(AttributeFlaw.insufficientAuthentication, at: handle)
        }
    }

    private func needsEncryption(_ uuid: BluetoothUUID) -> Bool {
        attributes.contains {
            if case .value(let entry) = $0.role { entry.uuid == uuid && entry.needsEncryption } else { false }
        }
    }

    /// A command is never answered: one that is not allowed is as if it had not come.
    func command(_ reader: inout ByteReader) -> Event? {
        guard let handle = try? reader.integer("handle", as: UInt16.self),
            let attribute = try? attribute(handle), case .value(let entry) = attribute.role,
            entry.properties.contains(.writeCommand) || (entry.takesCommands && isReady(entry)),
            isEncrypted || !entry.needsEncryption, !entry.isForbidden, reader.remaining <= entry.maximumLength
        else { return nil }
        return .commanded(Array(reader.remainder()), to: entry.uuid)
    }
}

extension AttributeServer.Event {
    /// What was written to which characteristic.
    var write: (value: [UInt8], to: BluetoothUUID)? {
        switch self {
        case .written(let value, let uuid), .commanded(let value, let uuid): (value, uuid)
        case .confirmed: nil
        }
    }
}
