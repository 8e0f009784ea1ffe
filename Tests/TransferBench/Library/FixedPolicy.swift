/// How a well-known tool paces itself: fixed numbers, whatever the device.
public struct FixedPolicy: Hashable, Sendable {
    /// What it is, and who does so.
    public let name: String
    /// Packets per receipt; 0 for none.
    public var receipts = 0
    /// Wait after the first Create of an object.
    public var firstWait = Duration.zero
    /// Wait after every other.
    public var laterWait = Duration.zero
    /// The longest packet, whatever the MTU allows.
    public var longestPacket = 244

    /// Mobile libraries' ways, and what older scripts do. Nordic's library for iOS waits 0.4 s before the first object
    /// and asks for a receipt after 12 packets; its library for Android has an option to wait 0.4 s before each;
    /// nrfutil asks for none; one receipt a packet and 20-byte packets are what remains safe elsewhere.
    public static let all = [
        FixedPolicy(name: "PRN 12, 400 ms first", receipts: 12, firstWait: .milliseconds(400)),
        FixedPolicy(
            name: "400 ms each object", firstWait: .milliseconds(400), laterWait: .milliseconds(400)),
        FixedPolicy(name: "PRN off"),
        FixedPolicy(name: "PRN 1", receipts: 1),
        FixedPolicy(name: "20-byte packets", longestPacket: 20),
    ]
}
