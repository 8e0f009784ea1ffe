package import BlueZ
package import CommandKit
import UpdateModel

extension Check {
    /// The checks of `survey` for a flash over `adapters`, or over any adapter if none is named; `program` is
    /// this program's path, and `origin` the default that names the adapters, if one does.
    package static func list(
        _ survey: BluetoothSurvey, adapters: [ControllerName], isExclusive: Bool = false,
        from origin: String? = nil, program: String
    ) -> [Check] {
        guard let controllers = survey.controllers else {
            return [
                Check(
                    "kernel", .problem,
                    "this machine's kernel (\(survey.kernel.text)) has no Bluetooth, or this container has no access to it",
                    remedy:
                        "load the module with `sudo modprobe bluetooth`, or use a kernel with Bluetooth; --adapter sim for "
                        + "simulated beacons does not need it")
            ]
        }
        var checks = [Self.kernel(survey.kernel)]
        Self.kernelFault(survey.kernel).map { checks.append($0) }
        let wanted = controllers.filter { controller in
            adapters.isEmpty || adapters.contains { controller.isMeant(by: $0) }
        }
        checks += Self.missing(adapters, from: origin, among: controllers)
        for controller in wanted {
            checks.append(Self.controller(controller, isExclusive: isExclusive))
            Self.discovery(controller).map { checks.append($0) }
            controller.leftovers.map { checks.append(Self.leftovers($0, on: controller)) }
        }
        checks += [Self.block(survey.block), Self.capabilities(survey.missingCapabilities, program)]
        checks.append(Self.daemon(survey.hasDaemon))
        return checks
    }

    /// A check for each named adapter that is missing or ambiguous; one check if there is no adapter at all.
    private static func missing(
        _ adapters: [ControllerName], from origin: String?, among controllers: [BluetoothSurvey.Controller]
    ) -> [Check] {
        let none = "plug one in, or use --adapter sim for simulated beacons"
        guard !adapters.isEmpty else {
            return controllers.isEmpty
                ? [Check("adapter", .problem, "there is no Bluetooth adapter", remedy: none)] : []
        }
        let present = controllers.map { "\($0.name) (\($0.address))" }.joined(separator: ", ")
        return adapters.compactMap { name in
            let meant = controllers.filter { $0.isMeant(by: name) }
            switch meant.count {
            case 0:
                return Check(
                    "adapter", .problem, "there is no \(name)",
                    remedy: (controllers.isEmpty ? none : "present: \(present)")
                        + (origin.map { "; the adapter is from \($0)" } ?? ""))
            case 1: return nil
            default:
                let names = meant.map(\.name).joined(separator: " and ")
                return Check(
                    "adapter", .problem, "\(names) have the same address \(name)",
                    remedy: "select one by its number: --adapter \(meant[0].name)")
            }
        }
    }

    private static func leftovers(_ words: String, on controller: BluetoothSurvey.Controller) -> Check {
        let power = controller.isPowered ? "power off`, which also resets the PHYs" : "power on`"
        return Check(
            "leftovers", .warning, words,
            remedy: "if this is not intended: `btmgmt --index \(controller.name) \(power)")
    }

    private static func block(_ block: BluetoothSurvey.Block?) -> Check {
        switch block {
        case nil: Check("rfkill", .good, "Bluetooth is not blocked")
        case .soft:
            Check("rfkill", .problem, "Bluetooth is blocked by software", remedy: "rfkill unblock bluetooth")
        case .hard:
            Check(
                "rfkill", .problem, "Bluetooth is blocked by a switch of the machine",
                remedy: "find the switch or key that turns the radio on")
        }
    }

    private static let purposes = [
        "CAP_NET_ADMIN": "scanning, link parameters and pairing", "CAP_NET_RAW": "commands to the controller",
    ]

    private static func capabilities(_ missing: [String], _ program: String) -> Check {
        guard !missing.isEmpty else {
            return Check("capabilities", .good, "CAP_NET_ADMIN and CAP_NET_RAW are available")
        }
        let uses = missing.map { "\($0) for \(purposes[$0] ?? "the radio")" }
        return Check(
            "capabilities", .problem, "missing: " + uses.joined(separator: ", "),
            remedy: grant(to: program), exit: .noPermission)
    }

    /// A program with capabilities gives them to every user who may run it, so access is best limited to a group.
    private static func grant(to program: String) -> String {
        let file = ShellWord.quoted(program)
        return "sudo setcap cap_net_admin,cap_net_raw+ep \(file)"
            + "; to limit them to a group, first run: sudo chgrp plugdev \(file) && sudo chmod 750 \(file)"
    }

    private static func daemon(_ runs: Bool?) -> Check {
        guard let runs else {
            return Check(
                "bluetoothd", .warning,
                "it cannot be determined whether bluetoothd runs: /proc hides other users' processes",
                remedy: "run the command as root")
        }
        return runs
            ? Check(
                "bluetoothd", .warning,
                "bluetoothd runs: it may connect to a beacon that it knows before beacon-dfu does",
                remedy: "if a beacon is 'held by another program': bluetoothctl disconnect ADDRESS")
            : Check("bluetoothd", .good, "bluetoothd does not run")
    }
}
