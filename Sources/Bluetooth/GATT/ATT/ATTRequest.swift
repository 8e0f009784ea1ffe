import Bytes

/// A request with the type of its answer, so that it cannot be paired with a wrong one.
protocol ATTRequest: Sendable {
    associatedtype Answer: Sendable
    static var opcode: ATTOpcode { get }
    static var answerOpcode: ATTOpcode { get }
    /// The parameters after the opcode.
    func write(to writer: inout ByteWriter)
    /// The answer's parameters after its opcode.
    func answer(parsing reader: inout ByteReader) throws(ByteError) -> Answer
}

extension ATTRequest {
    var bytes: [UInt8] {
        var writer = ByteWriter([Self.opcode.rawValue])
        write(to: &writer)
        return writer.bytes
    }
}

extension ByteWriter {
    /// A range of handles and, if the request has one, an attribute type.
    mutating func handles(_ range: ClosedRange<UInt16>, _ type: UInt16? = nil) {
        integer(range.lowerBound)
        integer(range.upperBound)
        if let type { integer(type) }
    }
}
