public import GATT
public import Timing

/// Reads what a device offers. However much that is, it ends: at the deadline, or at a number of services and
/// characteristics that no beacon has.
public struct InventoryReader: Sendable {
    /// As many services are looked into.
    public static let mostServices = 64
    /// As many characteristics are listed.
    public static let mostCharacteristics = 256
    /// As many descriptors of one characteristic are listed.
    public static let mostDescriptors = 16

    private let client: any GATTClient
    private let time: Timekeeper
    private let limit: Duration

    /// A reader that is done `limit` after it began.
    public init(_ client: any GATTClient, time: Timekeeper, within limit: Duration) {
        self.client = client
        self.time = time
        self.limit = limit
    }

    /// Reads everything. Throws (`GATTError`) only when not even the services can be listed.
    public func read() async throws -> DeviceInventory {
        var dialogue = InventoryDialogue(within: limit)
        var runner = SessionRunner(with: client, time: time)
        var observer = SilentObserver<Never>()
        do {
            switch try await runner.run(&dialogue, &observer) {
            case .ended(let inventory): return inventory
            // What has been found out counts, also when the link is lost over the next question.
            case .linkLost: return dialogue.interrupted(by: "the link ended")
            }
        } catch let error as GATTError where Self.endsTheLink(error) {
            try Task.checkCancellation()
            return dialogue.interrupted(by: "\(error)")
        }
    }

    private static func endsTheLink(_ error: GATTError) -> Bool {
        switch error {
        case .disconnected, .cancelled, .transactionTimeout, .unexpectedAnswer, .bearer: true
        case .refused, .malformed, .notEncrypted, .missing, .unsuitable: false
        }
    }
}
