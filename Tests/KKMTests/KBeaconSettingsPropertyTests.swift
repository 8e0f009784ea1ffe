import Bluetooth
import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import KKM
@testable import Simulation

private typealias Settings = KKM.KBeaconSettings
private typealias Beacon = Simulation.KBeaconSession

/// Objects that no beacon is likely to have, as text.
private struct Objects {
    var seed: Seed

    private static let oddKeys = [
        "newKey", "a b", "q\"uote", "back\\slash", "ключ", "x.y[0]", "unchecked", "settings", "maker",
        "generation",
        "", "null", "~", "- a", "#k", "t\u{1}b", "emoji\u{1F600}", "0", "true",
        String(repeating: "k", count: 150),
        String(repeating: "l\"", count: 600),
    ]
    private static let texts = [
        "", " ", "12", "-1", "true", "null", "0x14", "a: b", "- x", "{}", "[1", "\"", "\\", "\\\\u0041",
        "\n\r\t", "\u{0}",
        "\u{7F}\u{85}\u{2028}\u{FEFF}", "ünï", "\u{1F600}\u{E0001}", "#", "'", "%@`",
        String(repeating: "ab\"\\", count: 60),
    ]
    private static let numbers = [
        "0", "-0", "1", "-1", "7", "99", "100", "255", "65536", "-10", "1.5", "-2.25", "0.1", "1e3",
        "-1.5e-7", "1E+22",
        "4294967295", "9007199254740993", "-9223372036854775808", "1000.0", "123456789.123456789",
    ]

    mutating func number() -> String { Self.numbers.randomElement(using: &seed) ?? "0" }

    mutating func text() -> String { Self.json(Self.texts.randomElement(using: &seed) ?? "") }

    mutating func value(_ depth: Int = 0) -> String {
        switch Int.random(in: 0..<(depth < 4 ? 8 : 6), using: &seed) {
        case 0: return "null"
        case 1: return "true"
        case 2: return "false"
        case 3, 4: return number()
        case 5: return text()
        case 6:
            return "["
                + (0..<Int.random(in: 0...3, using: &seed)).map { _ in value(depth + 1) }.joined(
                    separator: ",") + "]"
        default: return object(Int.random(in: 0...2, using: &seed), [], depth + 1)
        }
    }

    /// Members with unknown names, and, of the names in `known`, some with any value.
    mutating func members(_ count: Int, _ known: [String], _ depth: Int = 0) -> [String] {
        let keys = Set((0..<count).map { _ in Self.oddKeys.randomElement(using: &seed) ?? "k" })
        let chosen = known.filter { _ in seed.isOneIn(6) }
        return (keys.sorted() + chosen).map { "\(Self.json($0)):\(value(depth))" }
    }

    mutating func object(_ count: Int, _ known: [String], _ depth: Int = 0) -> String {
        "{" + members(count, known, depth).joined(separator: ",") + "}"
    }

