import UpdateModel

extension NordicPart {
    /// FFFE: any SoftDevice; only valid in images for external chips.
    static let anySoftDevice: UInt32 = 0xFFFE

    /// How bootloaders treat special entries in `sd_req` (init-packet.md, SoftDevice list).
    func softDeviceFindings() -> [Finding] {
        let list = initPacket.softDeviceRequirements
        let field = "InitCommand.sd_req"
        var found: [Finding] = []
        // If one id can match, the others do no harm.
        let isHopeless = !list.isEmpty && list.allSatisfy { $0 == Self.anySoftDevice || $0 > 0xFFFF }
        if isHopeless, list.contains(Self.anySoftDevice), initPacket.type != .externalApplication {
            let words = "0xfffe stands for any SoftDevice in external applications only; it matches none here"
            found.append(warning("sd-req-wildcard", field, words))
        }
        if isHopeless, list.contains(where: { $0 > 0xFFFF }) {
            let words = "an id has 16 bits; a larger number matches no SoftDevice"
            found.append(warning("sd-req-too-large", field, words))
        }
        guard list.first == 0 else { return found }
        switch initPacket.type {
        case .application where list.count == 1:
            let words = "is only 0 (no SoftDevice needed); SDK 14 bootloaders refuse that if one is installed"
            found.append(note("sd-req-none", field, words))
        case .application:
            let words = "begins with 0 before an id; bootloaders of SDK 15.3 and later refuse that"
            found.append(warning("sd-req-leading-zero", field, words))
        case .softdevice:
            let words = "begins with 0; bootloaders of SDK 15 and later refuse that for a SoftDevice"
            found.append(warning("sd-req-leading-zero", field, words))
        default: break
        }
        return found
    }
}
