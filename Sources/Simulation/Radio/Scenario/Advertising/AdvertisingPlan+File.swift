import Bluetooth
import Bytes

extension AdvertisingPlan {
    /// Reads the keys for frames, periods and connections.
    mutating func read(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        period = try entry["period_ms"]?.period() ?? period
        phase = try entry["phase_ms"]?.milliseconds(upTo: 3_600_000) ?? phase
        if let value = entry["telemetry_every"] { telemetryEvery = try value.number(in: 2...100) }
        let frames = entry["frames"]
        if let frames {
            slots = []
            for value in try frames.list() { slots.append(try readSlot(value)) }
            guard !slots.isEmpty else { throw frames.problem("the list of frames is empty") }
        }
        if let value = entry["scan_response"] {
            if (try? value.text()) != nil {
                answersScans = try value.truth()
            } else {
                scanResponseDamage = try FrameDamage(try value.values(of: FrameDamage.keys))
            }
        }
        answersEvery = try entry.number("scan_response_every", in: 1...1000) ?? answersEvery
        window.rule = try entry["connectable"]?.choice() ?? window.rule
        window.length = try entry["connectable_for_s"]?.seconds(from: 1) ?? window.length
        for value in try entry["clicks_s"]?.list() ?? [] { window.clicks.append(try value.seconds()) }
        try checkRoom(entry, frames)
    }

    private func readSlot(_ value: YAMLValue) throws(YAMLProblem) -> Slot {
        let known = (type(of: advertiser).ownFrames + FrameName.standard).named
        if (try? value.text()) != nil { return Slot(.frame(try value.choice(of: known))) }
        let values = try value.values(of: ["frame", "raw", "period_ms", "connectable"] + FrameDamage.keys)
        let content: Slot.Content
        switch (values["frame"], values["raw"]) {
        case (let word?, nil): content = .frame(try word.choice(of: known))
        case (nil, let raw?): content = .raw(try raw.bytes())
        default: throw value.problem("a frame needs either a name ('frame') or bytes ('raw')")
        }
        var slot = Slot(content, every: try values["period_ms"]?.period())
        slot.damage = try FrameDamage(values)
        slot.isConnectable = try values["connectable"]?.truth()
        return slot
    }

    /// Refuses frames that do not fit in a packet.
    private func checkRoom(_ entry: BeaconEntry, _ frames: YAMLValue?) throws(YAMLProblem) {
        func check(_ frame: AdvertisedFrame?, _ name: String, _ place: YAMLValue?) throws(YAMLProblem) {
            guard let count = frame?.bytes.count, count > AdvertisedFrame.capacity else { return }
            let message =
                "its \(name) takes \(count) bytes; a packet holds at most \(AdvertisedFrame.capacity)"
            throw place?.problem(message) ?? entry.problem(message)
        }
        let moment = AdvertisingMoment()
        for case .frame(let name) in slots.map(\.content) {
            try check(advertiser.payload(of: name, at: moment), "frame \(name.rawValue)", frames)
        }
        try check(advertiser.scanResponse(at: moment), "scan response", nil)
    }
}

extension FrameDamage {
    static let keys = ["flip", "cut_to", "announced_length", "cut_report_to"]

    fileprivate init(_ values: [String: YAMLValue]) throws(YAMLProblem) {
        self.init()
        for value in try values["flip"]?.list() ?? [] {
            let flip = try value.values(of: ["byte", "mask"])
            guard let byte = flip["byte"] else { throw value.problem("'byte' is missing") }
            flips.append(Flip(offset: try byte.number(in: 0...30), mask: try flip["mask"]?.number() ?? 0xFF))
        }
        dataLength = try values["cut_to"]?.number(in: 0...30)
        announcedLength = try values["announced_length"]?.number()
        reportLength = try values["cut_report_to"]?.number(in: 0...31)
    }
}
