import ArgumentParser
import Bytes
import CommandKit
import UpdateModel
import Work
import WorkServer

struct Release: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "release", abstract: "Let work on an order begin, or continue after a hold.",
        discussion: "Example: `beacon-dfu-station release WO-17`. Needs the role approver.")

    @Argument(help: "The order's number.") var number: String
    @OptionGroup var person: PersonOptions
    @OptionGroup var server: ServerOptions

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        let state = try await admin.release(number, by: person.name)
        return console.done(
            "released", ["order": .text(number), "state": .text(state.rawValue)],
            "order \(number) is \(state.rawValue)")
    }
}

struct HoldOrder: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold", abstract: "Hold an order: no station begins another unit of it.",
        discussion:
            "Example: `beacon-dfu-station hold WO-17 --because 'wrong labels'`. Units at work continue to their end."
    )

    @Argument(help: "The order's number.") var number: String
    @Option("The reason, shown to everyone.", valueName: "text") var because: String
    @OptionGroup var person: PersonOptions
    @OptionGroup var server: ServerOptions

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        try await admin.hold(number, because: because, by: person.name)
        return console.done(
            "held", ["order": .text(number), "message": .text(because)], "order \(number) is held")
    }
}

struct CancelOrder: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel an order; units at work continue to their end.",
        discussion: "Example: `beacon-dfu-station order cancel WO-17 --because 'superseded by WO-19'`.")

    @Argument(help: "The order's number.") var number: String
    @Option("The reason, shown to everyone.", valueName: "text") var because: String
    @OptionGroup var person: PersonOptions
    @OptionGroup var server: ServerOptions

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        try await admin.cancel(number, because: because, by: person.name)
        return console.done(
            "cancelled", ["order": .text(number), "message": .text(because)], "order \(number) is cancelled")
    }
}

struct RetryUnits: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Allow another attempt at failed units.",
        discussion:
            "Examples: `beacon-dfu-station retry WO-17` for all; `beacon-dfu-station retry WO-17 F0:0D:BE:AC:01:00/random`."
    )

    @Argument(help: "The order's number.") var number: String
    @Argument(help: "The units' keys, as `status` shows them. Default: all that have failed.") var units:
        [String] = []
    @OptionGroup var person: PersonOptions
    @OptionGroup var server: ServerOptions

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        let count = try await admin.retry(units.isEmpty ? nil : units, of: number, by: person.name)
        return console.done(
            "retried", ["order": .text(number), "units": .integer(count)],
            "\(Quantities.count(count, "unit")) of order \(number) may be claimed again",
            count > 0 ? .done : .nothingToDo)
    }
}
