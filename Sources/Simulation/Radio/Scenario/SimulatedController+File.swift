import Bluetooth
import Bytes

extension SimulatedController {
    /// The most adapters that a scenario can have.
    private static let most = 16
    /// The default spread between several adapters, in dB.
    private static let usualSpread = 6

    /// Reads the adapters of a scenario file: a list, or their number.
    static func reading(_ value: YAMLValue) throws(YAMLProblem) -> [SimulatedController] {
        let number = (try? value.text()).flatMap { Int($0) }
        let entries = try number == nil ? value.list() : []
        let count = number ?? entries.count
        guard (1...most).contains(count) else { throw value.problem("use 1 to \(most) adapters") }
        let spread = count > 1 ? usualSpread : 0
        if number != nil { return (0..<count).map { SimulatedController(name: "sim\($0)", spread: spread) } }
        var controllers: [SimulatedController] = []
        for (index, entry) in entries.enumerated() {
            let controller = try SimulatedController(entry, index, spread: spread)
            guard !controllers.contains(where: { $0.name == controller.name }) else {
                throw entry.problem("two adapters are named \(controller.name)")
            }
            controllers.append(controller)
        }
        return controllers
    }

    private init(_ value: YAMLValue, _ number: Int, spread: Int) throws(YAMLProblem) {
        let values = try value.values(of: [
            "name", "links", "rssi", "spread", "hears", "unplugged_s", "returns_as", "replaced",
        ])
        let reception = try values["hears"]?.choice(of: AdvertisingPackets.receptions)
        self.init(
            name: try values["name"]?.adapterName() ?? "sim\(number)",
            links: try values["links"]?.number(in: 1...250),
            gain: try values["rssi"]?.number(in: -100...100) ?? 0,
            spread: try values["spread"]?.number(in: 0...40) ?? spread, hears: reception?.hears ?? .coded,
            canSelectCoded: reception?.canSelectCoded ?? false,
            unplugged: try values["unplugged_s"]?.moments() ?? [],
            returningName: try values["returns_as"]?.adapterName(),
            isReplaced: try values["replaced"]?.truth() ?? false)
        for key in ["returns_as", "replaced"] where unplugged.count < 2 {
            guard let value = values[key] else { continue }
            throw value.problem("\(key) needs a time in unplugged_s at which the adapter is plugged in again")
        }
        if isReplaced, returningName != nil, let value = values["returns_as"] {
            throw value.problem("returns_as conflicts with replaced: a replaced adapter does not come back")
        }
    }
}

extension YAMLValue {
    /// Up to 32 letters, digits, dots, hyphens and underscores.
    fileprivate func adapterName() throws(YAMLProblem) -> String {
        let name = try text()
        let isPlain = name.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "._-".utf8.contains(byte)
        }
        guard (1...32).contains(name.utf8.count), isPlain else {
            throw problem("an adapter name must have 1 to 32 letters, digits, dots, hyphens and underscores")
        }
        return name
    }

    /// Seconds, each later than the one before.
    func moments() throws(YAMLProblem) -> [Duration] {
        var last = -1.0
        var moments: [Duration] = []
        for entry in try list() {
            let second = try entry.decimal(in: 0...1_000_000)
            guard second > last else { throw entry.problem("each time must be later than the one before") }
            last = second
            moments.append(.seconds(second))
        }
        return moments
    }
}
