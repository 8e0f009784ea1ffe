import ArgumentParser

struct OrderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order", abstract: "Make, fill and give up work orders.",
        subcommands: [CreateOrder.self, AddUnits.self, CancelOrder.self])
}
