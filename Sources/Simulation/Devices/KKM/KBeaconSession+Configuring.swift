/// `cfg`, which is applied as a whole or not at all (kbeacon.md, Messages, Common parameters, Other parameters).
extension KBeaconSession {
    mutating func configureFirst(_ members: [String: KBeaconValue]) throws(KBeaconCause) {
        let mask = try members.number("stype")
        let keys = members.filter { $0.key != "msg" && $0.key != "stype" }
        var settings = memory.settings
        if mask == FirstParameters.trigger {
            let type = try keys.number("trType")
            guard description.has(trigger: type) else { throw .triggerMissing }
            try set(keys, of: FirstParameters.triggerParameters, id: "trType", in: &settings.triggers[type])
        } else {
            let groups = FirstParameters.groups(description.powers).filter { mask & $0.mask != 0 }
            try setValues(keys, of: groups.flatMap(\.parameters), in: &settings)
        }
        memory.settings = settings
    }

    mutating func configureSecond(_ members: [String: KBeaconValue]) throws(KBeaconCause) {
        let objects = ["advObj", "trObj", "srObj"]
        let keys = members.filter { $0.key != "msg" && !objects.contains($0.key) }
        guard members.count > 1 else { throw .parameterMissing }
        var settings = memory.settings
        for object in try Self.objects(members["advObj"]) { try setAdvert(object, in: &settings) }
        for object in try Self.objects(members["trObj"]) { try setTrigger(object, in: &settings) }
        for object in try Self.objects(members["srObj"]) {
            let type = try object.number("srType")
            guard description.has(sensor: type) else { throw .sensorMissing }
            try set(object, of: SecondParameters.sensor(type), id: "srType", in: &settings.sensors[type])
        }
        // Comes last, so that a password is set only if everything else is valid.
        if !keys.isEmpty { try setValues(keys, of: SecondParameters.commonParameters, in: &settings) }
        memory.settings = settings
    }

    private static func objects(_ value: KBeaconValue?) throws(KBeaconCause) -> [[String: KBeaconValue]] {
        guard let value else { return [] }
        guard let objects = value.objects, !objects.isEmpty else { throw .parameterInvalid }
        return objects
    }

    private mutating func setValues(
        _ keys: [String: KBeaconValue], of parameters: [KBeaconParameter], in settings: inout KBeaconSettings
    ) throws(KBeaconCause) {
        guard !keys.isEmpty else { throw .parameterMissing }
        var password: String?
        for (key, value) in keys {
            let parameter = parameters.first { $0.key == key }
            guard parameter?.takes(value) ?? (settings.values[key] != nil && !isOwn(key)) else {
                throw .parameterInvalid
            }
            if parameter?.isPassword == true {
                password = value.text
            } else {
                if settings.values[key] == value { statistics.note(.unchangedParameter) }
                settings.values[key] = value
            }
        }
        if let password {
            memory.newPassword = faults.has(.garblePassword) ? String(password.reversed()) : password
        }
    }

    private func isOwn(_ key: String) -> Bool {
        let groups = FirstParameters.groups(description.powers).flatMap(\.parameters)
        return (description.generation == .first ? groups : SecondParameters.commonParameters)
            .contains { $0.key == key }
    }

    /// Sets the values in `keys` of an object; `id` is the key that identifies it. Parameters that only this beacon has
    /// accept any value.
    private mutating func set(
        _ keys: [String: KBeaconValue], of parameters: [KBeaconParameter], id: String,
        in object: inout [String: KBeaconValue]?
    ) throws(KBeaconCause) {
        guard keys.count > 1 else { throw .parameterMissing }
        for (key, value) in keys {
            let parameter = parameters.first { $0.key == key }
            guard parameter?.takes(value) ?? (object?[key] != nil) else { throw .parameterInvalid }
            if key != id, object?[key] == value { statistics.note(.unchangedParameter) }
        }
        object = (object ?? [:]).merging(keys) { $1 }
    }

