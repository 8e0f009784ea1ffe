import CZip

extension ZipHandle {
    /// Inflates one entry into exactly its declared size, which the caller has compared with its limits.
    func contents(of entry: ZipEntry, at index: Int) throws(ArchiveError) -> [UInt8] {
        func refusal(_ reason: ArchiveError.Reason) -> ArchiveError {
            ArchiveError(reason, entry: entry.name, offset: entry.offset)
        }
        guard let file = zip_fopen_index(archive, UInt64(index), 0) else {
            throw refusal(.unreadable(lastFailure))
        }
        defer { zip_fclose(file) }
        var bytes = [UInt8](repeating: 0, count: entry.size)
        var filled = 0
        while filled < entry.size {
            let count = bytes.withUnsafeMutableBytes {
                zip_fread(file, $0.baseAddress?.advanced(by: filled), UInt64(entry.size - filled))
            }
            guard count >= 0 else { throw refusal(Self.reason(for: file, declared: entry.size)) }
            guard count > 0 else { throw refusal(.shorterThanDeclared(bytes: UInt64(entry.size))) }
            filled += Int(count)
        }
        // A wrong CRC is reported only by the read after the last byte.
        var beyond: UInt8 = 0
        let count = zip_fread(file, &beyond, 1)
        guard count >= 0 else { throw refusal(Self.reason(for: file, declared: entry.size)) }
        guard count == 0 else { throw refusal(.longerThanDeclared(bytes: UInt64(entry.size))) }
        return bytes
    }

    private static func reason(for file: OpaquePointer, declared size: Int) -> ArchiveError.Reason {
        let failure = zip_file_get_error(file)
        switch zip_error_code_zip(failure) {
        case ZIP_ER_CRC: return .checksumWrong
        case ZIP_ER_EOF: return .shorterThanDeclared(bytes: UInt64(size))
        default: return .unreadable(words(of: failure))
        }
    }
}
