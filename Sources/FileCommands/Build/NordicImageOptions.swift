import ArgumentParser
import CommandKit
import Nordic

/// The images of a Nordic package, their versions, and how they are checked at every start.
struct NordicImageOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The application.", valueName: "file"), completion: .file())
    var application: String?
    @Option(
        help: ArgumentHelp("Its version, as a number.", valueName: "number"),
        transform: WholeNumber<UInt32>.reading)
    var applicationVersion: WholeNumber<UInt32>?
    @Option(
        help: ArgumentHelp(
            "Its version in three parts: 2.7.31 makes 20731.", valueName: "major.minor.patch"),
        transform: VersionText.reading)
    var applicationVersionString: VersionText?
    @Option(
        help: ArgumentHelp(
            "How the bootloader checks it at every start (SDK 15.3 and later).", valueName: "check"))
    var appBootValidation: BootCheckName?
    @Flag(help: "The application is for another chip that this one updates.") var externalApp = false
    @Option(help: ArgumentHelp("The bootloader.", valueName: "file"), completion: .file())
    var bootloader: String?
    @Option(
        help: ArgumentHelp("Its version; bootloaders take only a higher one.", valueName: "number"),
        transform: WholeNumber<UInt32>.reading)
    var bootloaderVersion: WholeNumber<UInt32>?
    @Option(help: ArgumentHelp("The SoftDevice.", valueName: "file"), completion: .file())
    var softdevice: String?
    @Option(help: ArgumentHelp("How the bootloader checks it at every start.", valueName: "check"))
    var sdBootValidation: BootCheckName?

    /// The highest version; nrfutil's default in debug mode.
    private static let final = UInt32.max

    /// Whether a check at start is a signature.
    var needKey: Bool { [appBootValidation, sdBootValidation].contains { $0?.check == .signature } }

    /// The given files.
    var paths: [String?] { [application, bootloader, softdevice] }

    private var version: UInt32? { applicationVersionString?.value ?? applicationVersion?.value }

    /// The missing options, each with an example.
    func missing(isDebug: Bool) -> [String] {
        let isWithoutImage = application == nil && bootloader == nil && softdevice == nil
        return [
            isWithoutImage ? "an image (--application, --bootloader or --softdevice <file>)" : nil,
            !isDebug && application != nil && version == nil
                ? "--application-version <number> (or --application-version-string <major.minor.patch>)"
                : nil,
            !isDebug && bootloader != nil && bootloaderVersion == nil ? "--bootloader-version <number>" : nil,
        ].compactMap(\.self)
    }

    /// Throws if the images, or the ways to give a version, cannot be combined.
    func checkCombination() throws {
        guard application == nil || bootloader == nil || softdevice != nil else {
            throw ValidationError(
                "a bootloader and an application cannot be in one package without a SoftDevice: make two packages, "
                    + "and install the bootloader's first")
        }
        guard applicationVersion == nil || applicationVersionString == nil else {
            throw ValidationError("give --application-version or --application-version-string, not both")
        }
    }

    func check(isDebug: Bool) throws {
        try demand(application, for: version, "--application-version", "--application")
        try demand(application, for: appBootValidation, "--app-boot-validation", "--application")
        try demand(bootloader, for: bootloaderVersion, "--bootloader-version", "--bootloader")
        try demand(softdevice, for: sdBootValidation, "--sd-boot-validation", "--softdevice")
        if externalApp, application == nil || bootloader != nil || softdevice != nil {
            throw ValidationError("--external-app needs --application, and no other image")
        }
        guard !isDebug else { return }
        guard version != Self.final, bootloaderVersion?.value != Self.final else {
            throw ValidationError(
                "no later version could follow 0xFFFFFFFF: beacons would keep this one forever")
        }
    }

    private func demand<T>(_ image: String?, for option: T?, _ name: String, _ needed: String) throws {
        guard option == nil || image != nil else { throw ValidationError("\(name) needs \(needed)") }
    }

    func softDeviceInput(_ console: Console) throws(CommandFailure) -> FirmwareInput? {
        try input(softdevice, version: Self.final, sdBootValidation, console)
    }

    func bootloaderInput(_ console: Console) throws(CommandFailure) -> FirmwareInput? {
        try SoftDeviceCheck.withoutSoftDevice(
            input(bootloader, version: bootloaderVersion?.value ?? Self.final, nil, console), "--bootloader")
    }

    func applicationInput(_ console: Console) throws(CommandFailure) -> FirmwareInput? {
        try SoftDeviceCheck.withoutSoftDevice(
            input(application, version: version ?? Self.final, appBootValidation, console), "--application")
    }

    private func input(
        _ path: String?, version: UInt32, _ check: BootCheckName?, _ console: Console
    ) throws(CommandFailure) -> FirmwareInput? {
        guard let path else { return nil }
        return FirmwareInput(
            name: SoftDeviceCheck.fileName(path), bytes: try ImageInput(path: path).nordicImage(console),
            version: version,
            bootCheck: check?.check ?? .crc)
    }
}
