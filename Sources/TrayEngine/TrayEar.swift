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
        while !Task.isCancelled {
            do throws(AdapterError) {
                for await report in try await seat.adapter.advertisements() {
                    desk.hand(in: .heard(report, by: seat.number))
                }
            } catch {
                log.info("\(seat.name): \(error)")
            }
            guard !Task.isCancelled else { return }
            // It was unplugged or switched off; to listen again waits for its return, or says that there is none.
            desk.say(.adapter(seat.number, isThere: false))
            try? await seat.adapter.time.sleep(for: Self.pause)
        }
    }
}
