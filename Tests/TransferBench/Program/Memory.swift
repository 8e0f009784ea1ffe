import Glibc
import TransferBench

/// The peak memory of the process, in kilobytes, as reported by the kernel.
private struct Residence {
    var peak = 0

    static var current: Residence {
        var residence = Residence()
        guard let file = fopen("/proc/self/status", "r") else { return residence }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 256)
        while fgets(&buffer, Int32(buffer.count), file) != nil {
            let words = String(
                decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self
            )
            .split(whereSeparator: \.isWhitespace)
            guard words.count > 1, let number = Int(words[1]) else { continue }
            if words[0] == "VmHWM:" { residence.peak = number }
        }
        return residence
    }
}

/// Client and simulated beacon with its flash are in this process.
func reportMemory() async throws {
    var bench = TransferBench()
    var peaks: [Int] = []
    for size in [100_000, 500_000, 500_000] {
        bench.size = size
        _ = try await bench.ours()
        peaks.append(Residence.current.peak)
    }
    print(
        "resident at most: \(peaks[0]) kB after a flash of 100 kB, \(peaks[1]) kB after one of 500 kB after it,"
    )
    print("\(peaks[2]) kB after another of 500 kB")
}
