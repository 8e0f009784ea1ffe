import Bluetooth
import Bytes
import Glibc

/// What the kernel's files report about this machine and this process.
enum Machine {
    /// What blocks the first blocked Bluetooth radio, if any (kernel `Documentation/driver-api/rfkill.rst`).
    static var block: BluetoothSurvey.Block? {
        for entry in (try? FileBytes.names(in: "/sys/class/rfkill")) ?? [] {
            let folder = "/sys/class/rfkill/\(entry)"
            guard text(of: folder + "/type") == "bluetooth" else { continue }
            if text(of: folder + "/hard") == "1" { return .hard }
            if text(of: folder + "/soft") == "1" { return .soft }
        }
        return nil
    }

    /// The Bluetooth capabilities that were not in effect when the program began.
    static var missingCapabilities: [String] {
        let had = BluetoothPrivileges.initial ?? []
        return [("CAP_NET_ADMIN", .networkAdministration), ("CAP_NET_RAW", .rawSockets)]
            .filter { (_, bits: Capabilities.Bits) in !had.contains(bits) }.map(\.0)
    }

    /// Whether a process of this name runs; nil if /proc hides the processes of other users (`hidepid`).
    static func runs(_ name: String) -> Bool? {
        let processes = (try? FileBytes.names(in: "/proc")) ?? []
        let runs = processes.contains { entry in
            entry.allSatisfy(\.isNumber) && text(of: "/proc/\(entry)/comm") == name
        }
        return runs || text(of: "/proc/1/comm") != nil ? runs : nil
    }

    static var kernel: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        return withUnsafeBytes(of: names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// The first 4096 bytes of a small file, without the newline at its end; nil if it cannot be read.
    static func text(of path: String) -> String? {
        guard let bytes = FileBytes.contents(of: path, atMost: 4096, isWhole: false) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
