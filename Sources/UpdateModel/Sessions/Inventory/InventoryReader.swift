public import Bluetooth

/// Reads what a device offers, up to a deadline and to limits for services and characteristics that no real beacon
/// reaches.
public struct InventoryReader: Sendable {
    public static let mostServices = 64
    public static let mostCharacteristics = 256
    /// The most descriptors of a characteristic to list.
    public static let mostDescriptors = 16

    private let client: any GATTClient
    private let time: Timekeeper
    private let limit: Duration

    public init(_ client: any GATTClient, time: Timekeeper, within limit: Duration) {
        (self.client, self.time, self.limit) = (client, time, limit)
    }

    /// Reads everything. Throws (`GATTError`) only if the services cannot be listed.
    public func read() async throws -> DeviceInventory {
        var dialogue = InventoryDialogue(within: limit)
        var runner = SessionRunner(with: client, time: time)
        var observer = SilentObserver<Never>()
        do {
            return try await runner.run(&dialogue, &observer)
        } catch let error as GATTError where error.endsLink {
            // The result so far counts, even if the link is lost.
            try Task.checkCancellation()
            return dialogue.interrupted(by: "\(error)")
        }
    }
}
