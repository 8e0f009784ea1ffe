import ArgumentParser

struct OrderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order", abstract: "Make, fill, change and give up work orders.",
        subcommands: [
            CreateOrder.self, AddUnits.self, RemoveUnits.self, ExpectUnits.self, CancelOrder.self,
        ])
}
