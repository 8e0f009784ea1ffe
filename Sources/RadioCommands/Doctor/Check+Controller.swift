import BlueZ

extension Check {
    static func controller(_ controller: BluetoothSurvey.Controller) -> Check {
        let place = "\(controller.name) (\(controller.address))"
        guard controller.canLowEnergy else {
            return Check(
                name: "adapter", verdict: .problem, message: "\(place) does not support Low Energy",
                remedy: "plug in an adapter with Bluetooth 4.0 or later, and select it with --adapter")
        }
        guard controller.isPowered, controller.hasLowEnergy else {
            let what = controller.isPowered ? "has Low Energy switched off" : "is off"
            return Check(
                name: "adapter", verdict: .problem, message: "\(place) \(what)",
                remedy:
                    "--power-on switches it on for a run, `btmgmt power on` and `btmgmt le on` permanently")
        }
        let phys = controller.hasPHYs ? "PHYs can be chosen" : "1M only"
        return Check(name: "adapter", verdict: .good, message: "\(place) is on, with Low Energy, \(phys)")
    }

    /// Nil for an adapter that is off.
    static func discovery(_ controller: BluetoothSurvey.Controller) -> Check? {
        guard controller.isPowered, controller.hasLowEnergy else { return nil }
        let name = controller.name
        switch controller.discovery {
        case .none:
            return Check(name: "discovery", verdict: .good, message: "no other program scans on \(name)")
        case .shared:
            return Check(
                name: "discovery", verdict: .warning,
                message: "another program scans on \(name): connections and transfers may be slow",
                remedy: "stop its scan, for example with `bluetoothctl scan off` or in the desktop's settings"
            )
        case .refused(let reason):
            return Check(
                name: "discovery", verdict: .problem,
                message: "\(name) refuses to scan (\(reason)): another program's scan may bypass the kernel",
                remedy:
                    "end programs that scan, such as hcitool, or use `btmgmt power off` and `btmgmt power on`"
            )
        case .unknown(let reason):
            return Check(
                name: "discovery", verdict: .warning,
                message: "it cannot be determined whether another program scans on \(name): \(reason)",
                remedy: "run doctor again with the missing capabilities")
        }
    }
}
