import ArgumentParser

/// Makes packages; each kind is a command of its own.
struct Build: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a package from firmware.",
        discussion: "The same input gives the same bytes. What was written is read back and checked.",
        subcommands: [BuildNordic.self, BuildNordicLegacy.self, BuildSUOTA.self, BuildFBeacon.self])
}
