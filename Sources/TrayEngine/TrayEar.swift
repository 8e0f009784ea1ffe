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
    let report: @Sendable (TrayEvent) -> Void
    /// Whether the adapter was there when it began to listen.
    let wasThere: Bool

    func listen() async {
        var isThere = wasThere
        while !Task.isCancelled {
            do throws(AdapterError) {
                for await report in try await seat.adapter.advertisements() {
                    if !isThere { note(true, &isThere) }
                    desk.hand(in: .heard(report, by: seat.number))
                }
            } catch {
                log.info("\(seat.name): \(error)")
            }
            guard !Task.isCancelled else { return }
            // It was unplugged or switched off; to listen again waits for its return, or says that there is none.
            if isThere { note(false, &isThere) }
            try? await seat.adapter.time.sleep(for: Self.pause)
        }
    }

    private func note(_ presence: Bool, _ isThere: inout Bool) {
        isThere = presence
        desk.say(.adapter(seat.number, isThere: presence))
        report(.presence(seat.number, isThere: presence))
    }
}
