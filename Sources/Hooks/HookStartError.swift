import Glibc

/// A system call for which a hook could not be begun.
struct HookStartError: Error {
    let words: String

    init(_ call: String, _ number: Int32 = errno) { words = "\(call): \(String(cString: strerror(number)))" }
}
