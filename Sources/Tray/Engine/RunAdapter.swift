package import Bluetooth
import Logging

/// An adapter of a run, and how many links it may have at a time.
package struct RunAdapter: Sendable {
    package let number: AdapterNumber
    /// The adapter's name, for example `hci0`.
    package let name: String
    package let adapter: any Adapter
    package let slots: LinkSlots

    package init(_ number: AdapterNumber, _ name: String, _ adapter: any Adapter, slots: LinkSlots) {
        (self.number, self.name, self.adapter, self.slots) = (number, name, adapter, slots)
    }

    /// The pause before an unusable adapter is tried again.
    private static var pause: Duration { .seconds(2) }

    /// Forwards the adapter's reports to `mailbox` until the task is cancelled.
    func listen(for mailbox: RunMailbox, _ log: Logger) async {
        var isReported = false
        while !Task.isCancelled {
            do throws(AdapterError) {
                let reports = try await adapter.advertisements()
                isReported = false
                for await report in reports { mailbox.send(.heard(report, by: number)) }
            } catch {
                if !Task.isCancelled {
                    // Warns once, not on every retry.
                    log.log(level: isReported ? .debug : .warning, "\(name) cannot be used: \(error)")
                    isReported = true
                }
            }
            guard !Task.isCancelled else { return }
            // The adapter was unplugged or switched off: listening fails until it is back.
            mailbox.send(.fact(.adapter(number, isThere: false)))
            try? await adapter.time.sleep(for: Self.pause)
        }
    }
}
