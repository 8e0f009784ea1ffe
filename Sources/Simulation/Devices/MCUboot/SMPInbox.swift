/// The buffers of an SMP server: requests that arrive, in one write or in pieces, and wait (mcuboot-smp.md, Frames).
///
/// A request that does not fit is dropped silently, since Write Commands have no response.
struct SMPInbox: Sendable {
    private let rules: SMPServerRules
    private(set) var waiting: [[UInt8]] = []
    /// An incomplete request: the bytes so far, and the size of the whole request in bytes.
    private var partial: (bytes: [UInt8], size: Int)?

    init(_ rules: SMPServerRules) { self.rules = rules }

    var isPartial: Bool { partial != nil }
    /// Whether half of the partial request has arrived.
    var isHalfway: Bool { partial.map { $0.bytes.count * 2 >= $0.size } ?? false }
    /// The number of buffers that waiting and incomplete requests occupy.
    private var used: Int { waiting.count + (partial == nil ? 0 : 1) }

    /// Whether a buffer is left for an answer to the first waiting request.
    var hasRoomForAnswer: Bool { used < rules.buffers }
    mutating func take() -> [UInt8]? { waiting.isEmpty ? nil : waiting.removeFirst() }
    mutating func clear() { (waiting, partial) = ([], nil) }
    mutating func dropPartial() { partial = nil }

    /// Takes a write; returns the rule that it breaks, and whether something was dropped. `busy` is the number
    /// of buffers that the request in processing occupies.
    mutating func receive(_ piece: [UInt8], busy: Int) -> (broken: SMPRule?, isDropped: Bool) {
        guard rules.reassembles else {
            guard used + busy < rules.buffers else { return (.tooManyRequests, true) }
            guard piece.count <= rules.bufferSize else { return (.requestTooLarge, true) }
            waiting.append(piece)
            return (SMPHeader.isRequest(piece) && isCut(piece) ? .pieceWithoutReassembly : nil, false)
        }
        guard var current = partial else { return begin(piece, busy) }
        let isInside = SMPHeader.isRequest(piece) && current.bytes.count >= SMPHeader.size
        current.bytes += piece
        guard current.bytes.count <= current.size else {
            partial = nil
            return (isInside ? .interleavedPieces : .requestTooLarge, true)
        }
        partial = current
        finish()
        return (isInside ? .interleavedPieces : nil, false)
    }

    /// Whether a request continues after `piece`. An echo that continues by less than a header does not count: a
    /// client learns from it whether the server joins packets. If not, the server answers the first piece with
    /// an error before it looks at the command, and drops the second one.
    private func isCut(_ piece: [UInt8]) -> Bool {
        guard let header = SMPHeader(piece) else { return false }
        let isEcho = (header.group, header.command) == (0, 0)
        return header.frameSize - piece.count >= (isEcho ? SMPHeader.size : 1)
    }

    /// Begins a request with its first piece, which must contain the whole header.
    private mutating func begin(_ piece: [UInt8], _ busy: Int) -> (broken: SMPRule?, isDropped: Bool) {
        guard used + busy < rules.buffers else { return (.tooManyRequests, true) }
        guard let size = SMPHeader(piece)?.frameSize else { return (nil, true) }
        guard size <= rules.bufferSize, piece.count <= size else { return (.requestTooLarge, true) }
        partial = (piece, size)
        finish()
        return (nil, false)
    }

    private mutating func finish() {
        guard let current = partial, current.bytes.count == current.size else { return }
        waiting.append(current.bytes)
        partial = nil
    }
}
