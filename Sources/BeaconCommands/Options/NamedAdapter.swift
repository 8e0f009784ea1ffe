import BlueZ
import Bluetooth

/// An adapter with its name.
struct NamedAdapter: Sendable {
    /// The name at the start of the run, such as `hci0`.
    let name: String
    /// The address, which identifies it even if its number changes; for simulated adapters the name.
    let key: String
    let adapter: any Adapter

    /// Throws if a kernel adapter cannot scan. Simulated adapters always can.
    func requireListening() async throws(CommandFailure) {
        guard adapter is KernelAdapter else { return }
        do throws(AdapterError) { _ = try await adapter.advertisements() } catch {
            let failure = CommandFailure(from: error)
            guard !failure.message.contains(name) else { throw failure }
            throw failure.becoming(failure.code, "\(name): \(failure.message)")
        }
    }
}
