/// The pacing of a well-known tool: fixed numbers, whatever the device.
public struct FixedPolicy: Hashable, Sendable {
    /// The pacing, and the tools that use it.
    public let name: String
    /// Packets per receipt; 0 for none.
    public var receipts = 0
    /// Wait after the first Create of an object.
    public var firstWait = Duration.zero
    /// Wait after every other Create.
    public var laterWait = Duration.zero
    /// The longest packet, whatever the MTU allows.
    public var longestPacket = 244

    /// The policies of mobile libraries and of older scripts. Nordic's library for iOS waits 0.4 s before the first
    /// object and requests a receipt after 12 packets; its library for Android has an option to wait 0.4 s before each;
    /// nrfutil requests none; one receipt per packet and 20-byte packets remain safe elsewhere.
    public static let all = [
        FixedPolicy(name: "PRN 12, 400 ms first", receipts: 12, firstWait: .milliseconds(400)),
        FixedPolicy(
            name: "400 ms each object", firstWait: .milliseconds(400), laterWait: .milliseconds(400)),
        FixedPolicy(name: "PRN off"),
        FixedPolicy(name: "PRN 1", receipts: 1),
        FixedPolicy(name: "20-byte packets", longestPacket: 20),
    ]
}
