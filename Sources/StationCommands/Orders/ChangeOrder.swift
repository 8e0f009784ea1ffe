import ArgumentParser
import Bytes
import CommandKit
import Firmware
import Tray
import UpdateModel
import Work
import WorkServer

struct AddUnits: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add units to an order.",
        discussion: "Example: `beacon-dfu-station order add WO-17 more.txt`.")

    @Argument(help: "The order's number.") var number: String
    @Argument(help: "The list, as for --units of `order create`.", completion: .file()) var list: String
    @OptionGroup var server: ServerOptions

    var inputs: [String?] { [list] }

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        let list = try UnitList(path: list)
        try await admin.add(list.units, to: number)
        return console.done(
            "units-added", ["order": .text(number), "units": .integer(list.units.count)],
            "added \(Quantities.count(list.units.count, "unit")) to order \(number)")
    }
}

struct RemoveUnits: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove units that no station is working on from an order.",
        discussion: """
            Example: `beacon-dfu-station order remove WO-17 F0:0D:BE:AC:01:00/random`, for a neighbour's beacon that was claimed by \
            mistake. Verified units and all results stay. Needs the role admin or approver.
            """)

    @Argument(help: "The order's number.") var number: String
    @Argument(help: "The units' keys, as `status` shows them.") var units: [String]
    @OptionGroup var person: PersonOptions
    @OptionGroup var server: ServerOptions

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        let count = try await admin.remove(units, from: number, by: person.name)
        return console.done(
            "units-removed", ["order": .text(number), "units": .integer(count)],
            "removed \(Quantities.count(count, "unit")) from order \(number)",
            count > 0 ? .done : .nothingToDo)
    }
}

struct ExpectUnits: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "expect", abstract: "Change the expected number of units of an order.",
        discussion: """
            Example: `beacon-dfu-station order expect WO-17 498`, if two beacons are permanently missing: an order is done when it has \
            its expected units and all are verified. Needs the role admin.
            """)

    @Argument(help: "The order's number.") var number: String
    @Argument(help: "The expected number, at least the number of units that the order has.") var units: Int
    @OptionGroup var person: PersonOptions
    @OptionGroup var server: ServerOptions

    func validate() throws {
        try require((1...Int(Int32.max)).contains(units), "the expected number of units is at least 1")
    }

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        try await admin.setExpected(units, of: number, by: person.name)
        return console.done(
            "order-expects", ["order": .text(number), "expected": .integer(units)],
            "order \(number) expects \(Quantities.count(units, "unit"))")
    }
}

struct OrderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order", abstract: "Create, fill, change and cancel work orders.",
        subcommands: [CreateOrder.self, AddUnits.self, RemoveUnits.self, ExpectUnits.self, CancelOrder.self])
}

/// A list of units: a line for each, with all keys by which the unit may be recognised; `#` starts a comment.
struct UnitList {
    let units: [UnitPlan]

    init(path: String) throws(CommandFailure) {
        let text = String(decoding: try FileContent(path: path).bytes, as: UTF8.self)
        var units: [UnitPlan] = []
        var seen: [String: Int] = [:]
        for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" || $0 == "," }
            guard !words.isEmpty else { continue }
            var keys: [String] = []
            for word in words {
                guard let selector = DeviceSelector(String(word)) else {
                    throw Self.flaw("\(path), line \(index + 1): '\(word)' is neither an address nor id:TEXT")
                }
                keys += selector.meanings
            }
            for key in keys {
                if let other = seen[key] {
                    throw Self.flaw("\(path), line \(index + 1): \(key) is also in line \(other)")
                }
                seen[key] = index + 1
            }
            units.append(UnitPlan(keys, selector: String(words[0])))
        }
        guard !units.isEmpty else { throw Self.flaw("\(path) lists no units") }
        self.units = units
    }

    private static func flaw(_ words: String) -> CommandFailure {
        CommandFailure(.workServer.unitListInvalid, during: "reading the list of units", message: words)
    }
}
