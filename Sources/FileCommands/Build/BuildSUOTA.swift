import ArgumentParser
import CommandKit
import Dialog
import Nordic
import UpdateModel

/// The image header that a chip reads, named after the chip's family as other tools do.
enum HeaderChoice: String, ExpressibleByArgument, CaseIterable {
    case da1458x = "58x"
    case da1453x = "531"
    case da1468x = "68x"
    case da1469x = "69x"
}

struct BuildSUOTA: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "suota", abstract: "Make an image for Dialog's SUOTA from a program.",
        discussion: """
            Example: `beacon-dfu build suota application.hex application.img --header 58x --version 1.2.3`.

            A DA1458x or DA1453x refuses an image with the version and the timestamp of an image that it already \
            holds: change one of them with every build.

            The image is not signed. Its checksums protect against damage, not against forgery.

            Only single images can be made; beacons take no others over the air.
            """)

    @Argument(help: "The program: .hex or .bin, recognised by its content.", completion: .file())
    var firmware: String
    @Argument(help: "The image to write, such as OUT.img.", completion: .file()) var output: String
    @Option(
        "The header that the chip reads: 58x (DA1458x, DA1453x; 531 is the same), 68x, or 69x.",
        valueName: "family")
    var header: HeaderChoice
    @Option("The version: 1 to 15 characters of printable ASCII.", valueName: "text") var version: String
    @Option(
        "When it was built: ISO 8601 in UTC, or seconds since 1970. Default: SOURCE_DATE_EPOCH, or 0; "
            + "never the current time.",
        valueName: "time")
    var timestamp: TimeArgument?
    @Option("68x, 69x: where the program begins. Default: 36 (68x), 1024 (69x).", valueName: "bytes")
    var payloadOffset: WholeNumber<Int>?
    @Option(
        "58x: the image id. Receivers write their own. Default: 0xFF, as in the vendor's single images.",
        valueName: "number")
    var imageID: WholeNumber<UInt8>?
    @OptionGroup(title: "Encryption (58x)") var encryption: EncryptionOptions
    @OptionGroup var writing: WritingOptions

    var inputs: [String?] { [firmware, encryption.keyFile] }

    func validate() throws {
        guard ImageVersion(version) != nil else {
            let count = version.utf8.count
            throw ValidationError("--version is 1 to 15 characters of printable ASCII; it has \(count) bytes")
        }
        if headerFamily == .da1458x {
            try require(
                payloadOffset == nil, "--payload-offset is for 68x and 69x: in 58x images it is always 64")
        } else {
            if let payloadOffset {
                let allowed = headerFamily.headerBytes...ImageRecipe.offsetLimit
                try require(
                    allowed.contains(payloadOffset.value),
                    "--payload-offset is \(allowed.lowerBound) to \(allowed.upperBound) for \(header.rawValue)"
                )
            }
            try require(imageID == nil, "--image-id is for 58x")
            try require(!encryption.isRequested, "only 58x images can be encrypted")
        }
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        guard let version = ImageVersion(version) else { throw ValidationError("--version cannot be used") }
        let seconds = try (timestamp ?? TimeArgument.reproducible()).seconds
        let input = try ImageInput(path: firmware)
        let cipher = try encryption.cipher(console)
        let recipe = ImageRecipe(
            recipeHeader, version: version, timestamp: seconds, payload: try input.bytes(console))
        let image: SUOTAImage
        do throws(ImageRecipeError) { image = try recipe.image(encryptedWith: cipher) } catch {
            throw CommandFailure(
                .file.buildRefused, during: "making the image", message: "\(firmware): \(error)")
        }
        return try write(
            image.bytes, to: output,
            as: .format("SUOTA image", beginnings: HeaderFamily.allCases.map(\.signature)), console)
    }

    private var headerFamily: HeaderFamily {
        switch header {
        case .da1458x, .da1453x: .da1458x
        case .da1468x: .da1468x
        case .da1469x: .da1469x
        }
    }

    private var recipeHeader: ImageRecipe.Header {
        switch header {
        case .da1458x, .da1453x: .da1458x(imageID: imageID?.value ?? 0xFF)
        case .da1468x: payloadOffset.map { .da1468x(payloadOffset: $0.value) } ?? .da1468x()
        case .da1469x: payloadOffset.map { .da1469x(payloadOffset: $0.value) } ?? .da1469x()
        }
    }
}
