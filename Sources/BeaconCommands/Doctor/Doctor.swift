import ArgumentParser
import BlueZ
import Glibc
import PacketSockets

struct Doctor: RunningCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what stands between this machine and a flash.",
        discussion: "Example: `beacon-dfu doctor --adapter hci0`.")

    @Option(
        help: ArgumentHelp(
            "Look at this adapter only; 'sim' needs nothing. Default: BEACON_DFU_ADAPTER, else all of them.",
            valueName: "adapter"),
        transform: AdapterChoice.reading)
    var adapter: AdapterChoice?
    @OptionGroup var common: CommonOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        let checks = try await checks()
        for check in checks {
            console.event(check.line)
            if !console.style.isJSON { check.text(console).forEach(console.result) }
        }
        let problems = checks.filter { $0.verdict == .problem }
        return problems.first?.exit ?? .done
    }

    private func checks() async throws -> [Check] {
        let adapter = try chosen
        if case .simulated(let path) = adapter {
            _ = try AdapterChoice.scenario(path: path)
            return [Check(name: "adapter", verdict: .good, message: "simulated beacons need nothing")]
        }
        var name: String?
        if case .controller(let wanted) = adapter { name = wanted }
        let loop = try EventLoop.shared.get()
        let survey = try await BluetoothSurvey.take(time: loop.keeper, readiness: loop)
        return Check.list(survey, adapter: name, program: Self.program)
    }

    private var chosen: AdapterChoice? {
        get throws(CommandFailure) {
            if let adapter { return adapter }
            return try .ofEnvironment()
        }
    }

    /// Whether the kernel's Bluetooth is looked at.
    var needsKernel: Bool {
        if case .simulated? = (try? chosen) ?? nil { false } else { true }
    }

    /// The program's own file, for the line that grants it capabilities.
    private static var program: String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return count > 0
            ? String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
            : "beacon-dfu"
    }
}
