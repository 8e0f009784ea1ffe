import Bytes

extension KBeaconDescription {
    /// The keys of `session`.
    static let keys =
        [
            "model", "version", "updated_version", "hardware", "serial", "capabilities",
            "trigger_capabilities", "slots", "triggers", "password", "factory_name", "settings",
            "keeps_settings",
            "buttonless_needs_session", "buttonless_refuses_session", "seed", "foreign_read", "busy_commands",
            "accepts_impossible_beeps", "fills_system_id", "history", "events",
        ] + KBeaconHandshakeStyle.keys + KBeaconAnswerStyle.keys

    /// Reads the session in `file` of a beacon that advertises as `advertiser`.
    init(_ file: YAMLValue?, _ advertiser: KKMAdvertiser) throws(YAMLProblem) {
        self.init(advertiser.generation == 1 ? .first : .second)
        version = "V\(advertiser.version.text)"
        battery = advertiser.battery
        guard let file else { return }
        let values = try file.values(of: Self.keys)
        try readIdentity(values)
        settings = try values["settings"].map { (value) throws(YAMLProblem) in
            guard case .members(let members) = try JSONTree(value) else {
                throw value.problem("a mapping with the keys of the beacon's messages is expected here")
            }
            return JSONTree.members(members).json
        }
        keepsSettings = try values["keeps_settings"]?.truth() ?? keepsSettings
        buttonlessNeedsSession =
            try values["buttonless_needs_session"]?.truth() ?? buttonlessNeedsSession
        buttonlessRefusesSession =
            try values["buttonless_refuses_session"]?.truth() ?? buttonlessRefusesSession
        seed = try values["seed"]?.number() ?? seed
        foreignRead = try values["foreign_read"]?.choice(of: ForeignRead.allCases.named) ?? foreignRead
        busyCommands = try values["busy_commands"]?.number(in: 0...1000) ?? busyCommands
        acceptsImpossibleBeeps =
            try values["accepts_impossible_beeps"]?.truth() ?? acceptsImpossibleBeeps
        fillsSystemID = try values["fills_system_id"]?.truth() ?? fillsSystemID
        try handshake.read(values)
        try answers.read(values)
        for value in try values["history"]?.list() ?? [] { history.append(try KBeaconHistory(value)) }
        for value in try values["events"]?.list() ?? [] {
            let entry = try value.values(of: ["trigger", "after_s", "press"])
            var event = KBeaconEvent(
                trigger: try value.required("trigger", in: entry).number(in: 1...63),
                after: try entry["after_s"]?.seconds() ?? .zero)
            event.press =
                try entry["press"]?.choice(of: [
                    "long-press": KBeaconEvent.Press.long, "click": .singleClick,
                    "double-click": .doubleClick, "triple-click": .tripleClick,
                ]) ?? event.press
            events.append(event)
        }
    }

    private mutating func readIdentity(_ values: [String: YAMLValue]) throws(YAMLProblem) {
        model = try values["model"]?.plainText(1...64) ?? model
        version = try values["version"]?.plainText(1...32) ?? version
        updatedVersion = try values["updated_version"]?.plainText(1...32)
        hardware = try values["hardware"]?.plainText(1...32) ?? hardware
        serial = try values["serial"]?.plainText(1...32)
        capabilities = try values["capabilities"]?.number() ?? capabilities
        triggerCapabilities = try values["trigger_capabilities"]?.number() ?? triggerCapabilities
        slots = try values["slots"]?.number(in: 1...32) ?? slots
        triggers = try values["triggers"]?.number(in: 0...32) ?? triggers
        password = try values["password"]?.plainText(8...16) ?? password
        factoryName = try values["factory_name"]?.plainText(1...18) ?? factoryName
    }
}

extension KBeaconHistory {
    fileprivate init(_ file: YAMLValue) throws(YAMLProblem) {
        let values = try file.values(of: ["kind", "count", "start", "interval_s", "most_at_once"])
        let kinds: [String: Kind] = [
            "humidity": .humidity, "alarm": .alarm, "motion": .motion, "light": .light, "voc": .voc,
            "co2": .carbonDioxide,
        ]
        self.init(
            try file.required("kind", in: values).choice(of: kinds),
            count: try file.required("count", in: values).number())
        start = try values["start"]?.number() ?? start
        interval = try values["interval_s"]?.number() ?? interval
        mostAtOnce = try values["most_at_once"]?.number(in: 1...100) ?? mostAtOnce
    }
}

extension YAMLValue {
    /// A text of so many bytes that needs no escapes in JSON.
    fileprivate func plainText(_ lengths: ClosedRange<Int>) throws(YAMLProblem) -> String {
        let words = try text()
        let isPlain = words.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }
        guard isPlain, lengths.contains(words.utf8.count) else {
            throw problem("a text of \(lengths.lowerBound) to \(lengths.upperBound) bytes is expected here")
        }
        return words
    }
}
