/// A failed system call and its error number.
public struct SocketError: Error, Equatable, Sendable {
    /// The call's name.
    public let call: String
    /// Its error number.
    public let errno: Int32

    /// The failure `errno` of `call`.
    public init(call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }
}
