import ArgumentParser
import Catalogue

/// The release that a catalogue chooses, in place of a file.
struct ReleaseOptions: ParsableArguments {
    @Flag(help: "Install the release that a catalogue chooses for the beacon, in place of a file.")
    var fromCatalogue = false
    @Flag(help: "Take releases of the channel beta too.") var beta = false
    @OptionGroup var source: CatalogueOptions

    /// Whose releases count.
    var channels: Set<CatalogueChannel> { beta ? [.release, .beta] : [.release] }

    func validate() throws {
        guard !fromCatalogue else { return }
        if let idle = ((beta ? ["--beta"] : []) + source.given).first {
            throw ValidationError("\(idle) is for --from-catalogue")
        }
    }
}
