import Bytes
package import CommandKit
import Tray
import TrayJournal
import UpdateModel
import Work

extension TrayCommand {
    /// The session, limited to the units that the station can claim.
    func claiming(_ batch: BatchRun, of work: TrayWork) async throws -> BatchRun {
        guard work.order != nil else { return batch }
        let slots = try batch.targets.map { target in
            try TraySlot(target.slot, device: target.device, id: target.label)
        }
        let share: TrayWork.Share
        do throws(WorkError) { share = try await work.claim(slots, heard: nil) } catch {
            // Claims that still last long enough are valid without the work server.
            let claims = try await batch.journalled.claims()
            guard error.mayPass, let known = work.recordedClaims(claims, for: slots) else { throw error }
            share = known
        }
        return try await batch.sharing(share)
    }

    /// Refuses an order of which no unit can be claimed now, before the units are looked for.
    func checkOpen(_ work: TrayWork) async throws {
        guard let number = work.order else { return }
        if let refusal = refusal(of: try await work.answer(about: number).order) { throw refusal }
    }

    private func refusal(of order: WorkOrder) -> CommandFailure? {
        let step = "claiming the units"
        switch order.state {
        case .open, .golden: return nil
        case .held:
            return CommandFailure(
                .station.orderHeld, during: step,
                message: "order \(order.number) is held: \(order.heldReason ?? "no reason given")")
        default:
            return CommandFailure(
                .station.nothingClaimed, during: step,
                message: "order \(order.number) is \(order.state.rawValue)")
        }
    }

    func nothingClaimed(_ share: TrayWork.Share) -> CommandFailure {
        if let refusal = refusal(of: share.order) { return refusal }
        let reasons = Dictionary(grouping: share.denied.map(\.reason.words), by: \.self)
        let words = reasons.sorted { $0.key < $1.key }.map { "\($1.count) because \($0)" }
        let later = share.later.isEmpty ? [] : ["\(share.later.count) not yet available"]
        return CommandFailure(
            .station.nothingClaimed, during: "claiming the units",
            message: "this station can claim no unit: " + (words + later).joined(separator: "; "))
    }

    /// Reports what the station has claimed, and which units were denied and why.
    package func tell(_ batch: BatchRun, _ console: Console) {
        guard let number = work.order, let share = batch.share else { return }
        console.event(
            JSONLine("claimed").adding([
                "order": .text(number), "state": .text(share.order.state.rawValue),
                "units": .integer(share.grants.count), "withheld": .integer(share.denied.count),
                "later": .integer(share.later.count),
            ]))
        for (slot, reason) in share.denied {
            console.event(
                JSONLine("withheld").adding([
                    "slot": .text(slot.label), "code": .text(reason.code.rawValue),
                    "message": .text(reason.words),
                ]))
        }
        // A lease that is up to 10 % shorter than requested is not a limit of the work server.
        if !share.isFromJournal, let granted = share.grants.values.compactMap(\.lease).min(),
            granted < work.lease * 0.9
        {
            let (got, asked) = (Int(granted / .seconds(1)), Int(work.lease / .seconds(1)))
            console.warn(
                .station.leaseCapped,
                "claims last \(got) s instead of \(asked) s: the work server lets no station be offline for longer"
            )
        }
        guard !console.style.isJSON else { return }
        console.notice(
            "order \(number): \(Quantities.count(share.grants.count, "unit")) claimed for this station")
        let reasons = Dictionary(grouping: share.denied, by: \.reason.code.rawValue)
        for (_, slots) in reasons.sorted(by: { $0.key < $1.key }) {
            let names = slots.prefix(5).map(\.slot.label).joined(separator: ", ")
            let rest = slots.count > 5 ? " and \(slots.count - 5) more" : ""
            console.notice(
                "not claimed: \(TerminalText(names))\(rest): \(TerminalText(slots[0].reason.words))")
        }
    }
}
