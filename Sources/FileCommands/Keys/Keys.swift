package import ArgumentParser

/// Keys that sign packages for Nordic's bootloaders.
package struct Keys: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        abstract: "Make and show keys that sign Nordic packages.",
        discussion: """
            Example: `beacon-dfu keys generate key.pem`, then `beacon-dfu keys show key.pem --format code` for the \
            bootloader's source.
            """,
        subcommands: [GenerateKey.self, ShowKey.self])

    package init() {}
}
