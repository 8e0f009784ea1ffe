import Vendors

/// A file of firmware that is to be packed.
struct ImageInput {
    let path: String
    private let image: FirmwareImage

    /// Reads the file, and recognises it by its content.
    init(path: String) throws(CommandFailure) {
        self.path = path
        let file = try FirmwareFile(path: path)
        image = try Self.naming(path) { () throws(FirmwareImageError) in
            try FirmwareImage(recognising: file.bytes)
        }
    }

    /// Its bytes for a Nordic package.
    func nordicImage() throws(CommandFailure) -> [UInt8] {
        try Self.naming(path) { () throws(FirmwareImageError) in try image.nordicImage() }
    }

    /// Its bytes, all of them.
    func flatImage() throws(CommandFailure) -> [UInt8] {
        try Self.naming(path) { () throws(FirmwareImageError) in try image.flatImage() }
    }

    private static func naming<T>(
        _ path: String, _ body: () throws(FirmwareImageError) -> T
    ) throws(CommandFailure) -> T {
        do throws(FirmwareImageError) { return try body() } catch {
            throw CommandFailure(error.code, during: "reading the firmware", message: "\(path): \(error)")
        }
    }
}
