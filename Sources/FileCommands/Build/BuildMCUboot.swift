import ArgumentParser
import Bytes
import CommandKit
import Firmware
import MCUboot
import Nordic
import UpdateModel

/// Makes the same image as `imgtool sign`, except that P-256 signatures are deterministic; options and defaults are
/// imgtool's.
struct BuildMCUboot: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcuboot",
        abstract: "Make an MCUboot image, or a package of the nRF Connect SDK, from a program.",
        discussion: """
            Examples: `beacon-dfu build mcuboot zephyr.bin app.bin --version 1.2.3 --key-file product.pem`; \
            `beacon-dfu build mcuboot zephyr.bin app.zip --version 1.2.3 --key-file product.pem --add-image 1=network.bin`.

            Options and bytes are those of `imgtool sign`, except for P-256 signatures: here the same input always \
            gives the same signature. If the output's name ends with .zip, it is a package with a manifest, to \
            which --add-image adds signed images.
            """)

    @Argument(help: "The program: .hex or .bin, recognised by its content.", completion: .file())
    var firmware: String
    @Argument(help: "The image to write, or the package if its name ends with .zip.", completion: .file())
    var output: String
    @OptionGroup(title: "Image") var image: MCUbootImageOptions
    @OptionGroup(title: "Signature") var signature: MCUbootSignatureOptions
    @OptionGroup(title: "Slot") var slot: MCUbootSlotOptions
    @OptionGroup(title: "Package") var package: SDKPackageOptions
    @OptionGroup var writing: WritingOptions

    private var isPackage: Bool { output.lowercased().hasSuffix(".zip") }

    var inputs: [String?] { [firmware, signature.keyFile] + package.addImage.map(\.path) }

    func validate() throws {
        if let option = package.given.first {
            try require(isPackage, "\(option) is for packages: give the output a name that ends with .zip")
        }
        try require(
            !output.lowercased().hasSuffix(".hex"),
            "the image is not written as Intel HEX: give the output a name that ends with .bin")
        if isPackage { try package.checkImages(program: ownEntry) }
        try require(
            !isPackage || (!slot.pad && !slot.confirm),
            "--pad and --confirm are for images written with a programmer: omit them for a package")
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        var recipe = try image.recipe(try ImageInput(path: firmware).bytes(console))
        recipe.digest = signature.sha?.method
        recipe.carriesKey = signature.publicKeyFormat == .full
        (recipe.erased, recipe.slot) = (slot.erased, slot.slot)
        let signer = try signature.signer(console)
        let bytes: [UInt8]
        do throws(MCUbootRecipeError) { bytes = try recipe.image(signedBy: signer) } catch {
            throw refusal(
                firmware, "\(error)", error == recipe.roomError ? "give --pad-header" : error.nextStep)
        }
        guard isPackage else {
            return try write(
                bytes, to: output, as: .format("MCUboot image", beginnings: [[0x3D, 0xB8, 0xF3, 0x96]]),
                console
            )
        }
        return try write(try zipped(bytes), to: output, as: .package, console)
    }

    /// The name of the program's entry in a package.
    private var ownEntry: String { "\(Self.stem(firmware)).signed.bin" }

    private func zipped(_ bytes: [UInt8]) throws -> [UInt8] {
        let own = SDKPackageRecipe.File(ownEntry, try read(bytes, from: firmware), slot: package.slot?.value)
        let others = try package.addImage.map { added in
            SDKPackageRecipe.File(
                ImageInput.fileName(added.path),
                try read(try FileContent(path: added.path).bytes, from: added.path), number: added.number,
                slot: added.slot)
        }
        var recipe = SDKPackageRecipe([own] + others, time: try TimeArgument.reproducible().seconds)
        (recipe.name, recipe.board, recipe.soc) = (package.name, package.board, package.soc)
        do throws(ArchiveError) { return try recipe.file() } catch {
            throw refusal(output, "\(error)", "give the files other names")
        }
    }

    private func read(_ bytes: [UInt8], from path: String) throws(CommandFailure) -> MCUbootImage {
        do throws(MCUbootImageError) { return try MCUbootImage(parsing: bytes) } catch {
            throw CommandFailure(
                error.code, during: "reading the image", message: "\(path): \(error)",
                nextStep: error == .notAnImage
                    ? "add an image with a header (.bin), as imgtool or `beacon-dfu build mcuboot` writes it"
                    : nil,
                exit: .badFile)
        }
    }

    private func refusal(_ path: String, _ words: String, _ next: String) -> CommandFailure {
        CommandFailure(
            .file.buildRefused, during: "making the image", message: "\(path): \(words)", nextStep: next)
    }

    /// The name of a file without its folder and extension.
    private static func stem(_ path: String) -> String {
        let file = ImageInput.fileName(path)
        return [".bin", ".hex"].first(where: file.hasSuffix).map { String(file.dropLast($0.count)) } ?? file
    }
}

extension MCUbootRecipeError {
    /// What to change: the option that may be wrong, or the program.
    fileprivate var nextStep: String {
        switch self {
        case .empty, .programTooLarge: "give the program that the build wrote, without other files in it"
        case .headerSize, .noRoomForHeader: "correct --header-size, or give --pad-header"
        case .zerosAfterHeader(.included, _):
            "give --header-size as the build has it (CONFIG_ROM_START_OFFSET)"
        case .zerosAfterHeader(.added, _):
            "leave out --pad-header, and give --header-size as the build has it (CONFIG_ROM_START_OFFSET)"
        case .addressZero: "correct --load-address or --rom-fixed"
        case .digest: "correct --sha, or leave it out"
        case .bootRecord: "correct --boot-record"
        case .vendorType, .repeatedType, .tlvsTooLong: "correct --custom-tlv"
        case .alignment: "correct --align and --max-align"
        case .slotTooSmall: "correct --slot-size, or make the program smaller"
        case .signature: "give another key with --key-file"
        }
    }
}