    private mutating func setAdvert(
        _ keys: [String: KBeaconValue], in settings: inout KBeaconSettings
    ) throws(KBeaconCause) {
        let slot = try keys.number("slot")
        guard (0..<description.slots).contains(slot) else { throw .slotMissing }
        let parameters = SecondParameters.advert(description.powers, description.slots)
        let old = settings.adverts[slot]?["type"]
        try set(keys, of: parameters, id: "slot", in: &settings.adverts[slot])
        if let type = keys["type"], type != old, let number = type.number {
            settings.adverts[slot]?.merge(SecondParameters.advert(number)) { own, _ in own }
        }
        let isInUse = settings.triggers.values.contains {
            $0["slot"] == .number(slot) && $0["trAct"]?.number ?? 0 != 0
        }
        if let type = keys["type"]?.number {
            guard type == 0 || description.can(7 + type) else { throw .featureMissing }
            if type == 0, isInUse { throw .slotInUse }
            let others = settings.adverts.filter { $0.key != slot && $0.value["type"] == .number(type) }
            if SecondParameters.singleAdverts.contains(type), !others.isEmpty { throw .advertTwice }
        }
        if let mode = keys["mode"]?.number, let bit = SecondParameters.modeBits[mode], !description.can(bit) {
            throw .featureMissing
        }
    }

    private mutating func setTrigger(
        _ keys: [String: KBeaconValue], in settings: inout KBeaconSettings
    ) throws(KBeaconCause) {
        let index = try keys.number("trIdx")
        guard (0..<description.triggers).contains(index) else { throw .parameterInvalid }
        let ofType = (keys["trType"] ?? settings.triggers[index]?["trType"])?.number ?? 0
        let parameters = SecondParameters.trigger(
            ofType, description.powers, description.triggers, description.slots)
        try set(keys, of: parameters, id: "trIdx", in: &settings.triggers[index])
        guard let type = settings.triggers[index]?["trType"]?.number else { throw .parameterMissing }
        guard description.has(trigger: type) else { throw .triggerMissing }
        let others = settings.triggers.filter { $0.key != index && $0.value["trType"] == .number(type) }
        guard others.isEmpty else { throw .triggerTwice }
        if let slot = keys["slot"]?.number, settings.adverts[slot] == nil { throw .slotMissing }
    }
}

/// JSON messages (kbeacon.md, Messages).
extension KBeaconSession {
    /// Carries out a message; returns the text of the response: empty for only an acknowledgement, nil for nothing.
    mutating func message(_ text: [UInt8], at now: Duration) throws(KBeaconCause) -> [UInt8]? {
        if KBeaconMessage.hasSpacesOrEscapes(text) { statistics.note(.spacesOrEscapes) }
        guard let members = KBeaconMessage.members(of: text) else { throw .notUnderstood }
        guard let word = members["msg"] else { throw .parameterMissing }
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
            case nil: throw .parameterMissing
            default: throw .parameterInvalid
            }
        default: throw .messageUnknown
        }
        return []
    }

    private mutating func resetAtEnd() {
        memory.resetsAtEnd = true
        memory.newPassword = nil
    }
}

extension [String: KBeaconValue] {
    func number(_ key: String) throws(KBeaconCause) -> Int {
        guard let value = self[key] else { throw .parameterMissing }
        guard let number = value.number else { throw .parameterInvalid }
        return number
    }

    func optional(_ key: String, in range: ClosedRange<Int>) throws(KBeaconCause) -> Int? {
        guard self[key] != nil else { return nil }
        let number = try number(key)
        guard range.contains(number) else { throw .parameterInvalid }
        return number
    }
}

/// `getPara` (kbeacon.md, Messages, Common parameters).
extension KBeaconSession {
    typealias Members = [(key: String, value: KBeaconValue)]

