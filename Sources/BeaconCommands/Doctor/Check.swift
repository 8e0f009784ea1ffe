import BlueZ

/// One thing that stands, or could stand, between this machine and a flash.
struct Check: Equatable, Sendable {
    /// How it is.
    enum Verdict: String, Sendable {
        case good = "ok"
        case warning
        case problem
    }

    let name: String
    let verdict: Verdict
    let message: String
    /// What a person can do; nil where nothing has to be done.
    var remedy: String?
    /// What the program would exit with for this problem.
    var exit = ExitStatus.noAdapter

    var line: JSONLine {
        JSONLine(
            "check",
            [
                "name": .text(name), "status": .text(verdict.rawValue), "message": .text(message),
                "remedy": .optional(remedy),
            ])
    }

    func text(_ console: Console) -> [String] {
        let colour: Console.Colour =
            switch verdict {
            case .good: .green
            case .warning: .yellow
            case .problem: .red
            }
        let word = verdict.rawValue + String(repeating: " ", count: 8 - verdict.rawValue.count)
        return ["\(console.paint(word, colour)) \(message)"] + (remedy.map { ["         \($0)"] } ?? [])
    }
}

extension Check {
    /// What `survey` means for a flash over `adapter`, or over any adapter; `program` is our own path.
    static func list(_ survey: BluetoothSurvey, adapter: String?, program: String) -> [Check] {
        guard let controllers = survey.controllers else {
            return [
                Check(
                    name: "kernel", verdict: .problem,
                    message:
                        "this machine has no Bluetooth: its kernel (\(survey.kernel)) has no such sockets",
                    remedy: "use --adapter sim for simulated beacons, or another machine")
            ]
        }
        var checks = [Check(name: "kernel", verdict: .good, message: "Linux \(survey.kernel) with Bluetooth")]
        let wanted = controllers.filter { adapter == nil || $0.name == adapter }
        if wanted.isEmpty {
            let present = controllers.map(\.name).joined(separator: ", ")
            checks.append(
                Check(
                    name: "adapter", verdict: .problem,
                    message: adapter.map { "there is no \($0)" } ?? "there is no Bluetooth adapter",
                    remedy: controllers.isEmpty
                        ? "plug one in, or use --adapter sim for simulated beacons" : "present: \(present)"))
        }
        checks += wanted.map(Self.controller)
        checks += [Self.block(survey.block), Self.capabilities(survey.missingCapabilities, program)]
        checks.append(Self.daemon(survey.hasDaemon))
        return checks
    }

    private static func controller(_ controller: BluetoothSurvey.Controller) -> Check {
        let place = "\(controller.name) (\(controller.address))"
        guard controller.isPowered, controller.hasLowEnergy else {
            let what = controller.isPowered ? "has Low Energy off" : "is off"
            return Check(
                name: "adapter", verdict: .problem, message: "\(place) \(what)",
                remedy: "--power-on switches it on for a run, `btmgmt power on` and `btmgmt le on` for good")
        }
        let phys = controller.hasPHYs ? ", PHYs can be chosen" : ""
        return Check(name: "adapter", verdict: .good, message: "\(place) is on, with Low Energy\(phys)")
    }

    private static func block(_ block: BluetoothSurvey.Block?) -> Check {
        switch block {
        case nil: Check(name: "rfkill", verdict: .good, message: "no radio switch is off")
        case .soft:
            Check(
                name: "rfkill", verdict: .problem, message: "Bluetooth is switched off by software",
                remedy: "rfkill unblock bluetooth")
        case .hard:
            Check(
                name: "rfkill", verdict: .problem, message: "Bluetooth is switched off at the machine",
                remedy: "find the switch or the key that turns the radio on")
        }
    }

    private static func capabilities(_ missing: [String], _ program: String) -> Check {
        guard !missing.isEmpty else {
            return Check(
                name: "capabilities", verdict: .good, message: "CAP_NET_ADMIN and CAP_NET_RAW are there")
        }
        return Check(
            name: "capabilities", verdict: .problem,
            message: "\(missing.joined(separator: " and ")) missing: no scan, no link parameters",
            remedy: "sudo setcap cap_net_admin,cap_net_raw+ep \(program)", exit: .noPermission)
    }

    private static func daemon(_ runs: Bool) -> Check {
        runs
            ? Check(
                name: "bluetoothd", verdict: .warning,
                message: "bluetoothd runs: it may connect to a beacon that it knows before we do",
                remedy: "if a beacon is 'held by another program': bluetoothctl disconnect ADDRESS")
            : Check(name: "bluetoothd", verdict: .good, message: "bluetoothd does not run")
    }
}