    /// A text of JSON; characters that need no escape may have one all the same.
    static func json(_ text: String) -> String {
        var words = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5C: words += "\\" + String(UnicodeScalar(UInt8(unit)))
            case 0x20..<0x7F: words += String(UnicodeScalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                words += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return words + "\""
    }

    /// The initial settings of a simulated beacon, in addition to the usual ones.
    mutating func settings(of generation: Simulation.KBeaconGeneration) -> String {
        let isFirst = generation == .first
        let lists: [(name: String, id: String, numbers: [Int], keys: [String])] =
            isFirst
            ? [("trObj", "trType", [1, 2, 4, 8], ["trPara", "trATm", "trAPrd", "htMsk", "nSTm", "nAlFt"])]
            : [
                (
                    "advObj", "slot", [0, 1, 2, 3, 4],
                    ["txPwr", "advPrd", "conn", "chMsk", "uuid", "ht", "aes"]
                ),
                ("trObj", "trIdx", [0, 1, 3], ["trPara", "trATm", "trAPwr", "odr", "aAng"]),
                ("srObj", "srType", [1, 2, 8], ["log", "msItvl", "model", "dPrd0"]),
            ]
        var all = members(
            Int.random(in: 0...3, using: &seed),
            isFirst
                ? ["devName", "type", "advFlag", "advPrd", "uuid", "nid"]
                : ["name", "meaPwr", "atPwr", "nBlk"])
        for list in lists {
            var objects: [String] = []
            for number in list.numbers where seed.isOneIn(2) {
                let more = members(Int.random(in: 0...2, using: &seed), list.keys)
                // A trigger has a type of its own, and each slot its factory type.
                let type = list.id == "trIdx" ? ["\"trType\":\([4, 1, 2, 12][number])"] : []
                objects.append(
                    "{" + (["\"\(list.id)\":\(number)"] + type + more).joined(separator: ",") + "}")
            }
            all.append("\"\(list.name)\":[\(objects.joined(separator: ","))]")
        }
        return "{\(all.joined(separator: ","))}"
    }

    /// An answer in which even the lists may be anything.
    mutating func answer() -> String {
        func list(_ id: String, _ objects: inout Objects) -> String {
            if objects.seed.isOneIn(4) { return objects.value() }
            let entries = (0..<Int.random(in: 0...4, using: &objects.seed)).map { _ in
                objects.seed.isOneIn(3)
                    ? objects.value()
                    : "{\"\(id)\":\(Int.random(in: -1...3, using: &objects.seed)),"
                        + "\"x\":\(objects.value())}"
            }
            return "[\(entries.joined(separator: ","))]"
        }
        let lists = [("advObj", "slot"), ("trObj", "trIdx"), ("srObj", "srType")].map {
            "\"\($0.0)\":\(list($0.1, &self))"
        }
        return "{" + (members(3, ["name", "atPwr"]) + lists).joined(separator: ",") + "}"
    }
}

/// A simulated KBeacon with an open session, and a runner of dialogues with it.
private struct Air {
    var beacon: Beacon
    private var now = Duration.zero

    init(_ generation: Simulation.KBeaconGeneration, settings: String?) throws {
        let address = try #require(DeviceAddress("BC:57:29:02:45:9F"))
        var description = KBeaconDescription(generation)
        description.settings = settings
        // The beacon has every sensor in its settings.
        for bit in SecondParameters.sensorBits.values { description.capabilities |= 1 << UInt32(bit) }
        beacon = Beacon(description, at: address, StandardIdentity(address: address), name: "Bench")
        beacon.start(application: 1, version: 0)
        beacon.connect()
        beacon.longestValue = 244
        beacon.link.stage = .authenticated
    }

    mutating func peer() throws -> KBeaconQuery.Peer {
        let question = beacon.description.generation == .first ? #""stype":32"# : #""type":1"#
        let answer = try beacon.message(Array("{\"msg\":\"getPara\",\(question)}".utf8), at: now)
        return KBeaconQuery.Peer(
            terms: KBeaconHandshake.Terms(dataLength: 241),
            identity: try #require(KBeaconIdentity(answer: answer ?? [])))
    }

    /// The settings read from it; nil if they are longer than KKM's SDKs accept in one answer.
    mutating func settings(of peer: KBeaconQuery.Peer) throws -> Settings? {
        do { return try hold(Settings.reading(of: peer)) } catch let failure as SessionFailure
            where failure.code == .session.answerTooLong
        { return nil }
    }

    mutating func hold<D: Dialogue>(_ dialogue: D) throws -> D.Ending {
        var dialogue = dialogue
        var heard: [[UInt8]] = []
        var command = try dialogue.begin(on: LinkFacts(maximumWriteLength: 244)).command
        while true {
            let outcome: DialogueOutcome
            switch command {
            case .end(let ending): return ending
            case .request(let bytes, _, _, _):
                heard += say(bytes)
                outcome = heard.isEmpty ? .timedOut : .value(heard.removeFirst())
            case .write(let bytes, _, _):
                heard += say(bytes)
                outcome = .done
            case .expect: outcome = heard.isEmpty ? .timedOut : .value(heard.removeFirst())
            default: outcome = .done
            }
            command = try dialogue.advance(after: outcome).command
        }
    }

    private mutating func say(_ bytes: [UInt8]) -> [[UInt8]] {
        beacon.receive(bytes, at: now).compactMap {
            guard case .notify(let value, _, false, let due) = $0 else { return nil }
            now = max(now, due)
            return value
        }
    }
}

@Suite struct `Settings unknown to the maker` {
    fileprivate static func file(_ settings: Settings) throws -> Settings {
        let text = (["settings: 1", "maker: kkm"] + settings.lines).joined(separator: "\n")
        do {
            return try Settings(try YAMLValue(parsing: Array(text.utf8)), besides: ["settings", "maker"])
        } catch {
            Issue.record("\(error)\n\(text)")
            throw error
        }
    }

