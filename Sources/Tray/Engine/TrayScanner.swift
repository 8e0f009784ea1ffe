import Bluetooth
import Logging

/// Forwards an adapter's reports to the mailbox until it is cancelled.
struct TrayScanner: Sendable {
    /// The pause before an unusable adapter is tried again.
    private static var pause: Duration { .seconds(2) }

    let adapterSlot: AdapterSlot
    let mailbox: RunMailbox
    let log: Logger

    func listen() async {
        var isDeaf = false
        while !Task.isCancelled {
            do throws(AdapterError) {
                let reports = try await adapterSlot.adapter.advertisements()
                isDeaf = false
                for await report in reports { mailbox.hand(in: .heard(report, by: adapterSlot.number)) }
            } catch {
                if !Task.isCancelled {
                    // Warns once, not on every retry.
                    log.log(level: isDeaf ? .debug : .warning, "\(adapterSlot.name) cannot be used: \(error)")
                    isDeaf = true
                }
            }
            guard !Task.isCancelled else { return }
            // It was unplugged or switched off; listening again waits for its return, or fails if there is none.
            mailbox.say(.adapter(adapterSlot.number, isThere: false))
            try? await adapterSlot.adapter.time.sleep(for: Self.pause)
        }
    }
}
