package import BlueZ
import Bluetooth
import Bytes
package import CommandKit
import Simulation
import UpdateModel

extension Check {
    /// The kernel release that each feature needs, and what an older kernel lacks.
    private static let features: [(major: Int, minor: Int, missing: String)] = [
        // Load Connection Parameters (mgmt-api.txt, version 1.7).
        (3, 17, "links have the kernel's own interval and timeout"),
        // Set PHY Configuration.
        (4, 19, "links stay at 1M"),
        // The socket option BT_PHY.
        (5, 10, "the PHY of a link is not shown"),
    ]

    static func kernel(_ kernel: KernelRelease) -> Check {
        let lacks = features.filter { !kernel.isAtLeast($0.major, $0.minor) }.map {
            "\($0.missing) (needs \($0.major).\($0.minor))"
        }
        guard let last = features.last, !lacks.isEmpty else {
            return Check("kernel", .good, "Linux \(kernel.text) with Bluetooth")
        }
        return Check(
            "kernel", .warning,
            "Linux \(kernel.text) with Bluetooth is old: \(lacks.joined(separator: ", "))",
            remedy: "Linux \(last.major).\(last.minor) or later has all features that beacon-dfu uses")
    }

    /// A note on kernels that can crash when two programs connect to one beacon; nil for kernels without this fault.
    package static func kernelFault(_ kernel: KernelRelease) -> Check? {
        guard kernel.losesChannels else { return nil }
        return Check(
            "kernel-fault", .note,
            "Linux \(kernel.text) can crash when two programs connect to one beacon at the same time",
            remedy:
                "keep bluetoothd and other programs away from a beacon that is being updated; other copies of beacon-dfu "
                + "stay away by themselves")
    }

    /// `isExclusive`: whether a flash would take the adapter from the kernel.
    static func controller(_ controller: BluetoothSurvey.Controller, isExclusive: Bool = false) -> Check {
        let place = "\(controller.name) (\(controller.address))"
        guard controller.supportsLowEnergy else {
            return Check(
                "adapter", .problem, "\(place) does not support Low Energy",
                remedy: "plug in an adapter with Bluetooth 4.0 or later, and select it with --adapter")
        }
        guard controller.isPowered, controller.isLowEnergyOn else {
            let what = controller.isPowered ? "has Low Energy switched off" : "is off"
            return Check(
                "adapter", .problem, "\(place) \(what)",
                remedy:
                    "--power-on switches it on for a run, `btmgmt power on` and `btmgmt le on` permanently")
        }
        let radio = controller.radio.map { ", " + abilities($0, isExclusive: isExclusive) } ?? ""
        return Check("adapter", .good, "\(place) is on, with Low Energy\(radio)")
    }

    /// A simulated adapter needs nothing of the machine.
    static func controller(_ controller: SimulatedController) -> Check {
        let radio = BluetoothSurvey.Radio(
            phys: [.le1M, .le2M] + (controller.coded == .missing ? [] : [.leCoded]),
            hasExtended: controller.hears.isExtended, isCodedSelected: controller.coded == .selected)
        return Check(
            "adapter", .good, "\(controller.name): simulated beacons need nothing; \(abilities(radio))")
    }

    /// What an adapter hears, in words. An exclusive adapter scans on LE Coded without --coded.
    private static func abilities(_ radio: BluetoothSurvey.Radio, isExclusive: Bool = false) -> String {
        let phys = "PHY " + radio.phys.map(\.rawValue).joined(separator: ", ")
        guard radio.hasExtended else { return "\(phys); hears no extended advertising" }
        let coded =
            !radio.phys.contains(.leCoded)
            ? "not on LE Coded"
            : radio.isCodedSelected || isExclusive ? "also on LE Coded" : "on LE Coded with --coded"
        return "\(phys); hears extended advertising, \(coded)"
    }

    /// Whether another program scans with the adapter; nil for an adapter that is off.
    static func discovery(_ controller: BluetoothSurvey.Controller) -> Check? {
        guard controller.isPowered, controller.isLowEnergyOn else { return nil }
        let name = controller.name
        switch controller.discovery {
        case .none: return Check("discovery", .good, "no other program scans on \(name)")
        case .shared:
            return Check(
                "discovery", .warning,
                "another program scans on \(name): connections and transfers may be slow",
                remedy: "stop its scan, for example with `bluetoothctl scan off` or in the desktop's settings"
            )
        case .refused(let reason):
            return Check(
                "discovery", .problem,
                "\(name) refuses to scan (\(reason)): another program's scan may bypass the kernel",
                remedy:
                    "end programs that scan, such as hcitool, or use `btmgmt power off` and `btmgmt power on`"
            )
        case .unknown(let reason):
            return Check(
                "discovery", .warning,
                "it cannot be determined whether another program scans on \(name): \(reason)",
                remedy: "run doctor again with the missing capabilities")
        }
    }
}
