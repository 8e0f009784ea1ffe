import ArgumentParser
import CommandKit
import Nordic
import UpdateModel

/// Makes a package for Nordic's Secure DFU; options and defaults are those of `nrfutil pkg generate`.
struct BuildNordic: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: BuildCommand.nordic.rawValue,
        abstract: "Make a package for Nordic Secure DFU (nRF5 SDK 12 to 17.1).",
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
        help: ArgumentHelp(
            "The signing key, a PEM file. Without it the package is not signed.", valueName: "file"),
        completion: .file(extensions: ["pem"]))
    var keyFile: String?
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { images.paths + [keyFile] }

    func validate() throws {
        try images.checkCombination()
        let missing = images.missing(isDebug: conditions.debugMode) + conditions.missing(for: images)
        guard missing.isEmpty else {
            throw ValidationError("missing: " + missing.joined(separator: ", "))
        }
        try images.check(isDebug: conditions.debugMode)
        try conditions.check(against: images)
        guard keyFile != nil || !images.needKey else {
            throw ValidationError("VALIDATE_ECDSA_P256_SHA256 needs --key-file")
        }
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let key = try keyFile.map { (path) throws(CommandFailure) in
            try KeyFile(path: path).privateKey(console)
        }
        var recipe = NordicPackageRecipe(
            hardware: conditions.hardware, softDevices: conditions.requirements(for: images))
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
        return try BuiltFile(bytes, under: outputs).write(to: output, as: .package, console)
    }
}
