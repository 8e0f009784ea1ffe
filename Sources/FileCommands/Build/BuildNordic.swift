import ArgumentParser
import CommandKit
import Nordic
import UpdateModel

/// Makes a package for Nordic's Secure DFU; options and defaults are those of `nrfutil pkg generate`.
struct BuildNordic: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "nordic", abstract: "Make a package for Nordic Secure DFU (nRF5 SDK 12 to 17.1).",
        discussion: """
            Example: `beacon-dfu build nordic blinker.zip --application blinker.hex --application-version 2 --hw-version 52 \
            --sd-req s132_4.0.2 --key-file product.pem`.

            Images are .hex or .bin files, recognised by their content. They can be an application, a bootloader, a \
            SoftDevice, a SoftDevice with a bootloader, and either of the last two with an application that is sent \
            after it.
            """)

    @Argument(help: "The package to write.", completion: .file(extensions: ["zip"])) var output: String
    @OptionGroup(title: "Images") var images: NordicImageOptions
    @OptionGroup(title: "Conditions") var conditions: NordicConditionOptions
    @Option(
        "The signing key, a PEM file. Without it the package is not signed.", valueName: "file",
        completion: .file(extensions: ["pem"]))
    var keyFile: String?
    @OptionGroup var writing: WritingOptions

    var inputs: [String?] { images.paths + [keyFile] }

    func validate() throws {
        try images.checkCombination()
        let missing = images.missing(isDebug: conditions.debugMode) + conditions.missing(for: images)
        try require(missing.isEmpty, "missing: " + missing.joined(separator: ", "))
        try images.check(isDebug: conditions.debugMode)
        try require(
            conditions.sdId == nil || images.softdevice != nil,
            "--sd-id needs --softdevice; --sd-req names the installed one")
        try require(keyFile != nil || !images.needKey, "VALIDATE_ECDSA_P256_SHA256 needs --key-file")
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let key = try keyFile.map { path throws(CommandFailure) in
            try KeyFile(path: path).privateKey(console)
        }
        var recipe = NordicPackageRecipe(
            hardware: conditions.hardware, softDevices: conditions.sdReq?.ids ?? [SoftDeviceCheck.any])
        recipe.isDebug = conditions.debugMode
        recipe.isExternal = images.externalApp
        recipe.softDevice = try images.softDeviceInput(console)
        recipe.bootloader = try images.bootloaderInput(console)
        recipe.application = try images.applicationInput(console)
        recipe.newSoftDevices = try conditions.newSoftDevices(with: recipe.softDevice, images)
        let bytes: [UInt8]
        do throws(PackageBuildError) { bytes = try recipe.file(signedBy: key) } catch {
            throw CommandFailure(error.code, during: "making the package", message: "\(error)")
        }
        return try write(bytes, to: output, as: .package, console)
    }
}

/// How the bootloader checks an image at every start, by nrfutil's names.
enum BootCheckName: String, ExpressibleByArgument, CaseIterable {
    case nothing = "NO_VALIDATION"
    case crc = "VALIDATE_GENERATED_CRC"
    case sha256 = "VALIDATE_GENERATED_SHA256"
    case signature = "VALIDATE_ECDSA_P256_SHA256"

    var check: BootCheck {
        switch self {
        case .nothing: .nothing
        case .crc: .crc
        case .sha256: .sha256
        case .signature: .signature
        }
    }
}

struct NordicConditionOptions: ParsableArguments {
    @Option("The hardware version, 52 for a stock nRF52.", valueName: "number")
    var hwVersion: WholeNumber<UInt32>?
    @Option(
        "The SoftDevices, one of which must be installed, separated by commas: ids such as 0xB6, or names such "
            + "as s140_6.1.1.", valueName: "list")
    var sdReq: SoftDeviceList?
    @Option(
        "The SoftDevice that --softdevice installs, for the application that follows it. Default: the id in the "
            + "file.", valueName: "list")
    var sdId: SoftDeviceList?
    @Flag(help: "For bootloaders built for debugging, which skip the version checks.") var debugMode = false

    /// The required options that are missing, each with an example.
    func missing(for images: NordicImageOptions) -> [String] {
        guard !debugMode else { return [] }
        return [
            hwVersion == nil ? "--hw-version <number> (52 for a stock nRF52)" : nil,
            sdReq == nil && !images.externalApp
                ? "--sd-req <list> (the installed SoftDevice, such as s140_7.2.0)" : nil,
        ].compactMap(\.self)
    }

    var hardware: UInt32 { hwVersion?.value ?? .max }

    /// The ids of the SoftDevices that the application after `softDevice` requires: those of --sd-id, or else the id in
    /// the SoftDevice's image. Empty without a SoftDevice.
    func newSoftDevices(
        with softDevice: FirmwareInput?, _ images: NordicImageOptions
    ) throws(CommandFailure) -> [UInt32] {
        guard let softDevice else { return [] }
        guard let own = SoftDeviceInformation(in: softDevice.bytes)?.id else {
            throw SoftDeviceCheck.refusal(
                "\(softDevice.name) is not a SoftDevice: it has no information structure, and bootloaders would refuse "
                    + "it after the last byte")
        }
        if let given = sdId?.ids {
            try SoftDeviceCheck.requireListed(own, of: softDevice.name, in: given, "--sd-id")
        }
        return sdId?.ids ?? (images.application == nil ? [] : [own])
    }
}
