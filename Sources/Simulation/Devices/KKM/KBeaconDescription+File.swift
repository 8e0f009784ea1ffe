import Bytes

extension KBeaconDescription {
    /// The keys of `session`.
    static let keys =
        [
            "model", "version", "updated_version", "hardware", "serial", "capabilities",
            "trigger_capabilities", "slots", "triggers", "password", "factory_name", "settings",
            "keeps_settings", "buttonless_needs_session", "buttonless_refuses_session", "seed",
            "foreign_read", "busy_commands", "accepts_impossible_beeps", "fills_system_id", "history",
            "events", "mtu", "folds_digests", "tells_mtu",
        ] + KBeaconAnswerStyle.keys

    /// Reads the session in `file` of a beacon that advertises as `advertiser`.
    init(_ file: YAMLValue?, _ advertiser: KKMAdvertiser) throws(YAMLProblem) {
        self.init(advertiser.generation == 1 ? .first : .second)
        version = "V\(advertiser.version.text)"
        battery = advertiser.battery
        guard let file else { return }
        let values = try file.values(of: Self.keys)
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
        settings = try values["settings"].map { (value) throws(YAMLProblem) in
            guard case .object(let members) = try JSONValue(value) else {
                throw value.problem("a mapping with the keys of the beacon's messages is expected here")
            }
            return JSONValue.object(members).json
        }
        keepsSettings = try values["keeps_settings"]?.truth() ?? keepsSettings
        buttonlessNeedsSession = try values["buttonless_needs_session"]?.truth() ?? buttonlessNeedsSession
        buttonlessRefusesSession =
            try values["buttonless_refuses_session"]?.truth() ?? buttonlessRefusesSession
        seed = try values["seed"]?.number() ?? seed
        foreignRead = try values["foreign_read"]?.choice() ?? foreignRead
        busyCommands = try values["busy_commands"]?.number(in: 0...1000) ?? busyCommands
        acceptsImpossibleBeeps = try values["accepts_impossible_beeps"]?.truth() ?? acceptsImpossibleBeeps
        fillsSystemID = try values["fills_system_id"]?.truth() ?? fillsSystemID
        handshake.maximumMTU = try values["mtu"]?.number(in: 23...247) ?? handshake.maximumMTU
        handshake.foldsDigests = try values["folds_digests"]?.truth() ?? handshake.foldsDigests
        handshake.reportsMTU = try values["tells_mtu"]?.truth() ?? handshake.reportsMTU
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
    /// A text with one of these lengths in bytes that needs no escapes in JSON.
    fileprivate func plainText(_ lengths: ClosedRange<Int>) throws(YAMLProblem) -> String {
        let words = try text()
        guard KBeaconParameter.isPlain(words), lengths.contains(words.utf8.count) else {
            throw problem("a text of \(lengths.lowerBound) to \(lengths.upperBound) bytes is expected here")
        }
        return words
    }
}

extension KBeaconAnswerStyle {
    static let keys = [
        "answers", "piece_size", "waits", "window", "answer_length", "more_frames", "execution_ms", "logs",
        "delay_ms", "record_answers", "frame_records", "answer_end", "answer_end_ms", "answer_end_cause",
    ]

    mutating func read(_ values: [String: YAMLValue]) throws(YAMLProblem) {
        shape = try values["answers"]?.choice() ?? shape
        records = try values["record_answers"]?.choice() ?? records
        recordsInFrame = try values["frame_records"]?.number(in: 1...100) ?? recordsInFrame
        ending = try values["answer_end"]?.choice() ?? ending
        endingDelay = try values["answer_end_ms"]?.milliseconds() ?? endingDelay
        endsWithDone = try values["answer_end_cause"]?.choice(of: ["0": true, "6": false]) ?? endsWithDone
        pieceSize = try values["piece_size"]?.number(in: 1...244)
        waits = try values["waits"]?.truth() ?? waits
        window = try values["window"]?.number() ?? window
        if let value = values["answer_length"] {
            let isEndless = try value.text() == "endless"
            length = isEndless ? .endless : .longer(try value.number(in: 8...60_000))
        }
        moreFrames = try values["more_frames"]?.number(in: 0...100) ?? moreFrames
        executionTime = try values["execution_ms"]?.milliseconds() ?? executionTime
        logs = try values["logs"]?.number(in: 0...100) ?? logs
        delay = try values["delay_ms"]?.milliseconds() ?? delay
    }
}

extension ScenarioKind {
    /// A KBeacon: KKM's adverts, a session, and a Nordic bootloader.
    static let kbeacon = ScenarioKind(
        name: "kbeacon",
        faults: secure.faults.merging([
            "impostor": NamedFault { _ in .kbeacon(.impostor) },
            "refuse_digest": NamedFault { .kbeacon(.refuseDigest($0)) },
            "silence_after_step": NamedFault(range: 1...4) {
                .kbeacon(.silence(afterStep: $0, ofHandshake: 1))
            },
            "cut_after_step": NamedFault(range: 1...4) { .kbeacon(.cut(afterStep: $0, ofHandshake: 1)) },
            "busy_command": NamedFault { .kbeacon(.refuseCommand($0, cause: 0x010C)) },
            "fail_command": NamedFault { .kbeacon(.refuseCommand($0, cause: 0x0107)) },
            "refuse_commands": NamedFault(range: 0...0xFFFF) {
                .kbeacon(.refuseCommands(cause: UInt16(clamping: $0)))
            },
            "cut_before_command": NamedFault { .kbeacon(.cutBeforeCommand($0)) },
            "cut_after_command": NamedFault { .kbeacon(.cutAfterCommand($0)) },
            "lose_reply": NamedFault { .kbeacon(.loseAnswer($0)) },
            "garble_password": NamedFault { _ in .kbeacon(.garblePassword) },
            "ask_wrong_offset": NamedFault { .kbeacon(.askWrongOffset($0, 0x0FFF)) },
            "flip_answer": NamedFault { .kbeacon(.flipAnswer($0, fromEnd: 0)) },
            "cut_answer": NamedFault { .kbeacon(.cutAnswer($0, to: 5)) },
        ]) { $1 },
        tray: [
            NordicScenarioBeacon.builtIn(8, "KBeacon 8") {
                $0.key = TestKey.publicKey
                var session = KBeaconDescription(.second)
                (session.version, session.updatedVersion) = ("V1", "V2")
                $0.becomeKBeacon(session)
            }
        ], read: NordicScenarioBeacon.init(kbeacon:))
}

extension NordicScenarioBeacon {
    /// Reads a beacon of kind `kbeacon`: the keys of its bootloader, those of `kkm`, and a session.
    init(kbeacon entry: inout BeaconEntry) throws(YAMLProblem) {
        var advertiser = try KKMAdvertiser(reading: &entry)
        advertiser.name = try entry.text("name") ?? advertiser.name
        try advertiser.standard.read(&entry)
        var plan = AdvertisingPlan(advertiser)
        try plan.read(&entry)
        var description = NordicDescription(address: entry.address)
        try description.readSecure(&entry)
        if let receiver = entry["receiver"] {
            throw receiver.problem("the application of a KBeacon does not accept updates itself")
        }
        description.name = advertiser.name
        description.advertising = description.advertising ?? plan
        let session = try KBeaconDescription(entry["session"], advertiser)
        let mode = description.program
        description.becomeKBeacon(session)
        if entry["mode"] != nil { description.program = mode }
        self.init(description: description, faults: try entry.faults())
    }
}
