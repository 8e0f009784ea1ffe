public import Bluetooth

/// Reads what a device offers, up to a deadline and to limits for services and characteristics that no real beacon
/// reaches.
public struct InventoryReader: Sendable {
    /// The most services to read.
    public static let mostServices = 64
    /// The most characteristics to list.
    public static let mostCharacteristics = 256
    /// The most descriptors of a characteristic to list.
    public static let mostDescriptors = 16

    private let client: any GATTClient
    private let time: Timekeeper
    private let limit: Duration

    /// A reader that stops `limit` after its start.
    public init(_ client: any GATTClient, time: Timekeeper, within limit: Duration) {
        self.client = client
        self.time = time
        self.limit = limit
    }

    /// Reads everything. Throws (`GATTError`) only if the services cannot be listed.
    public func read() async throws -> DeviceInventory {
        var dialogue = InventoryDialogue(within: limit)
        var runner = SessionRunner(with: client, time: time)
        var observer = SilentObserver<Never>()
        do {
            switch try await runner.run(&dialogue, &observer) {
            case .ended(let inventory): return inventory
            // The result so far counts, even if the link is lost.
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
