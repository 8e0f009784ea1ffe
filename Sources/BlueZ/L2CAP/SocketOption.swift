import Glibc

/// Makes a system call with the address of a socket and its size.
func withAddress<Address, Result>(
    _ address: inout Address, _ call: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Result
) -> Result {
    var length = socklen_t(MemoryLayout<Address>.size)
    return withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
    }
}

/// Options of a socket whose values are plain bytes.
enum SocketOption {
    /// The value; nil when the kernel does not provide it, with the reason in `errno`.
    static func get<Value: FixedWidthInteger>(
        _ descriptor: Int32, _ level: Int32, _ name: Int32, as type: Value.Type
    ) -> Value? {
        var value = Value.zero
        var length = socklen_t(MemoryLayout<Value>.size)
        return getsockopt(descriptor, level, name, &value, &length) == 0 ? value : nil
    }

    /// Sets the value; returns the error number, or 0.
    static func set<Value: FixedWidthInteger>(
        _ descriptor: Int32, _ level: Int32, _ name: Int32, to value: Value
    ) -> Int32 {
        var value = value
        return setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Value>.size)) == 0
            ? 0 : errno
    }
}
