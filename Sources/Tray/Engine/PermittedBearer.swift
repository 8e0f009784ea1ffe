import Bluetooth
import Synchronization

/// A channel that reports when packets have passed, and when its link is left.
final class PermittedBearer<Base: Bearer>: Bearer {
    /// Packets per report: few enough to notice a stalled link.
    private static var group: Int { 8 }

    let base: Base
    private let passed: @Sendable () -> Void
    private let left: @Sendable () -> Void
    private let isLeft = Atomic<Bool>(false)

    init(_ base: Base, passed: @escaping @Sendable () -> Void, left: @escaping @Sendable () -> Void) {
        self.base = base
        self.passed = passed
        self.left = left
    }

    deinit { leave() }

    func send(_ packet: [UInt8]) async throws(BearerError) {
        try await base.send(packet)
        passed()
    }

    func send(
        _ bytes: ArraySlice<UInt8>, inPacketsOf length: Int, after header: [UInt8]
    ) async throws(BearerError) {
        guard length > 0 else { return try await base.send(bytes, inPacketsOf: length, after: header) }
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: length * Self.group) {
            let end = min(start + length * Self.group, bytes.endIndex)
            try await base.send(bytes[start..<end], inPacketsOf: length, after: header)
            passed()
        }
    }

    func receive() async throws(BearerError) -> [UInt8]? {
        let packet = try await base.receive()
        passed()
        return packet
    }

    func close() {
        base.close()
        leave()
    }

    private func leave() {
        if !isLeft.exchange(true, ordering: .relaxed) { left() }
    }
}
