import SimulatedDevice
import SimulatedRadio
import TransferBench

// What Secure DFU transfers reach on modelled links, beside the ceiling of each and what fixed policies reach:
//
//   transfer-bench            the tables; see docs/performance.md
//   transfer-bench --suota    the tables of SUOTA alone
//   transfer-bench --memory   one flash of 500 kB, and what the process holds meanwhile

if CommandLine.arguments.dropFirst() == ["--memory"] {
    try await reportMemory()
} else if CommandLine.arguments.dropFirst() == ["--suota"] {
    try await reportSUOTA()
} else if CommandLine.arguments.count == 1 {
    try await reportSpeed()
    try await reportSUOTA()
} else {
    print("usage: transfer-bench [--suota | --memory]")
}
