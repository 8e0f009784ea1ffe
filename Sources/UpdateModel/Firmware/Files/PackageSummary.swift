/// The summary of a firmware file.
public struct PackageSummary: Hashable, Sendable {
    /// A part that is installed in one step.
    public struct Part: Hashable, Sendable {
        /// Its name within a sentence: `application`.
        public let title: String
        /// The number of bytes to send.
        public let bytes: Int
        /// Its version; nil if the file does not tell.
        public let version: FirmwareVersion?
        /// Further properties, such as `signed`.
        public let remarks: [String]
        /// Whether it is the application, and not a bootloader or a protocol stack.
        public let isApplication: Bool

        /// A part called `title`.
        public init(
            _ title: String, bytes: Int, version: FirmwareVersion?, remarks: [String] = [],
            isApplication: Bool = true
        ) {
            self.title = title
            self.bytes = bytes
            self.version = version
            self.remarks = remarks
            self.isApplication = isApplication
        }
    }

    /// The parts in the order of sending.
    public let parts: [Part]

    /// The summary of a file with `parts`, in the order of sending.
    public init(_ parts: [Part]) { self.parts = parts }

    /// The version of the application to install; nil if there is none, or the file does not tell. A
    /// bootloader's number does not tell the version that the device will report.
    public var version: FirmwareVersion? { parts.first(where: \.isApplication)?.version }

    /// Bytes of all parts.
    public var bytes: Int { parts.reduce(0) { $0 + $1.bytes } }

    /// Whether the last part is an application.
    public var hasApplication: Bool { parts.last?.isApplication ?? false }
}
