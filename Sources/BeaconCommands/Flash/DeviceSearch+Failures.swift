import BeaconIdentity
import BluetoothTypes
import Radio

/// What a search ends with that has found nobody, or too many.
extension DeviceSearch {
    func notFound(_ heard: [BeaconSighting], _ deafness: Duration) -> CommandFailure {
        let time = Quantities.seconds(limit.seconds)
        var message =
            isWaiting && heard.contains { selector.matches($0) }
            ? "\(selector) was heard, and has taken no connections in \(time)"
            : "nothing that was heard in \(time) is \(selector)"
        if deafness >= .seconds(1) {
            message +=
                ", nor in \(Quantities.seconds(deafness.seconds)) more, when another program's scan hid beacons"
        }
        message += heard.isEmpty ? "; no beacon at all was heard" : "; heard were " + Self.list(heard)
        return CommandFailure(
            "device-not-found", during: "looking for the device", message: message, nextStep: hint(heard),
            details: ["seen": .list(heard.map { .object($0.members) })])
    }

    /// A hint that the same unit was heard in its other program, by the address rule.
    private func hint(_ heard: [BeaconSighting]) -> String? {
        if case .address(let wanted) = selector,
            let twin = heard.first(where: { $0.address.bytes == wanted.bytes })
        {
            return "\(wanted) is heard as a \(twin.address.kind.rawValue) address: select it as "
                + "\(wanted)/\(twin.address.kind.rawValue)"
        }
        if isWaiting, heard.contains(where: { selector.matches($0) }) {
            return
                "give the command again, and press its button, or switch it off and on, while this waits"
        }
        if let loader = bootloader(among: heard) {
            return "\(loader.address) is a bootloader, probably of this unit; "
                + (takesBootloaders
                    ? "select it by that address" : "this file is for none: find the unit's own package")
        }
        if let program = neighbour(-1, among: heard, isBootloader: false) {
            return "\(program.address) is probably this unit in its application; select it by that address"
        }
        let unnamed = heard.count { $0.mayHaveName }
        if case .name = selector, unnamed > 0 {
            return
                "the \(unnamed == 1 ? "name of one that was heard has" : "names of \(unnamed) that were heard have") "
                + "not been heard yet: wait longer with --scan-for, or select the beacon by its address"
        }
        return nil
    }

    func ambiguous(_ matching: [BeaconSighting]) -> CommandFailure {
        CommandFailure(
            "device-ambiguous", during: "looking for the device",
            message: "\(matching.count) beacons are \(selector): " + Self.list(matching),
            details: ["seen": .list(matching.map { .object($0.members) })])
    }

    private static func list(_ sightings: [BeaconSighting]) -> String {
        sightings.map {
            "\($0.address)/\($0.address.kind.rawValue) (\($0.data.name ?? ($0.mayHaveName ? "name not heard" : "no name")))"
        }
        .joined(separator: ", ")
    }
}
