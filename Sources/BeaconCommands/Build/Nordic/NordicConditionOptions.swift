import ArgumentParser
import NordicDFU

/// What a device must be to take a Nordic package.
struct NordicConditionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The hardware version, 52 for a stock nRF52.", valueName: "number"),
        transform: WholeNumber<UInt32>.reading)
    var hwVersion: WholeNumber<UInt32>?
    @Option(
        help: ArgumentHelp(
            "The SoftDevices of which one must be installed, separated by commas: ids such as 0xB6, or names such "
                + "as s140_6.1.1.", valueName: "list"), transform: SoftDeviceList.reading)
    var sdReq: SoftDeviceList?
    @Option(
        help: ArgumentHelp(
            "The SoftDevice that --softdevice installs, for the application that follows it. Default: what the file "
                + "itself says.", valueName: "list"), transform: SoftDeviceList.reading)
    var sdId: SoftDeviceList?
    @Flag(help: "For bootloaders built for debugging, which skip the version checks.")
    var debugMode = false

    /// The options that are missing, each with what it looks like.
    func missing(for images: NordicImageOptions) -> [String] {
        guard !debugMode else { return [] }
        return [
            hwVersion == nil ? "--hw-version <number> (52 for a stock nRF52)" : nil,
            sdReq == nil && !images.externalApp
                ? "--sd-req <list> (the SoftDevice that the device has, such as s140_7.2.0)" : nil,
        ].compactMap(\.self)
    }

    func check(against images: NordicImageOptions) throws {
        guard sdId == nil || images.softdevice != nil else {
            throw ValidationError(
                "--sd-id needs --softdevice; --sd-req names the one that is installed already")
        }
    }

    var hardware: UInt32 { hwVersion?.value ?? .max }

    func requirements(for images: NordicImageOptions) -> [UInt32] { sdReq?.ids ?? [SoftDeviceCheck.any] }

    /// The SoftDevices that the application after `softDevice` is for, from the option or from the image itself.
    func newSoftDevices(
        with softDevice: FirmwareInput?, _ images: NordicImageOptions
    ) throws(CommandFailure) -> [UInt32] {
        guard let softDevice else { return [] }
        guard let own = SoftDeviceInformation(in: softDevice.bytes)?.id else {
            throw SoftDeviceCheck.refusal(
                "\(softDevice.name) is not a SoftDevice: it has no information structure, and devices would refuse it "
                    + "after the last byte")
        }
        if let given = sdId?.ids {
            try SoftDeviceCheck.demand(own, of: softDevice.name, in: given, "--sd-id")
        }
        return sdId?.ids ?? (images.application == nil ? [] : [own])
    }
}