    /// Seeds are named by failures; `BEACON_DFU_SEED` starts with another one.
    private static let seeds = (0..<400).map { Seed.ofThisRun &+ $0 }

    @Test(arguments: Simulation.KBeaconGeneration.allCases)
    func `are read, equal to their file, and nothing is written for them`(
        generation: Simulation.KBeaconGeneration
    ) throws {
        var count = 0
        for seed in Self.seeds {
            var objects = Objects(seed: Seed(seed))
            let text = objects.settings(of: generation)
            var air = try Air(generation, settings: text)
            let peer = try air.peer()
            guard let found = try air.settings(of: peer) else { continue }
            count += 1
            let wanted = try Self.file(found)
            try #require(wanted == found, "seed \(seed): \(text)")
            try #require(wanted.differences(from: found).isEmpty, "seed \(seed)")
            let before = air.beacon.memory
            let changes = try air.hold(SettingsChange(to: wanted, of: peer))
            try #require(changes.isEmpty && air.beacon.memory == before, "seed \(seed): \(text)")
            // No setting of the beacon is left out.
            let memory = air.beacon.memory.settings
            let ownFacts = KKM.KBeaconGeneration.nonSettings
            var names = Set(memory.values.keys.filter { !ownFacts.contains($0) })
            for (list, entries) in [
                ("advObj", memory.adverts), ("trObj", memory.triggers), ("srObj", memory.sensors),
            ] {
                for (number, members) in entries {
                    names.formUnion(members.keys.map { "\(list)[\(number)].\($0)" })
                }
            }
            try #require(Set(found.paths.map(\.description)) == names, "seed \(seed): \(text)")
        }
        #expect(count > 300)
    }

    @Test(arguments: Simulation.KBeaconGeneration.allCases)
    func `are written back unchanged`(generation: Simulation.KBeaconGeneration) throws {
        var count = 0
        for seed in Self.seeds {
            var objects = Objects(seed: Seed(seed))
            let text = objects.settings(of: generation)
            var air = try Air(generation, settings: text)
            let peer = try air.peer()
            guard let found = try air.settings(of: peer) else { continue }
            let wanted = try Self.file(found)
            let before = air.beacon.memory
            // The user has changed an unknown setting.
            for path in found.paths where !found.isKnown(path) {
                count += 1
                let other = KBeaconValue.text("changed")
                switch path.entry {
                case nil: air.beacon.memory.settings.values[path.key] = other
                case let entry? where entry.list == "advObj":
                    air.beacon.memory.settings.adverts[entry.number]?[path.key] = other
                case let entry? where entry.list == "trObj":
                    air.beacon.memory.settings.triggers[entry.number]?[path.key] = other
                case let entry?: air.beacon.memory.settings.sensors[entry.number]?[path.key] = other
                }
            }
            _ = try air.hold(SettingsChange(to: wanted, of: peer))
            try #require(air.beacon.memory == before, "seed \(seed): \(text)")
        }
        #expect(count > 400)
    }

    @Test func `are kept even if a list is not one`() throws {
        for seed in Self.seeds {
            var objects = Objects(seed: Seed(seed))
            let text = objects.answer()
            var found = Settings(.second)
            let isTaken = found.add(answer: Array(text.utf8))
            try #require(isTaken, "seed \(seed): \(text)")
            guard !found.values.isEmpty else { continue }
            try #require(try Self.file(found) == found, "seed \(seed): \(text)")
        }
    }

    @Test func `show their keys with their types`() throws {
        var found = Settings(.second)
        let isTaken = found.add(
            answer:
                Array(
                    #"{"newKey":{"a":[1,-2.5,null,"12"]},"name":"x","trObj":[{"trIdx":0,"trType":8,"trPara":-10},"#
                        .utf8)
                + Array(
                    #"{"trIdx":1,"trType":20,"trPara":43200000},{"trIdx":2,"trType":13,"trPara":4}],"pwd":"geheim00"}"#
                        .utf8))
        #expect(isTaken)
        #expect(found.unchecked.map(\.description) == ["newKey", "trObj[2].trPara"])
        #expect(found.lines.contains(#"  "newKey": {"a": [1, -2.5, null, "12"]}"#), "\(found.lines)")
        #expect(!found.lines.joined().contains("geheim00"))
        #expect(found.lines.contains("    trPara: -10") && found.lines.contains("    trPara: 43200000"))
    }
}
