import Glibc

/// A failed system call that kept a hook from starting.
struct HookStartError: Error {
    let words: String

    init(_ call: String, _ number: Int32 = errno) { words = "\(call): \(String(cString: strerror(number)))" }
}
