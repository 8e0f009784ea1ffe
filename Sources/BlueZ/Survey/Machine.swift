import Bluetooth
import Glibc

/// What the kernel's files report about this machine and this process.
enum Machine {
    /// The first Bluetooth radio switch that is off (kernel `Documentation/driver-api/rfkill.rst`).
    static var block: BluetoothSurvey.Block? {
        for entry in names(in: "/sys/class/rfkill") {
            let folder = "/sys/class/rfkill/\(entry)"
            guard text(of: folder + "/type") == "bluetooth" else { continue }
            if text(of: folder + "/hard") == "1" { return .hard }
            if text(of: folder + "/soft") == "1" { return .soft }
        }
        return nil
    }

    /// The Bluetooth capabilities that were not in effect when the program began.
    static var missingCapabilities: [String] {
        let had = BluetoothPrivileges.atFirst ?? []
        return [("CAP_NET_ADMIN", .networkAdministration), ("CAP_NET_RAW", .rawSockets)]
            .filter { (_, bits: Capabilities.Bits) in !had.contains(bits) }.map(\.0)
    }

    /// Whether a process of this name runs; nil if /proc hides those of other users (`hidepid`).
    static func runs(_ name: String) -> Bool? {
        let runs = names(in: "/proc").contains { entry in
            entry.allSatisfy(\.isNumber) && text(of: "/proc/\(entry)/comm") == name
        }
        return runs || text(of: "/proc/1/comm") != nil ? runs : nil
    }

    static var kernel: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        return withUnsafeBytes(of: names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// The first 4096 bytes of a small file, without the newline at its end.
    static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
