/// Why a recording could not be begun, or has ended early.
public struct CaptureError: Error, Equatable, Sendable {
    /// The file.
    public let path: String
    /// The system call that failed.
    public let call: String
    /// Its error number.
    public let errno: Int32
}
