import Bluetooth

/// The version in a Feasycom beacon's frame: service data FFF0, with the number in the second and third byte
/// (beacon-frames.md, Feasycom).
enum VersionFrame {
    /// The version in a report; nil if it has no such frame. The vendor's table gives the length as 10 bytes
    /// instead of 11.
    static func version(in report: AdvertisingData) -> UInt16? {
        for element in report.elements {
            guard case .serviceData(FBeaconService.uuid, let bytes) = element,
                (10...11).contains(bytes.count)
            else { continue }
            return UInt16(bytes[1]) << 8 | UInt16(bytes[2])
        }
        return nil
    }
}
