import ArgumentParser
import CommandKit
import Firmware

/// Options for a release that a catalogue chooses, instead of a file.
struct ReleaseOptions: ParsableArguments {
    @Flag(help: "Install the release that a catalogue chooses for the beacon, instead of a file.")
    var fromCatalogue = false
    @Flag(help: "Also take releases of the beta channel.") var beta = false
    @OptionGroup var source: CatalogueOptions

    /// The channels whose releases are considered.
    var channels: Set<CatalogueChannel> { beta ? [.release, .beta] : [.release] }

    func validate() throws {
        guard !fromCatalogue else { return }
        if let idle = ((beta ? ["--beta"] : []) + source.given).first {
            throw ValidationError("\(idle) requires --from-catalogue")
        }
    }
}
