import ArgumentParser

/// Keys that sign packages for Nordic's Secure DFU.
struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make and show keys that sign Nordic packages.",
        subcommands: [GenerateKey.self, ShowKey.self])
}
