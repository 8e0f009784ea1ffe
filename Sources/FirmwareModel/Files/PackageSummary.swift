/// A firmware file in a few words.
public struct PackageSummary: Hashable, Sendable {
    /// What is installed in one go.
    public struct Part: Hashable, Sendable {
        /// What it is, for use within a sentence: `application`.
        public let title: String
        /// Bytes that are sent.
        public let bytes: Int
        /// Its version; nil where the file names none.
        public let version: FirmwareVersion?
        /// Whatever else is worth mentioning, such as `signed`.
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

    /// The parts in the order in which they are sent.
    public let parts: [Part]

    /// The summary of a file with `parts`, in the order in which they are sent.
    public init(_ parts: [Part]) { self.parts = parts }

    /// The version of the application that is installed; nil where there is none, or where the file does not name it.
    /// A bootloader's number says nothing about what the device will call its firmware.
    public var version: FirmwareVersion? { parts.first(where: \.isApplication)?.version }

    /// Bytes of all parts.
    public var bytes: Int { parts.reduce(0) { $0 + $1.bytes } }

    /// Whether the last part is an application.
    public var hasApplication: Bool { parts.last?.isApplication ?? false }
}