extension MCUbootRecipe {
    /// The error if the program leaves no room for the header.
    fileprivate var roomError: MCUbootRecipeError? {
        if case .included(let bytes) = header { .noRoomForHeader(bytes: bytes) } else { nil }
    }
}

/// The options for an image's digest and signature.
struct MCUbootSignatureOptions: ParsableArguments {
    @Option(
        "The signing key, a PEM file: P-256 or Ed25519. Without it the image is not signed.",
        valueName: "file", completion: .file(extensions: ["pem"]))
    var keyFile: String?
    @Flag(help: "Ed25519: sign the image itself, not its digest (nRF54L).") var pure = false
    @Option("The digest. Default: 256, and 512 with --pure. Ed25519 takes 256 and 512.", valueName: "bits")
    var sha: DigestName?
    @Option(help: "How the image names its key: by its hash, or in full.") var publicKeyFormat = KeyFormat
        .hash

    func validate() throws {
        try require(!pure || keyFile != nil, "--pure needs --key-file")
        try require(publicKeyFormat == .hash || keyFile != nil, "--public-key-format needs --key-file")
        try require(!pure || [nil, .sha512].contains(sha), "--pure requires --sha 512")
    }

    func signer(_ console: Console) throws(CommandFailure) -> ImageSigner? {
        guard let keyFile else { return nil }
        let signer = try KeyFile(path: keyFile).imageSigner(isPure: pure, console)
        if pure, case .p256 = signer {
            throw CommandFailure(
                .nordicFile.keyInvalid, during: "reading the key",
                message: "\(keyFile): --pure needs an Ed25519 key; this is one of P-256")
        }
        return signer
    }
}

/// A signed image to add to a package: `1=network.bin` for image 1, or `0/1=app_slot1.bin` for slot 1 of image 0 only.
struct AddedImage: ExplainedArgument {
    let number: Int
    /// The only slot that the image is for, 0 or 1; nil for any.
    let slot: Int?
    let path: String

    init?(argument: String) {
        let sides = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, !sides[1].isEmpty else { return nil }
        let place = sides[0].split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(place.count), let number = WholeNumber<UInt8>(argument: String(place[0])),
            (0...7).contains(number.value)
        else { return nil }
        let slot = place.count == 2 ? SlotChoice(argument: String(place[1])) : nil
        guard place.count == 1 || slot != nil else { return nil }
        (self.number, self.slot, path) = (Int(number.value), slot?.value, String(sides[1]))
    }

    static func flaw(in text: String) -> String {
        "an added image is NUMBER=FILE, such as 1=network.bin, or NUMBER/SLOT=FILE, such as 0/1=app.bin, "
            + "with a number from 0 to 7 and the slot 0 or 1; '\(text)' is not"
    }
}

struct SlotChoice: ExplainedArgument {
    let value: Int

    init?(argument: String) {
        guard let slot = ["0": 0, "1": 1][argument] else { return nil }
        value = slot
    }

    static func flaw(in text: String) -> String { "a slot is 0 or 1" }
}

/// The options for a package: more images, and what its manifest contains.
struct SDKPackageOptions: ParsableArguments {
    @Option(
        "Add a signed image with its number on the beacon, such as 1=network.bin for the network core of an "
            + "nRF5340; 0/1=app.bin is for slot 1 only.", valueName: "image=file", completion: .file())
    var addImage: [AddedImage] = []
    @Option(
        "The slot that the program was linked for, if it runs from one only (direct-XIP).",
        valueName: "number")
    var slot: SlotChoice?
    @Option("The name of the update, for people.", valueName: "text") var name: String?
    @Option("The board, such as nrf5340dk_nrf5340_cpuapp.", valueName: "name") var board: String?
    @Option("The chip, such as nRF5340.", valueName: "name") var soc: String?

    /// Throws if two images are for the same slot, or if their entries would have the same name or an invalid one.
    /// `program` is the name of the program's entry; the program is image 0.
    fileprivate func checkImages(program: String) throws {
        var taken: [(option: String, entry: String, number: Int, slot: Int?)] = [
            (slot.map { "the program with --slot \($0.value)" } ?? "the program", program, 0, slot?.value)
        ]
        for added in addImage {
            let place = "\(added.number)" + (added.slot.map { "/\($0)" } ?? "")
            let option = "--add-image \(place)=\(added.path)"
            let entry = ImageInput.fileName(added.path)
            try require(
                !entry.contains("..") && !entry.contains("\\") && entry != "manifest.json",
                "\(option): '\(entry)' cannot be the name of a file in a package; give the file another name")
            if let other = taken.first(where: { $0.entry == entry }) {
                throw ValidationError(
                    "\(option) and \(other.option) would both be \(entry) in the package; give one of the files "
                        + "another name")
            }
            if let other = taken.first(where: {
                $0.number == added.number && ($0.slot == added.slot || $0.slot == nil || added.slot == nil)
            }) {
                throw ValidationError(
                    "\(option) and \(other.option) are for the same slot of image \(added.number); an image "
                        + "has one file, or one for each slot, as in --slot 0 and --add-image 0/1=app.bin")
            }
            taken.append((option, entry, added.number, added.slot))
        }
        try require(
            !program.contains(".."),
            "'\(program)' cannot be the name of a file in a package; give the program another name")
    }

    var given: [String] {
        [
            addImage.isEmpty ? nil : "--add-image", slot.map { _ in "--slot" }, name.map { _ in "--name" },
            board.map { _ in "--board" }, soc.map { _ in "--soc" },
        ].compactMap(\.self)
    }
}
