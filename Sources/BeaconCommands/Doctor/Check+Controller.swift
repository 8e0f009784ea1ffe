import BlueZ

extension Check {
    static func controller(_ controller: BluetoothSurvey.Controller) -> Check {
        let place = "\(controller.name) (\(controller.address))"
        guard controller.canLowEnergy else {
            return Check(
                name: "adapter", verdict: .problem, message: "\(place) cannot do Low Energy",
                remedy: "plug in an adapter of Bluetooth 4.0 or later, and name it with --adapter")
        }
        guard controller.isPowered, controller.hasLowEnergy else {
            let what = controller.isPowered ? "has Low Energy off" : "is off"
            return Check(
                name: "adapter", verdict: .problem, message: "\(place) \(what)",
                remedy: "--power-on switches it on for a run, `btmgmt power on` and `btmgmt le on` for good")
        }
        let phys = controller.hasPHYs ? "PHYs can be chosen" : "1M only"
        return Check(name: "adapter", verdict: .good, message: "\(place) is on, with Low Energy, \(phys)")
    }

    /// Nil for an adapter that is off anyway.
    static func discovery(_ controller: BluetoothSurvey.Controller) -> Check? {
        guard controller.isPowered, controller.hasLowEnergy else { return nil }
        let name = controller.name
        switch controller.discovery {
        case .none:
            return Check(name: "discovery", verdict: .good, message: "no other program scans on \(name)")
        case .shared:
            return Check(
                name: "discovery", verdict: .warning,
                message: "another program scans on \(name): links may be slow to connect and to carry data",
                remedy: "end its scan, for example with `bluetoothctl scan off` or in the desktop's settings")
        case .refused(let reason):
            return Check(
                name: "discovery", verdict: .problem,
                message: "\(name) refuses to scan (\(reason)): perhaps a scan bypasses the kernel",
                remedy: "end programs such as hcitool or hcidump's scans, or `btmgmt power off` and on again")
        case .unknown(let reason):
            return Check(
                name: "discovery", verdict: .warning,
                message: "whether another program scans on \(name) cannot be told: \(reason)",
                remedy: "run doctor again with the capabilities")
        }
    }
}
