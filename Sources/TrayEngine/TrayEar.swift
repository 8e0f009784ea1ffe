import Logging
import Radio
import Timing
import Tray

/// Hands in what an adapter hears, for as long as it is let.
struct TrayEar: Sendable {
    /// How long to wait before an adapter is asked again that says it cannot be used.
    private static var pause: Duration { .seconds(2) }

    let seat: TraySeat
    let desk: TrayDesk
    let log: Logger

    func listen() async {
        var isDeaf = false
        while !Task.isCancelled {
            do throws(AdapterError) {
                let reports = try await seat.adapter.advertisements()
                isDeaf = false
                for await report in reports { desk.hand(in: .heard(report, by: seat.number)) }
            } catch {
                if !Task.isCancelled {
                    // Once, and not whenever it is asked again.
                    log.log(level: isDeaf ? .debug : .warning, "\(seat.name) is not used: \(error)")
                    isDeaf = true
                }
            }
            guard !Task.isCancelled else { return }
            // It was unplugged or switched off; to listen again waits for its return, or says that there is none.
            desk.say(.adapter(seat.number, isThere: false))
            try? await seat.adapter.time.sleep(for: Self.pause)
        }
    }
}
