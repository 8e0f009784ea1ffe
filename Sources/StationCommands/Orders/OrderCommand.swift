import ArgumentParser

struct OrderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order", abstract: "Create, fill, change and cancel work orders.",
        subcommands: [
            CreateOrder.self, AddUnits.self, RemoveUnits.self, ExpectUnits.self, CancelOrder.self,
        ])
}
