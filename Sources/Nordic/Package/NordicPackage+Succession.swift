import Bytes
import UpdateModel

extension NordicPackage {
    /// Checks that the application runs on the SoftDevice installed before it. Otherwise a device takes the first
    /// part, refuses the second, and is left without an application.
    func successionFindings() -> [Finding] {
        guard let application = parts.first(where: { $0.role == .application }),
            let id = parts.lazy.compactMap(\.softDevice).first
        else { return [] }
        let list = application.initPacket.softDeviceRequirements
        guard let first = list.first, first != 0, !list.contains(id.id) else { return [] }
        let words = "does not list \(HexText.number(id.id)), the SoftDevice that is installed before it"
        return [application.error("softdevice-not-listed", "InitCommand.sd_req", words)]
    }
}

extension NordicPart {
    /// The SoftDevice information in the part's image; nil for parts without a SoftDevice.
    public var softDevice: SoftDeviceInformation? {
        role == .softdevice || role == .softdeviceBootloader ? SoftDeviceInformation(in: image) : nil
    }

    /// Checks the image against the part's role, by the structure that every SoftDevice has.
    func softDeviceImageFindings() -> [Finding] {
        let has = SoftDeviceInformation(in: image) != nil
        switch role {
        case .softdevice, .softdeviceBootloader:
            guard !has else { return [] }
            return [
                warning("softdevice-unrecognised", nil, "\(binFile) lacks the structure of a SoftDevice")
            ]
        case .application:
            guard has else { return [] }
            return [warning("application-is-softdevice", nil, "\(binFile) begins with a SoftDevice")]
        case .bootloader: return []
        }
    }
}
