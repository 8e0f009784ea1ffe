import Bytes
import CommandKit
import Firmware

/// A firmware file to be packed.
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

    /// Its bytes for a Nordic package, with a warning if large parts of them are gaps in the file.
    func nordicImage(_ console: Console) throws(CommandFailure) -> [UInt8] {
        let bytes = try Self.naming(path) { () throws(FirmwareImageError) in try image.nordicImage() }
        warn(of: image.gaps(isNordic: true), console)
        return bytes
    }

    /// All its bytes, with the same warning.
    func flatImage(_ console: Console) throws(CommandFailure) -> [UInt8] {
        let bytes = try Self.naming(path) { () throws(FirmwareImageError) in try image.flatImage() }
        warn(of: image.gaps(isNordic: false), console)
        return bytes
    }

    private func warn(of gaps: [HexGap], _ console: Console) {
        for gap in gaps {
            let regions = [gap.before, gap.after].map {
                "\($0.bytes.count) bytes at \(HexText.number($0.address))"
            }
            let settings =
                gap.isBeforeSettings
                ? "; at \(HexText.number(gap.after.address)) bootloaders have their settings, which do not belong "
                    + "in an image: pack the file without the merged settings" : ""
            console.warn(
                .command.imageGap,
                "\(path) has \(regions[0]) and \(regions[1]), and the \(gap.bytes) bytes between become FF in the image"
                    + settings)
        }
    }

    private static func naming<T>(
        _ path: String, _ body: () throws(FirmwareImageError) -> T
    ) throws(CommandFailure) -> T {
        do throws(FirmwareImageError) { return try body() } catch {
            throw CommandFailure(error.code, during: "reading the firmware", message: "\(path): \(error)")
        }
    }
}
