/// `cfg`, which is applied as a whole or not at all (kbeacon.md, Messages, Common parameters, Other parameters).
extension KBeaconSession {
    mutating func configureFirst(_ members: [String: KBeaconValue]) throws(KBeaconRefusal) {
        let mask = try members.number("stype")
        let keys = members.filter { $0.key != "msg" && $0.key != "stype" }
        var settings = memory.settings
        if mask == FirstParameters.trigger {
            let type = try keys.number("trType")
            guard description.has(trigger: type) else { throw KBeaconRefusal(.triggerMissing) }
            try set(keys, of: FirstParameters.triggerParameters, id: "trType", in: &settings.triggers[type])
        } else {
            let groups = FirstParameters.groups(description.powers).filter { mask & $0.mask != 0 }
            try setValues(keys, of: groups.flatMap(\.parameters), in: &settings)
        }
        memory.settings = settings
    }

    mutating func configureSecond(_ members: [String: KBeaconValue]) throws(KBeaconRefusal) {
        let objects = ["advObj", "trObj", "srObj"]
        let keys = members.filter { $0.key != "msg" && !objects.contains($0.key) }
        guard members.count > 1 else { throw KBeaconRefusal(.parameterMissing) }
        var settings = memory.settings
        for object in try Self.objects(members["advObj"]) { try setAdvert(object, in: &settings) }
        for object in try Self.objects(members["trObj"]) { try setTrigger(object, in: &settings) }
        for object in try Self.objects(members["srObj"]) {
            let type = try object.number("srType")
            guard description.has(sensor: type) else { throw KBeaconRefusal(.sensorMissing) }
            try set(object, of: SecondParameters.sensor(type), id: "srType", in: &settings.sensors[type])
        }
        // Last: a password is only set if everything else was.
        if !keys.isEmpty { try setValues(keys, of: SecondParameters.commonParameters, in: &settings) }
        memory.settings = settings
    }

    private static func objects(
        _ value: KBeaconValue?
    ) throws(KBeaconRefusal) -> [[String: KBeaconValue]] {
        guard let value else { return [] }
        guard let objects = value.objects, !objects.isEmpty else { throw KBeaconRefusal(.parameterInvalid) }
        return objects
    }

    private mutating func setValues(
        _ keys: [String: KBeaconValue], of parameters: [KBeaconParameter], in settings: inout KBeaconSettings
    ) throws(KBeaconRefusal) {
        guard !keys.isEmpty else { throw KBeaconRefusal(.parameterMissing) }
        var password: String?
        for (key, value) in keys {
            let parameter = parameters.first { $0.key == key }
            guard parameter?.takes(value) ?? (settings.values[key] != nil && !isOwn(key)) else {
                throw KBeaconRefusal(.parameterInvalid)
            }
            if parameter?.isPassword == true {
                password = value.text
            } else {
                if settings.values[key] == value { statistics.note(.unchangedParameter) }
                settings.values[key] = value
            }
        }
        if let password {
            memory.newPassword = faults.garblesPassword ? String(password.reversed()) : password
        }
    }

    /// Whether a parameter is one that all beacons have, in any message.
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
    ) throws(KBeaconRefusal) {
        guard keys.count > 1 else { throw KBeaconRefusal(.parameterMissing) }
        for (key, value) in keys {
            let parameter = parameters.first { $0.key == key }
            guard parameter?.takes(value) ?? (object?[key] != nil) else {
                throw KBeaconRefusal(.parameterInvalid)
            }
            if key != id, object?[key] == value { statistics.note(.unchangedParameter) }
        }
        object = (object ?? [:]).merging(keys) { $1 }
    }

    private mutating func setAdvert(
        _ keys: [String: KBeaconValue], in settings: inout KBeaconSettings
    ) throws(KBeaconRefusal) {
        let slot = try keys.number("slot")
        guard (0..<description.slots).contains(slot) else { throw KBeaconRefusal(.slotMissing) }
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
            guard type == 0 || description.can(7 + type) else { throw KBeaconRefusal(.featureMissing) }
            if type == 0, isInUse { throw KBeaconRefusal(.slotInUse) }
            let others = settings.adverts.filter { $0.key != slot && $0.value["type"] == .number(type) }
            if SecondParameters.singleAdverts.contains(type), !others.isEmpty {
                throw KBeaconRefusal(.advertTwice)
            }
        }
        if let mode = keys["mode"]?.number, let bit = SecondParameters.modeBits[mode], !description.can(bit) {
            throw KBeaconRefusal(.featureMissing)
        }
    }

    private mutating func setTrigger(
        _ keys: [String: KBeaconValue], in settings: inout KBeaconSettings
    ) throws(KBeaconRefusal) {
        let index = try keys.number("trIdx")
        guard (0..<description.triggers).contains(index) else { throw KBeaconRefusal(.parameterInvalid) }
        let ofType = (keys["trType"] ?? settings.triggers[index]?["trType"])?.number ?? 0
        let parameters = SecondParameters.trigger(
            ofType, description.powers, description.triggers, description.slots)
        try set(keys, of: parameters, id: "trIdx", in: &settings.triggers[index])
        guard let type = settings.triggers[index]?["trType"]?.number else {
            throw KBeaconRefusal(.parameterMissing)
        }
        guard description.has(trigger: type) else { throw KBeaconRefusal(.triggerMissing) }
        let others = settings.triggers.filter { $0.key != index && $0.value["trType"] == .number(type) }
        guard others.isEmpty else { throw KBeaconRefusal(.triggerTwice) }
        if let slot = keys["slot"]?.number, settings.adverts[slot] == nil {
            throw KBeaconRefusal(.slotMissing)
        }
    }
}
