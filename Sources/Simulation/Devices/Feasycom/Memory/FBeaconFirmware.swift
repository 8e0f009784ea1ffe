/// An application of a Feasycom beacon.
public struct FBeaconFirmware: Hashable, Sendable {
    /// Its version; 830 is displayed as 8.30.
    public var version: UInt16
    /// Its code.
    public var payload: [UInt8]

    /// An application.
    public init(version: UInt16 = 830, payload: [UInt8] = [UInt8](repeating: 0xA5, count: 1024)) {
        self.version = version
        self.payload = payload
    }
}
