import Logging
import Radio
import Timing
import Tray

/// Hands in what an adapter hears, for as long as it is let.
struct TrayScanner: Sendable {
    /// How long to wait before an adapter is asked again that says it cannot be used.
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
                    // Once, and not whenever it is asked again.
                    log.log(level: isDeaf ? .debug : .warning, "\(adapterSlot.name) is not used: \(error)")
                    isDeaf = true
                }
            }
            guard !Task.isCancelled else { return }
            // It was unplugged or switched off; to listen again waits for its return, or says that there is none.
            mailbox.say(.adapter(adapterSlot.number, isThere: false))
            try? await adapterSlot.adapter.time.sleep(for: Self.pause)
        }
    }
}
