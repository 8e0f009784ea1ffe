import Bluetooth
import Bytes
import CommandKit
import Firmware
import UpdateModel

extension DeviceSearch {
    func notFound(
        _ heard: [BeaconSighting], _ deafness: Duration, with adapter: some Adapter
    ) -> CommandFailure {
        let time = Quantities.seconds(limit.seconds)
        var message =
            isWaiting && heard.contains { selector.matches($0) }
            ? "\(selector) was heard, but accepted no connections within \(time)"
            : "no beacon in range is \(selector) (scanned for \(time))"
        if deafness >= .seconds(1) {
            message +=
                "; for \(Quantities.seconds(deafness.seconds)) more, another program's scan hid beacons"
        }
        message += heard.isEmpty ? "; no beacon was heard at all" : "; heard: " + Self.list(heard)
        let hint = hint(heard)
        let failure = CommandFailure(
            .device.deviceNotFound, during: "looking for the beacon", message: message, nextStep: hint,
            details: ["seen": .list(heard.map { .object($0.members) })])
        return hint == nil ? failure.addingCodedAdvice(for: [adapter]) : failure
    }

    /// A hint that explains a similar beacon that was heard, for example the same unit in its other program,
    /// by the address rule.
    private func hint(_ heard: [BeaconSighting]) -> String? {
        if case .address(let wanted) = selector,
            let twin = heard.first(where: { $0.address.bytes == wanted.bytes })
        {
            return "\(wanted) has a \(twin.address.kind.rawValue) address: select it as "
                + "\(wanted)/\(twin.address.kind.rawValue)"
        }
        if isWaiting, heard.contains(where: { selector.matches($0) }) {
            return
                "repeat the command, and while it waits press the beacon's button, or switch the beacon off and on"
        }
        if let loader = bootloader(among: heard) {
            return "\(loader.address) is a bootloader, probably of this unit; "
                + (takesBootloaders
                    ? "select it by that address"
                    : "this file is not for bootloaders: find the unit's own package")
        }
        if let program = neighbour(-1, among: heard, isBootloader: false) {
            return "\(program.address) is probably the application of this unit; select it by that address"
        }
        let unnamed = heard.count { $0.mayHaveName }
        if case .name = selector, unnamed > 0 {
            return "the \(unnamed == 1 ? "name of one beacon was" : "names of \(unnamed) beacons were") "
                + "not heard yet: wait longer with --scan-for, or select the beacon by its address"
        }
        return nil
    }

    func ambiguous(_ matching: [BeaconSighting]) -> CommandFailure {
        CommandFailure(
            .device.deviceAmbiguous, during: "looking for the beacon",
            message: "\(matching.count) beacons match \(selector): " + Self.list(matching),
            details: ["seen": .list(matching.map { .object($0.members) })])
    }

    private static func list(_ sightings: [BeaconSighting]) -> String {
        sightings.map {
            "\($0.address)/\($0.address.kind.rawValue) (\($0.data.name ?? ($0.mayHaveName ? "name not heard" : "no name")))"
        }.joined(separator: ", ")
    }
}
