import Simulation
package import TestSupport

extension MCUbootColumn {
    package func anyTrouble(_ counts: Counts, _ random: inout Seed) -> MCUbootTrouble {
        MCUbootTrouble((0..<Int.random(in: 1...3, using: &random)).map { _ in .any(counts, &random) })
    }

    package func mayFail(under trouble: MCUbootTrouble) -> Set<String> {
        Self.rows.reduce(into: ["link-lost", "no-answer"]) { $0.formUnion($1.mayFail) }
    }
}

extension Fault {
    /// Any fault, somewhere in such an update.
    fileprivate static func any(_ counts: MCUbootColumn.Counts, _ random: inout Seed) -> Fault {
        let packet = Int.random(in: 1...counts.packets + 10, using: &random)
        let request = Int.random(in: 1...counts.requests + 10, using: &random)
        let chunk = Int.random(in: 1...counts.chunks + 2, using: &random)
        let time = Duration.milliseconds(Int.random(in: 1...45_000, using: &random))
        switch Int.random(in: 0..<22, using: &random) {
        case 0: return .cut(beforePacket: packet)
        case 1: return .cut(afterPacket: packet)
        case 2: return .powerLoss(afterPacket: packet)
        case 3: return .silence(fromPacket: packet)
        case 4: return .loseNotification(request)
        case 5: return .reorderNotification(request)
        case 6: return .mcuboot(.loseRequest(request))
        case 7: return .mcuboot(.cutAtRequest(request))
        case 8: return .mcuboot(.cutInRequest(request))
        case 9: return .mcuboot(.powerLossAtRequest(request))
        case 10: return .mcuboot(.busy(request))
        case 11: return .mcuboot(.meaninglessError(request))
        case 12: return .mcuboot(.loseAnswer(request))
        case 13: return .mcuboot(.doubleAnswer(request))
        case 14: return .mcuboot(.delayAnswer(request, by: time))
        case 15: return .mcuboot(.malformedAnswer(request))
        case 16: return .mcuboot(.endlessAnswer(request))
        case 17: return .mcuboot(.wrongOffset(chunk))
        case 18: return .mcuboot(.failFlashWrite(chunk))
        case 19: return .mcuboot(.eraseEndsLink(Int.random(in: 1...2, using: &random)))
        case 20: return .mcuboot(.ignoreReset(Int.random(in: 1...3, using: &random)))
        default: return .mcuboot(.powerLossInSwap(Int.random(in: 1...counts.pages, using: &random)))
        }
    }
}
