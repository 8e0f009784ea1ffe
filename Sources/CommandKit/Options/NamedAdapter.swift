import BlueZ
package import Bluetooth

/// An adapter with its name.
package struct NamedAdapter: Sendable {
    /// The name at the start of the run, such as `hci0`.
    package let name: String
    /// The address, which identifies it even if its number changes; for simulated adapters the name.
    package let key: String
    package let adapter: any Adapter

    /// Throws if a kernel adapter cannot scan. Simulated adapters always can.
    package func requireListening() async throws(CommandFailure) {
        guard adapter is KernelAdapter else { return }
        do throws(AdapterError) { _ = try await adapter.advertisements() } catch {
            let failure = CommandFailure(from: error)
            guard !failure.message.contains(name) else { throw failure }
            throw failure.becoming(failure.code, "\(name): \(failure.message)")
        }
    }
}
