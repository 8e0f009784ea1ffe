import ArgumentParser
import Bytes
import CommandKit
import Nordic
import UpdateModel

/// The images of a Nordic package, their versions, and how they are checked at every start.
struct NordicImageOptions: ParsableArguments {
    @Option("The application.", valueName: "file", completion: .file()) var application: String?
    @Option("Its version, as a number.", valueName: "number") var applicationVersion: WholeNumber<UInt32>?
    @Option("Its version in three parts: 2.7.31 makes 20731.", valueName: "major.minor.patch")
    var applicationVersionString: VersionText?
    @Option("How the bootloader checks it at every start (SDK 15.3 and later).", valueName: "check")
    var appBootValidation: BootCheckName?
    @Flag(help: "The application is for another chip that this one updates.") var externalApp = false
    @Option("The bootloader.", valueName: "file", completion: .file()) var bootloader: String?
    @Option("Its version; bootloaders take only a higher one.", valueName: "number")
    var bootloaderVersion: WholeNumber<UInt32>?
    @Option("The SoftDevice.", valueName: "file", completion: .file()) var softdevice: String?
    @Option("How the bootloader checks it at every start.", valueName: "check")
    var sdBootValidation: BootCheckName?

    /// The highest version; nrfutil's default in debug mode.
    private static let highestVersion = UInt32.max

    /// Whether the bootloader checks an image by a signature at every start, which needs a key.
    var needKey: Bool { [appBootValidation, sdBootValidation].contains { $0?.check == .signature } }

    var paths: [String?] { [application, bootloader, softdevice] }

    private var version: UInt32? { applicationVersionString?.value ?? applicationVersion?.value }

    /// The required options that are missing, each with an example.
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
        try require(
            application == nil || bootloader == nil || softdevice != nil,
            "a bootloader and an application cannot be in one package without a SoftDevice: make two packages, "
                + "and install the bootloader's first")
        try require(
            applicationVersion == nil || applicationVersionString == nil,
            "give --application-version or --application-version-string, not both")
    }

    func check(isDebug: Bool) throws {
        try requireImage(application, for: version, "--application-version", "--application")
        try requireImage(application, for: appBootValidation, "--app-boot-validation", "--application")
        try requireImage(bootloader, for: bootloaderVersion, "--bootloader-version", "--bootloader")
        try requireImage(softdevice, for: sdBootValidation, "--sd-boot-validation", "--softdevice")
        if externalApp, application == nil || bootloader != nil || softdevice != nil {
            throw ValidationError("--external-app needs --application, and no other image")
        }
        guard !isDebug else { return }
        try require(
            version != Self.highestVersion && bootloaderVersion?.value != Self.highestVersion,
            "no later version could follow 0xFFFFFFFF: beacons would keep this one forever")
    }

    private func requireImage<T>(_ image: String?, for option: T?, _ name: String, _ needed: String) throws {
        try require(option == nil || image != nil, "\(name) needs \(needed)")
    }

    func softDeviceInput(_ console: Console) throws(CommandFailure) -> FirmwareInput? {
        try input(softdevice, version: Self.highestVersion, sdBootValidation, console)
    }

    func bootloaderInput(_ console: Console) throws(CommandFailure) -> FirmwareInput? {
        let version = bootloaderVersion?.value ?? Self.highestVersion
        return try input(bootloader, version: version, nil, withoutSoftDevice: "--bootloader", console)
    }

    func applicationInput(_ console: Console) throws(CommandFailure) -> FirmwareInput? {
        try input(
            application, version: version ?? Self.highestVersion, appBootValidation,
            withoutSoftDevice: "--application", console)
    }

    private func input(
        _ path: String?, version: UInt32, _ check: BootCheckName?, withoutSoftDevice option: String? = nil,
        _ console: Console
    ) throws(CommandFailure) -> FirmwareInput? {
        guard let path else { return nil }
        let (name, bytes) = (
            ImageInput.fileName(path), try ImageInput(path: path).bytes(forNordic: true, console)
        )
        if let option { try SoftDeviceCheck.refuseSoftDevice(in: bytes, name, option) }
        return FirmwareInput(name: name, bytes: bytes, version: version, bootCheck: check?.check ?? .crc)
    }
}

/// Checks SoftDevices against the options. Bootloaders detect a contradiction only after the last byte, or never.
enum SoftDeviceCheck {
    /// The id that nrfutil writes if no SoftDevice is required: bootloaders that know it accept any SoftDevice.
    static let any: UInt32 = 0xFFFE

    /// Throws if `image`, from the file `name` of `option`, begins with a SoftDevice, as merged files do: beacons would
    /// write it behind the SoftDevice that they have.
    static func refuseSoftDevice(in image: [UInt8], _ name: String, _ option: String) throws(CommandFailure) {
        guard SoftDeviceInformation(in: image) != nil else { return }
        let part = option.dropFirst(2)
        throw refusal(
            "\(name) begins with a SoftDevice: give \(option) the file that has the \(part) alone, before merging",
            nextStep: "give the file from the \(part)'s build; give a SoftDevice with --softdevice")
    }

    /// Throws if `list`, the ids of SoftDevices in `option`, lacks `id`, that of the SoftDevice in the file `name`.
    static func requireListed(
        _ id: UInt32, of name: String, in list: [UInt32], _ option: String
    ) throws(CommandFailure) {
        guard !list.contains(id) else { return }
        let number = HexText.number(id, uppercase: true)
        throw refusal(
            "\(name) has the id \(SoftDeviceNames.text(of: id)), which \(option) does not list",
            nextStep:
                "add \(number) to \(option): the application has to accept the SoftDevice that it comes with")
    }

    static func refusal(_ message: String, nextStep: String? = nil) -> CommandFailure {
        CommandFailure(
            .file.buildRefused, during: "reading the firmware", message: message, nextStep: nextStep)
    }
}

/// SoftDevices in the given order: `0xB6,s140_7.2.0`.
struct SoftDeviceList: ExplainedArgument {
    let ids: [UInt32]

    init?(argument: String) {
        var ids: [UInt32] = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let word = word.filter { $0 != " " }
            guard let id = WholeNumber<UInt32>(argument: word)?.value ?? SoftDeviceNames.id(of: word),
                id <= 0xFFFF
            else { return nil }
            ids.append(id)
        }
        self.ids = ids
    }

    static func flaw(in text: String) -> String {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let unknown = words.first { SoftDeviceList(argument: $0) == nil } ?? text
        let names = SoftDeviceNames.all
        let family = names.filter { $0.hasPrefix(unknown.lowercased() + "_") }
        let hint = Spelling.hint(for: unknown, in: names)
        let advice =
            !family.isEmpty
            ? "; give one of \(family.joined(separator: ", "))"
            : !hint.isEmpty ? hint : "; `beacon-dfu inspect` shows the id of a SoftDevice's file"
        return "'\(unknown)' is neither an id of a SoftDevice such as 0xB6 nor a name such as s140_6.1.1"
            + advice
    }
}
