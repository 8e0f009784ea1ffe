import CZlib

/// Checks that a deflate stream ends where its entry does.
enum DeflateStream {
    /// Where a stream ends.
    enum Ending: Equatable {
        /// With the last byte of its input.
        case full
        /// With this many bytes left, which readers that ignore sizes would read as the next record.
        case early(left: Int)
        /// Not within its input, or beyond the bytes that it may inflate to.
        case late
        /// At an invalid byte.
        case damaged
    }

    private static let pieceBytes = 64 << 10

    /// Inflates `stream` without keeping the output, up to a little more than `limit` bytes of it.
    static func ending(of stream: ArraySlice<UInt8>, atMost limit: Int) -> Ending {
        var state = z_stream()
        // Negative: raw deflate, without zlib's header.
        guard inflateInit2_(&state, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return .damaged
        }
        defer { inflateEnd(&state) }
        var piece = [UInt8](repeating: 0, count: pieceBytes)
        return stream.withUnsafeBytes { input in
            // zlib only reads from `next_in`.
            state.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
            state.avail_in = UInt32(clamping: input.count)
            var total = 0
            while true {
                let result = piece.withUnsafeMutableBufferPointer { output in
                    state.next_out = output.baseAddress
                    state.avail_out = UInt32(output.count)
                    return inflate(&state, Z_NO_FLUSH)
                }
                total += pieceBytes - Int(state.avail_out)
                switch result {
                case Z_STREAM_END: return state.avail_in == 0 ? .full : .early(left: Int(state.avail_in))
                case Z_OK where total <= limit: continue
                case Z_OK, Z_BUF_ERROR: return .late
                default: return .damaged
                }
            }
        }
    }
}
