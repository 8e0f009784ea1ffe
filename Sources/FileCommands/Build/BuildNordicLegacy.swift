import ArgumentParser
import Bytes
import CommandKit
import Nordic
import UpdateModel

/// Makes a Legacy package with the options of nrfutil 0.5 and adafruit-nrfutil (`dfu genpkg`).
struct BuildNordicLegacy: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "nordic-legacy",
        abstract: "Make a package for Nordic's Legacy DFU (nRF5 SDK 11 and earlier, Adafruit).",
        discussion: """
            Example: `beacon-dfu build nordic-legacy blinker.zip --application blinker.hex --sd-req 0x67`.

            A SoftDevice and a bootloader become one part. For Adafruit's bootloader give --dev-type 0x0052, and \
            with a SoftDevice or a bootloader the chip's --dev-revision: 0xADAF, 52833 or 52840.
            """)

    @Argument(help: "The package to write.", completion: .file()) var package: String
    @Option("The application (.hex or .bin).", valueName: "file") var application: String?
    @Option("The application's version. Default: 0xFFFFFFFF, none.", valueName: "number")
    var applicationVersion: WholeNumber<UInt32>?
    @Option("The bootloader (.hex or .bin).", valueName: "file") var bootloader: String?
    @Option("The SoftDevice (.hex or .bin).", valueName: "file") var softdevice: String?
    @Option("The device type. Default: 0xFFFF, any.", valueName: "number") var devType: WholeNumber<UInt32>?
    @Option("The device revision. Default: 0xFFFF, any.", valueName: "number")
    var devRevision: WholeNumber<UInt32>?
    @Option(
        "SoftDevices, one of which must be installed, such as 0x4F,0x5A. Default: 0xFFFE, any.",
        valueName: "ids")
    var sdReq: SoftDeviceList?
    @Option(
        help: ArgumentHelp(
            "Generation of the init packet: 0.5, 0.6, 0.7 or 0.8. Default: 0.5, or 0.8 with a key.",
            valueName: "version"),
        transform: Self.generation)
    var dfuVer: LegacyGeneration?
    @Option("The key that signs a packet of 0.8 (PEM).", valueName: "file") var keyFile: String?
    @OptionGroup var writing: WritingOptions

    var inputs: [String?] { [application, bootloader, softdevice, keyFile] }

    func validate() throws {
        try require(
            application != nil || bootloader != nil || softdevice != nil,
            "give --application, --bootloader or --softdevice")
        for (name, number) in [("--dev-type", devType), ("--dev-revision", devRevision)] {
            try require((number?.value ?? 0) <= UInt16.max, "\(name) is at most 0xFFFF")
        }
        if let dfuVer, dfuVer != .signedHash, keyFile != nil {
            throw ValidationError("--key-file requires --dfu-ver 0.8")
        }
        try require(dfuVer != .signedHash || keyFile != nil, "--dfu-ver 0.8 needs --key-file")
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        var recipe = LegacyRecipe()
        recipe.application = try firmware(application, withoutSoftDevice: "--application", console)
        recipe.bootloader = try firmware(bootloader, withoutSoftDevice: "--bootloader", console)
        recipe.softDevice = try firmware(softdevice, console)
        try check(recipe.softDevice, console)
        recipe.deviceType = devType.map { UInt16($0.value) } ?? recipe.deviceType
        recipe.deviceRevision = devRevision.map { UInt16($0.value) } ?? recipe.deviceRevision
        recipe.applicationVersion = applicationVersion?.value ?? recipe.applicationVersion
        recipe.softDeviceRequirements = sdReq.map { $0.ids.map(UInt16.init) } ?? recipe.softDeviceRequirements
        recipe.generation = dfuVer ?? (keyFile == nil ? .crc16 : .signedHash)
        let key = try keyFile.map { path throws(CommandFailure) in
            try KeyFile(path: path).privateKey(console)
        }
        return try write(try zipped(recipe, signedBy: key), to: package, as: .package, console)
    }

    private func firmware(
        _ path: String?, withoutSoftDevice option: String? = nil, _ console: Console
    ) throws(CommandFailure) -> LegacyRecipe.Firmware? {
        guard let path else { return nil }
        let file = ImageInput.fileName(path)
        let isNamed = file.hasSuffix(".hex") || file.hasSuffix(".bin")
        let bytes = try ImageInput(path: path).bytes(forNordic: true, console)
        if let option { try SoftDeviceCheck.refuseSoftDevice(in: bytes, file, option) }
        return LegacyRecipe.Firmware(name: isNamed ? String(file.dropLast(4)) : file, bytes: bytes)
    }

    /// Throws if --sd-req lacks the id of `softDevice`. SoftDevice and application share this list: if it names only
    /// the old SoftDevice, the beacon installs the new one, erases the old application and refuses the new one.
    private func check(_ softDevice: LegacyRecipe.Firmware?, _ console: Console) throws(CommandFailure) {
        guard let softDevice, let path = softdevice else { return }
        let name = ImageInput.fileName(path)
        guard let own = SoftDeviceInformation(in: softDevice.bytes)?.id else {
            let unchecked =
                application != nil && sdReq?.ids.contains(SoftDeviceCheck.any) == false
                ? "; make sure that --sd-req lists its id, or the application is refused after it" : ""
            console.warn(
                .nordicFinding.softdeviceUnrecognised,
                "\(name) has no information structure: it is very old, or not a SoftDevice\(unchecked)")
            return
        }
        guard application != nil, let list = sdReq?.ids, !list.contains(SoftDeviceCheck.any) else { return }
        try SoftDeviceCheck.requireListed(own, of: name, in: list, "--sd-req")
    }

    private func zipped(
        _ recipe: LegacyRecipe, signedBy key: NordicPrivateKey?
    ) throws(CommandFailure) -> [UInt8] {
        do {
            var archive = ZipWriter()
            for entry in try recipe.entries(signedBy: key) { try archive.add(entry.name, entry.bytes) }
            return try archive.file()
        } catch {
            throw CommandFailure(.file.buildRefused, during: "making the package", message: "\(error)")
        }
    }

    @Sendable private static func generation(_ text: String) throws -> LegacyGeneration {
        guard let generation = LegacyGeneration(rawValue: text) else {
            let names = LegacyGeneration.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--dfu-ver is one of \(names)")
        }
        return generation
    }
}
