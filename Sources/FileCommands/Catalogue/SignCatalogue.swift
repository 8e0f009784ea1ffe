import ArgumentParser
import Bytes
import CommandKit
import Firmware
import UpdateModel

struct SignCatalogue: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a catalogue, so that others can verify its origin.",
        discussion: """
            Example: `beacon-dfu catalogue sign manifests --key key.pem --expires 2027-01-31T00:00:00Z`.

            Writes catalogue.seal into the catalogue's folder. Packages are covered by the SHA-256 of their entries. \
            Each signing gets a higher number than the existing seal. A machine that has seen a number refuses lower \
            ones of the same key, so each catalogue needs its own key.
            """)

    @Argument(help: "The catalogue, a folder.", completion: .directory) var folder: String
    @Option("The private key (keys generate makes one).", valueName: "file", completion: .file())
    var key: String
    @Option("When the signature expires, in UTC.", valueName: "time") var expires: TimeArgument
    @Option(
        "The number of this signing, from 1 on. Default: one more than that of the existing seal, else 1.",
        valueName: "number")
    var counter: Int64?
    @OptionGroup var writing: WritingOptions

    var inputs: [String?] { [key] }

    func validate() throws { try require(counter.map({ $0 > 0 }) ?? true, "--counter is a number from 1 on") }

    func perform(_ console: Console) async throws -> ExitStatus {
        let catalogue = try CatalogueFolder(path: folder)
        let last = try lastCounter(console)
        let counter = counter ?? (last == .max ? last : last + 1)
        guard let seal = CatalogueSeal(catalogue.files, until: expires.seconds, counter: counter) else {
            throw CommandFailure(
                .command.catalogueInvalid, during: "signing the catalogue",
                message: "a file in \(folder) has a name with control characters")
        }
        let key = try KeyFile(path: key).signingKey(console)
        let signature: [UInt8]
        do throws(SignatureError) { signature = try key.signature(of: seal.statement) } catch {
            throw CommandFailure(.system.internalError, during: "signing the catalogue", message: "\(error)")
        }
        let path = CatalogueFolder.sealPath(in: folder)
        try OutputFile.write(
            Array(seal.text(signature: signature).utf8), to: path,
            as: .format("seal of a catalogue", beginnings: [Array("seal: ".utf8)]), under: outputs)
        let expiry = UnixTime.text(expires.seconds)
        if expires.seconds <= WallTime.unixNow {
            console.warn(.catalogue.expired, "\(expiry) is in the past: this signature will be refused")
        }
        if counter <= last {
            console.warn(
                .catalogue.rolledBack,
                "the replaced seal had number \(last): every machine that has seen it will refuse number \(counter)"
            )
        }
        console.report(
            JSONLine("signed").adding([
                "file": .text(path), "expires": .text(expiry), "files": .integer(seal.files.count),
                "counter": .integer(counter),
            ]), ["\(path): signed until \(expiry), number \(counter)"])
        return .done
    }

    /// The number of the existing seal; 0 if there is none, or if it cannot be read and --counter is given.
    private func lastCounter(_ console: Console) throws -> Int64 {
        let path = CatalogueFolder.sealPath(in: folder)
        let text: [UInt8]
        do throws(CommandFailure) { text = try FileContent(path: path).bytes } catch {
            guard error.code == .file.fileNotFound else { throw error }
            return 0
        }
        do throws(YAMLProblem) { return try CatalogueSeal.parse(text).0.counter } catch {
            guard counter == nil else { return 0 }
            throw CommandFailure(
                .catalogue.signatureInvalid, during: "signing the catalogue",
                message:
                    "\(path) cannot be read, so the number of the last signing is not known: \(error.message)",
                nextStep: "give a number above it with --counter")
        }
    }
}
