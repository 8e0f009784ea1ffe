import Bluetooth
import Bytes

extension KKMAdvertiser {
    /// Reads the keys that only KKM beacons have.
    init(reading entry: inout BeaconEntry) throws(YAMLProblem) {
        self.init(address: entry.address)
        generation = try entry.number("generation", in: 1...2) ?? generation
        model = try entry.number("model") ?? model
        version = try entry["version"]?.twoParts() ?? version
        battery = try entry.number("battery") ?? battery
        carrier = try entry.choice("carrier", of: Carrier.allCases.named) ?? carrier
        scanExtension = try entry.choice("extended", of: Extension.allCases.named) ?? scanExtension
        sendsOnlyTriggered = try entry.truth("only_triggered") ?? sendsOnlyTriggered
        for value in try entry["triggers"]?.list() ?? [] { triggers.append(try Self.span(value)) }
        if let value = entry["direction_power"] {
            directionPower = try value.number()
            guard Self.directionPowers.contains(directionPower) else {
                let list = Self.directionPowers.sorted().map(String.init).joined(separator: ", ")
                throw value.problem("direction_power must be one of \(list)")
            }
        }
        try readings.read(&entry)
    }

    private static func span(_ value: YAMLValue) throws(YAMLProblem) -> Span {
        let values = try value.values(of: ["trigger", "at_s", "for_s"])
        guard let word = values["trigger"] else { throw value.problem("'trigger' is missing") }
        return Span(
            try word.choice(of: Trigger.allCases.named), at: try values["at_s"]?.seconds() ?? .zero,
            for: try values["for_s"]?.seconds() ?? .seconds(10))
    }
}

extension KKMReadings {
    fileprivate mutating func read(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        humidity = try entry["humidity"]?.decimal(in: -127...127)
        acceleration = try entry["acceleration"]?.numbers(3)
        alarm = try entry.number("alarm")
        motion = try entry.number("pir")
        light = try entry.number("light")
        organics = try entry["voc"]?.numbers(3)
        carbonDioxide = try entry["co2"]?.numbers(2)
        records = try entry.number("records")
        mask = try entry.number("mask")
    }
}

extension YAMLValue {
    /// A version of two numbers separated by a dot.
    func twoParts() throws(YAMLProblem) -> TwoPartVersion {
        let words = try text()
        guard let version = TwoPartVersion(words) else {
            throw problem("'\(words)' is not a version: it must be two numbers up to 255, such as 6.20")
        }
        return version
    }

    /// A list of `count` numbers.
    func numbers<T: FixedWidthInteger>(_ count: Int) throws(YAMLProblem) -> [T] {
        let values = try list()
        guard values.count == count else { throw problem("\(count) numbers are expected here") }
        var numbers: [T] = []
        for value in values { numbers.append(try value.number()) }
        return numbers
    }
}
