import ArgumentParser
import Catalogue
import Digests
import FirmwareModel

struct SignCatalogue: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a catalogue, so that others can check whose it is.",
        discussion: """
            Example: `beacon-dfu catalogue sign manifests --key key.pem --expires 2027-01-31T00:00:00Z`.

            Writes catalogue.seal beside the files. Packages are covered by the SHA-256 of their entries.
            """)

    @Argument(help: "The catalogue, a folder.", completion: .directory) var folder: String
    @Option(
        help: ArgumentHelp("The private key (keys generate makes one).", valueName: "file"),
        completion: .file())
    var key: String
    @Option(
        help: ArgumentHelp("Until when the signature holds, in UTC.", valueName: "time"),
        transform: BuildTime.reading)
    var expires: BuildTime
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { [key] }

    func perform(_ console: Console) async throws -> ExitStatus {
        let catalogue = try CatalogueFolder(path: folder)
        guard let seal = CatalogueSeal(catalogue.files, until: expires.seconds) else {
            throw CommandFailure(
                "catalogue-invalid", during: "signing the catalogue",
                message: "a file in \(folder) has a name with control characters")
        }
        let key = try KeyFile(path: key).signingKey(console)
        let signature: [UInt8]
        do throws(SignatureError) { signature = try key.signature(of: seal.statement) } catch {
            throw CommandFailure("internal-error", during: "signing the catalogue", message: "\(error)")
        }
        let path = CatalogueFolder.sealPath(in: folder)
        try OutputFile.write(
            Array(seal.text(signature: signature).utf8), to: path,
            as: .made("seal of a catalogue", beginnings: [Array("seal: 1".utf8)]), under: outputs)
        let expiry = UnixTime.text(expires.seconds)
        if expires.seconds <= WallTime.unixNow {
            console.warn("catalogue-expired", "\(expiry) is in the past: nobody takes this signature")
        }
        console.event(
            JSONLine(
                "signed",
                ["file": .text(path), "expires": .text(expiry), "files": .integer(seal.files.count)]))
        if !console.style.isJSON { console.result("\(path): signed until \(expiry)") }
        return .done
    }
}
