import ArgumentParser
import CommandKit
import Nordic

/// The conditions under which a beacon takes a Nordic package.
struct NordicConditionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The hardware version, 52 for a stock nRF52.", valueName: "number"),
        transform: WholeNumber<UInt32>.reading)
    var hwVersion: WholeNumber<UInt32>?
    @Option(
        help: ArgumentHelp(
            "The SoftDevices, one of which must be installed, separated by commas: ids such as 0xB6, or names such "
                + "as s140_6.1.1.", valueName: "list"), transform: SoftDeviceList.reading)
    var sdReq: SoftDeviceList?
    @Option(
        help: ArgumentHelp(
            "The SoftDevice that --softdevice installs, for the application that follows it. Default: the id in the "
                + "file.", valueName: "list"), transform: SoftDeviceList.reading)
    var sdId: SoftDeviceList?
    @Flag(help: "For bootloaders built for debugging, which skip the version checks.")
    var debugMode = false

    /// The missing options, each with an example.
    func missing(for images: NordicImageOptions) -> [String] {
        guard !debugMode else { return [] }
        return [
            hwVersion == nil ? "--hw-version <number> (52 for a stock nRF52)" : nil,
            sdReq == nil && !images.externalApp
                ? "--sd-req <list> (the installed SoftDevice, such as s140_7.2.0)" : nil,
        ].compactMap(\.self)
    }

    func check(against images: NordicImageOptions) throws {
        guard sdId == nil || images.softdevice != nil else {
            throw ValidationError(
                "--sd-id needs --softdevice; --sd-req names the installed one")
        }
    }

    var hardware: UInt32 { hwVersion?.value ?? .max }

    func requirements(for images: NordicImageOptions) -> [UInt32] { sdReq?.ids ?? [SoftDeviceCheck.any] }

    /// The SoftDevices for the application after `softDevice`, from the option or from the image itself.
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
            try SoftDeviceCheck.demand(own, of: softDevice.name, in: given, "--sd-id")
        }
        return sdId?.ids ?? (images.application == nil ? [] : [own])
    }
}
