import TestSupport
import Testing

@testable import Bytes

@Suite struct `A number modulo the order of P-256` {
    private static let order = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"
    private static let last = number("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632550")
    private static let one = number("01")

    private static func number(_ hex: String) -> P256Scalar { P256Scalar(reducing: [UInt8](hex: hex)) }

    @Test func `is below the order`() {
        #expect(Self.number(Self.order).isZero)
        #expect(Self.last + Self.one == Self.number("00"))
        #expect(
            Self.number(String(repeating: "FF", count: 32)).bytes
                == [UInt8](hex: "00000000FFFFFFFF00000000000000004319055258E8617B0C46353D039CDAAE"))
    }

    @Test func `is used unchanged only between 0 and the order`() {
        #expect(P256Scalar(exactly: [UInt8](hex: Self.order)) == nil)
        #expect(P256Scalar(exactly: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(P256Scalar(exactly: [UInt8](repeating: 0xFF, count: 32)) == nil)
        #expect(P256Scalar(exactly: [1]) == nil)
        #expect(P256Scalar(exactly: Self.last.bytes) == Self.last)
    }

    @Test func `multiplies like repeated addition`() {
        var seed = Seed(Seed.ofThisRun)
        let edges = [Self.last, Self.one, Self.number("00"), Self.last + Self.last]
        let others = (0..<8).map { _ in
            P256Scalar(reducing: (0..<32).map { _ in UInt8.random(in: 0...255, using: &seed) })
        }
        for left in edges + others {
            for right in edges + others { #expect(left * right == sum(left, right)) }
        }
    }

    @Test func `times its inverse is 1`() {
        var seed = Seed(Seed.ofThisRun)
        let others = (0..<16).map { _ in
            P256Scalar(reducing: (0..<32).map { _ in UInt8.random(in: 0...255, using: &seed) })
        }
        for number in [Self.last, Self.one] + others { #expect(number * number.inverse == Self.one) }
        #expect(Self.number("00").inverse.isZero)
    }

    /// The product, bit by bit.
    private func sum(_ left: P256Scalar, _ right: P256Scalar) -> P256Scalar {
        var result = Self.number("00")
        for byte in left.bytes {
            for bit in (0..<8).reversed() {
                result = result + result
                if byte >> UInt8(bit) & 1 == 1 { result = result + right }
            }
        }
        return result
    }
}
