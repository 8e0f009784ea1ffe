import GATT
import Synchronization
import Timing

/// The device's end of a link over which lies are told.
final class LyingBearer<Base: Bearer>: Bearer {
    private let base: Base
    private let time: Timekeeper
    /// The lies that are told by now.
    private let lies: @Sendable () async -> Set<AttributeLie>
    private let liar = Mutex(AttributeLiar())

    /// Between two packets that nobody has asked for.
    private static var pause: Duration { .milliseconds(5) }

    init(_ base: Base, time: Timekeeper, telling lies: @escaping @Sendable () async -> Set<AttributeLie>) {
        self.base = base
        self.time = time
        self.lies = lies
    }

    func receive() async throws(BearerError) -> [UInt8]? {
        while let packet = try await base.receive() {
            let lies = await lies()
            guard let answer = liar.withLock({ $0.hear(packet, telling: lies) }) else { return packet }
            try await send(answer)
        }
        return nil
    }

    func send(_ packet: [UInt8]) async throws(BearerError) {
        let saying = liar.withLock { $0.say(packet) }
        if saying.delay > .zero {
            do { try await time.sleep(for: saying.delay) } catch { throw .cancelled }
        }
        for packet in saying.packets { try await base.send(packet) }
    }

    func close() { base.close() }

    /// Sends what nobody has asked for until the link ends.
    func flood() async {
        while (try? await time.sleep(for: Self.pause)) != nil {
            guard let packet = liar.withLock({ $0.flood() }) else { continue }
            guard (try? await base.send(packet)) != nil else { return }
        }
    }
}
