import Dispatch
import FoundationEssentials
import FuzzTargets
import Glibc

// Linked with libFuzzer, which has `main`; see `make fuzz`.

/// The target that FUZZ_TARGET names.
private let target: FuzzTarget = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        leave("FUZZ_TARGET is one of: " + FuzzTarget.all.map(\.name).joined(separator: " "))
    }
    return target
}()

/// Prints the reason and ends; libFuzzer would report `exit` as a finding.
private func leave(_ words: String) -> Never {
    print(words)
    fflush(nil)
    _exit(2)
}

/// Writes the target's seeds into the folder FUZZ_SEEDS before the first run.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer
) -> CInt {
    let target = target
    guard let folder = getenv("FUZZ_SEEDS").map({ String(cString: $0) }) else { return 0 }
    do {
        for (index, seed) in try target.seeds().enumerated() {
            try Data(seed).write(to: URL(filePath: "\(folder)/seed-\(index)"))
        }
    } catch {
        leave("the seeds cannot be written: \(error)")
    }
    return 0
}

/// One input from libFuzzer. A violated fact ends the process, and libFuzzer keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        do { try await target.check(input) } catch {
            print("\(target.name): \(error)")
            fflush(nil)
            abort()
        }
        isDone.signal()
    }
    isDone.wait()
    return 0
}
