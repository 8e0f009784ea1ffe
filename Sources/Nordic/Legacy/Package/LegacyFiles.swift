import Bytes

/// Recognises a package without a manifest by the names of its files, as the phone libraries do.
///
///     application.hex | application.bin                   with application.dat
///     softdevice.hex  | softdevice.bin                    with system.dat
///     bootloader.hex  | bootloader.bin                    with system.dat
///
/// SoftDevice and bootloader together form one image, in this order, and `system.dat` covers both. If there is a
/// `.hex`, the `.bin` is ignored. (Android-DFU-Library, `ArchiveInputStream.java`.)
struct LegacyFiles {
    /// One image and its entries.
    struct Part {
        let role: FirmwareRole
        /// The entries whose images follow each other in the part's image.
        let binFiles: [String]
        /// The entry with the init packet; nil if there is none.
        let datFile: String?
    }

    /// The parts in sending order.
    let parts: [Part]

    /// Nil without an image or without any init packet: the names alone do not identify a package then.
    init?(in archive: borrowing ZipReader) {
        let names = Set(archive.entries.map(\.name))
        func image(_ name: String) -> String? { ["\(name).hex", "\(name).bin"].first(where: names.contains) }
        func packet(_ name: String) -> String? { names.contains("\(name).dat") ? "\(name).dat" : nil }

        var parts: [Part] = []
        let system = [image("softdevice"), image("bootloader")]
        let systemFiles = system.compactMap(\.self)
        if !systemFiles.isEmpty {
            let role: FirmwareRole =
                systemFiles.count == 2 ? .softdeviceBootloader : system[0] == nil ? .bootloader : .softdevice
            parts.append(Part(role: role, binFiles: systemFiles, datFile: packet("system")))
        }
        if let application = image("application") {
            parts.append(
                Part(role: .application, binFiles: [application], datFile: packet("application")))
        }
        guard parts.contains(where: { $0.datFile != nil }) else { return nil }
        self.parts = parts
    }
}
