/// JSON messages (kbeacon.md, Messages).
extension KBeaconSession {
    /// Carries out a message; returns the text of the response, empty if there is none, nil to send nothing at all.
    mutating func message(_ text: [UInt8], at now: Duration) throws(KBeaconRefusal) -> [UInt8]? {
        if KBeaconMessage.hasSpacesOrEscapes(text) { statistics.note(.spacesOrEscapes) }
        guard let members = KBeaconMessage.members(of: text) else { throw KBeaconRefusal(.notUnderstood) }
        guard let word = members["msg"] else { throw KBeaconRefusal(.parameterMissing) }
        switch (word.text, description.generation) {
        case ("getPara", .first):
            guard members["stype"] != nil || members["type"] == nil || description.foreignRead == .refusal
            else { return nil }
            return KBeaconMessage.text(of: try readFirst(members))
        case ("getPara", .second): return KBeaconMessage.text(of: try readSecond(members))
        case ("cfg", .first): try configureFirst(members)
        case ("cfg", .second): try configureSecond(members)
        case ("ring", _): try ring(members, at: now)
        case ("reset", .first): resetAtEnd()
        case ("admin", .second):
            switch members["stype"]?.text {
            case "reset": resetAtEnd()
            case "pwroff": memory.isOff = true
            case nil: throw KBeaconRefusal(.parameterMissing)
            default: throw KBeaconRefusal(.parameterInvalid)
            }
        default: throw KBeaconRefusal(.messageUnknown)
        }
        return []
    }

    private mutating func resetAtEnd() {
        memory.resetsAtEnd = true
        memory.newPassword = nil
    }
}

extension [String: KBeaconValue] {
    /// The required integer at `key`.
    func number(_ key: String) throws(KBeaconRefusal) -> Int {
        guard let value = self[key] else { throw KBeaconRefusal(.parameterMissing) }
        guard let number = value.number else { throw KBeaconRefusal(.parameterInvalid) }
        return number
    }

    /// The optional integer at `key`, in `range`.
    func optional(_ key: String, in range: ClosedRange<Int>) throws(KBeaconRefusal) -> Int? {
        guard self[key] != nil else { return nil }
        let number = try number(key)
        guard range.contains(number) else { throw KBeaconRefusal(.parameterInvalid) }
        return number
    }
}
