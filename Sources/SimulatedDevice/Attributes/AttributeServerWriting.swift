import ByteCoding

extension AttributeServer {
    mutating func write(_ reader: inout ByteReader) throws(AttributeFlaw) -> Event? {
        let attribute = try attribute(try Self.word(&reader))
        let value = Array(reader.remainder())
        switch attribute.role {
        case .configuration(let uuid):
            guard value.count == 2 else {
                throw AttributeFlaw(AttributeFlaw.invalidLength, at: attribute.handle)
            }
            configurations[uuid] = UInt16(value[0]) | UInt16(value[1]) << 8
            return nil
        case .value(let entry) where entry.properties.contains(.write):
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

    /// A command is never answered: one that is not allowed is as if it had not come.
    func command(_ reader: inout ByteReader) -> Event? {
        guard let handle = try? reader.integer("handle", as: UInt16.self),
            let attribute = try? attribute(handle), case .value(let entry) = attribute.role,
            entry.properties.contains(.writeCommand) || (entry.takesCommands && isReady(entry)),
            reader.remaining <= entry.maximumLength
        else { return nil }
        return .commanded(Array(reader.remainder()), to: entry.uuid)
    }
}
