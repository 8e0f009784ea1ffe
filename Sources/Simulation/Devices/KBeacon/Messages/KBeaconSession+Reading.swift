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

    func readFirst(_ members: [String: KBeaconValue]) throws(KBeaconRefusal) -> Members {
        let mask = try members.number("stype")
        let groups = FirstParameters.groups(description.powers)
        let known = groups.reduce(FirstParameters.trigger) { $0 | $1.mask }
        guard mask > 0, mask & ~known == 0 else { throw KBeaconRefusal(.parameterInvalid) }
        var answer = groups.filter { mask & $0.mask != 0 }.flatMap { values($0.parameters) }
        if mask & FirstParameters.common != 0 { answer += others(than: groups.flatMap(\.parameters)) }
        if mask & FirstParameters.trigger != 0 {
            let type = try members.number("trType")
            guard description.has(trigger: type), let trigger = memory.settings.triggers[type] else {
                throw KBeaconRefusal(.triggerMissing)
            }
            answer.append(("trObj", .list([.object(trigger)])))
        }
        return answer
    }

    func readSecond(_ members: [String: KBeaconValue]) throws(KBeaconRefusal) -> Members {
        // The key of the first generation is refused.
        guard members["stype"] == nil else { throw KBeaconRefusal(.parameterInvalid) }
        let mask = try members.number("type")
        guard (1...15).contains(mask), mask.nonzeroBitCount <= 2 else {
            throw KBeaconRefusal(.parameterInvalid)
        }
        let common = SecondParameters.commonParameters
        var answer = mask & SecondParameters.common != 0 ? values(common) + others(than: common) : []
        let settings = memory.settings
        if mask & SecondParameters.adverts != 0 {
            let adverts = try Self.chosen(settings.adverts, members["slot"], .slotMissing)
            answer.append(("advObj", .list(adverts)))
        }
        if mask & SecondParameters.triggers != 0 {
            if let type = try members.optional("trType", in: 1...64), !description.has(trigger: type) {
                throw KBeaconRefusal(.triggerMissing)
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
    ) throws(KBeaconRefusal) -> [KBeaconValue] {
        guard let number else { return objects.sorted { $0.key < $1.key }.map { .object($0.value) } }
        guard let number = number.number else { throw KBeaconRefusal(.parameterInvalid) }
        guard let object = objects[number] else { throw KBeaconRefusal(cause) }
        return [.object(object)]
    }
}
