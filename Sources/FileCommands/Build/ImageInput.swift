import Bytes
import CommandKit
import Firmware
import Nordic

/// A firmware file to be packed.
struct ImageInput {
    let path: String
    private let image: CompiledImage

    init(path: String) throws(CommandFailure) {
        self.path = path
        let file = try FileContent(path: path)
        image = try Self.naming(path) { () throws(CompiledImageError) in
            try CompiledImage(recognising: file.bytes)
        }
    }

    /// All bytes of the file, or only those that belong in a Nordic package. Warns of large gaps, which become FF.
    func bytes(forNordic isConfined: Bool = false, _ console: Console) throws(CommandFailure) -> [UInt8] {
        let bytes = try Self.naming(path) { () throws(CompiledImageError) in
            try isConfined ? image.confinedImage() : image.flatImage()
        }
        for gap in image.gaps(ofConfined: isConfined) {
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
        return bytes
    }

    /// The name of the file at `path` without folders; `stdin` for the path `-`.
    static func fileName(_ path: String) -> String {
        guard path != "-" else { return "stdin" }
        // An archive's entry gets this name, which has to be UTF-8.
        let scalars = path.lastName.unicodeScalars.map { PathText.byte(of: $0) == nil ? $0 : "_" }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func naming<T>(
        _ path: String, _ body: () throws(CompiledImageError) -> T
    ) throws(CommandFailure) -> T {
        do throws(CompiledImageError) { return try body() } catch {
            throw CommandFailure(error.code, during: "reading the firmware", message: "\(path): \(error)")
        }
    }
}