    /// The identity, with the keys of both generations.
    private var identity: [String: KBeaconValue] {
        [
            "modle": .text(description.model), "model": .text(description.model), "ver": .text(versionText),
            "hver": .text(description.hardware), "btPt": .number(Int(description.battery)),
            "id": serial, "bCap": .number(Int(description.capabilities)),
            "trCap": .number(Int(clamping: description.triggerCapabilities)),
            "minPwr": .number(description.powers.lowerBound),
            "maxPwr": .number(description.powers.upperBound),
            "maxPrd": .number(SecondParameters.longestPeriod), "maxSlot": .number(description.slots),
            "maxTg": .number(description.triggers),
        ].compactMapValues(\.self)
    }

    /// A number if possible: KKM's applications accept nothing else.
    private var serial: KBeaconValue? {
        description.serial.map { text in Int32(text).map { .number(Int($0)) } ?? .text(text) }
    }

    private func values(_ parameters: [KBeaconParameter]) -> Members {
        let identity = identity
        return parameters.compactMap { parameter in
            let value = identity[parameter.key] ?? memory.settings.values[parameter.key]
            return parameter.isPassword ? nil : value.map { (parameter.key, $0) }
        }
    }

    /// The top-level parameters that only this beacon has.
    private func others(than parameters: [KBeaconParameter]) -> Members {
        let known = Set(parameters.map(\.key))
        return memory.settings.values.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    func readFirst(_ members: [String: KBeaconValue]) throws(KBeaconCause) -> Members {
        let mask = try members.number("stype")
        let groups = FirstParameters.groups(description.powers)
        let known = groups.reduce(FirstParameters.trigger) { $0 | $1.mask }
        guard mask > 0, mask & ~known == 0 else { throw .parameterInvalid }
        var answer = groups.filter { mask & $0.mask != 0 }.flatMap { values($0.parameters) }
        if mask & FirstParameters.common != 0 { answer += others(than: groups.flatMap(\.parameters)) }
        if mask & FirstParameters.trigger != 0 {
            let type = try members.number("trType")
            guard description.has(trigger: type), let trigger = memory.settings.triggers[type] else {
                throw .triggerMissing
            }
            answer.append(("trObj", .list([.object(trigger)])))
        }
        return answer
    }

    func readSecond(_ members: [String: KBeaconValue]) throws(KBeaconCause) -> Members {
        // The key of the first generation is refused.
        guard members["stype"] == nil else { throw .parameterInvalid }
        let mask = try members.number("type")
        guard (1...15).contains(mask), mask.nonzeroBitCount <= 2 else { throw .parameterInvalid }
        let common = SecondParameters.commonParameters
        var answer = mask & SecondParameters.common != 0 ? values(common) + others(than: common) : []
        let settings = memory.settings
        if mask & SecondParameters.adverts != 0 {
            let adverts = try Self.chosen(settings.adverts, members["slot"], .slotMissing)
            answer.append(("advObj", .list(adverts)))
        }
        if mask & SecondParameters.triggers != 0 {
            if let type = try members.optional("trType", in: 1...64), !description.has(trigger: type) {
                throw .triggerMissing
            }
            let wanted = settings.triggers.filter {
                members["trType"] == nil || $0.value["trType"] == members["trType"]
            }
            answer.append(("trObj", .list(try Self.chosen(wanted, nil, .triggerMissing))))
        }
        if mask & SecondParameters.sensors != 0 {
            let sensors = try Self.chosen(settings.sensors, members["srType"], .sensorMissing)
            answer.append(("srObj", .list(sensors)))
        }
        return answer
    }

    /// All objects in numerical order, or only the one with `number`.
    private static func chosen(
        _ objects: [Int: [String: KBeaconValue]], _ number: KBeaconValue?, _ cause: KBeaconCause
    ) throws(KBeaconCause) -> [KBeaconValue] {
        guard let number else { return objects.sorted { $0.key < $1.key }.map { .object($0.value) } }
        guard let number = number.number else { throw .parameterInvalid }
        guard let object = objects[number] else { throw cause }
        return [.object(object)]
    }
}
