import Simulation
import TransferBench

// The speeds of Secure DFU, SUOTA, Feasycom upgrades and updates over SMP on modelled links, next to the ceiling of
// each and the results of fixed policies:
//
//   transfer-bench               the tables; see docs/performance.md
//   transfer-bench --only WORD   those whose profile or flash has this name, as in "SDK 14.2" or "fast"
//   transfer-bench --mtu         shares of the ceiling for MTUs from 23 to 517
//   transfer-bench --weak PERCENT MTU[@INTERVAL]...  cells below a share of the ceiling, at many intervals or at one
//   transfer-bench --faults      the cost of one lost answer at the worst place, and of lost packets
//   transfer-bench --losses      losses of packets alone
//   transfer-bench --repetitions links that repeat packets
//   transfer-bench --suota       those of SUOTA
//   transfer-bench --kbeacon     those of whole updates with sessions
//   transfer-bench --fbeacon     those of Feasycom upgrades
//   transfer-bench --smp         those of updates over SMP
//   transfer-bench --memory      one flash of 500 kB, and the memory of the process meanwhile

let words = Array(CommandLine.arguments.dropFirst())
if words == ["--memory"] {
    try await reportMemory()
} else if words == ["--mtu"] {
    try await reportMTUs()
} else if words.count > 1, words[0] == "--weak" {
    try await reportWeakCells(below: (Double(words[1]) ?? 95) / 100, Array(words.dropFirst(2)))
} else if words == ["--repetitions"] {
    try await reportRepetitions()
} else if words == ["--losses"] {
    try await reportLosses()
} else if words == ["--faults"] {
    try await reportFaults()
} else if words == ["--suota"] {
    try await reportSUOTA()
} else if words == ["--fbeacon"] {
    try await reportFBeacons()
} else if words == ["--smp"] {
    try await reportSMP()
} else if words == ["--kbeacon"] {
    try await reportKBeacons()
} else if words.isEmpty {
    try await reportSpeed()
    try await reportMTUs()
    try await reportFaults()
    reportTerms()
    try await reportSUOTA()
    try await reportFBeacons()
    try await reportSMP()
    try await reportKBeacons()
} else if words.count > 1, words.count.isMultiple(of: 2),
    stride(from: 0, to: words.count, by: 2).allSatisfy({ words[$0] == "--only" })
{
    try await reportSpeed(only: stride(from: 1, to: words.count, by: 2).map { words[$0] })
} else {
    print(
        "usage: transfer-bench [--memory | --mtu | --weak PERCENT MTU[@INTERVAL]... | --faults | --losses | --repetitions | --suota | --fbeacon | --smp | --kbeacon | --only WORD...]"
    )
}
