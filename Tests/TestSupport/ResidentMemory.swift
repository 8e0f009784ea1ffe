/// The memory that this process occupies, as the kernel reports it.
public enum ResidentMemory {
    /// Bytes now, `VmRSS` of `/proc/self/status`; 0 if the kernel does not report it.
    public static var now: Int {
        guard let status = try? Samples.file(at: "/proc/self/status") else { return 0 }
        for line in String(decoding: status, as: UTF8.self).split(separator: "\n") {
            guard line.hasPrefix("VmRSS:") else { continue }
            return (Int(line.split(whereSeparator: { !$0.isNumber }).first ?? "") ?? 0) << 10
        }
        return 0
    }
}
