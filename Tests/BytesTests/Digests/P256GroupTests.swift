import TestSupport
import Testing

@testable import Bytes

@Suite struct `The group of P-256` {
    private static let order = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"
    private static let last = [UInt8](hex: String(order.dropLast()) + "0")
    private static let one = [UInt8](repeating: 0, count: 31) + [1]
    /// The base point of SP 800-186, 3.2.1.3.
    private static let x = "6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296"
    private static let y = "4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5"

    @Test func `has its base point, and the negative one`() {
        #expect(P256Group.multiple(Self.one) == [UInt8](hex: Self.x + Self.y))
        let negative = "B01CBD1C01E58065711814B583F061E9D431CCA994CEA1313449BF97C840AE0A"
        #expect(P256Group.multiple(Self.last) == [UInt8](hex: Self.x + negative))
        #expect(P256Group.point(encoded: [2] + [UInt8](hex: Self.x)) == [UInt8](hex: Self.x + negative))
    }

    @Test func `multiplies by numbers between 0 and the order only`() {
        #expect(P256Group.multiple([UInt8](hex: Self.order)) == nil)
        #expect(P256Group.multiple([UInt8](repeating: 0, count: 32)) == nil)
        #expect(P256Group.multiple([UInt8](repeating: 0xFF, count: 32)) == nil)
        #expect(P256Group.multiple([1]) == nil)
    }

    @Test func `reduces numbers by its order`() {
        #expect(P256Group.reduced([UInt8](hex: Self.order)) == [UInt8](repeating: 0, count: 32))
        #expect(P256Group.reduced(Self.last) == Self.last)
        #expect(
            P256Group.reduced([UInt8](repeating: 0xFF, count: 32))
                == [UInt8](hex: "00000000FFFFFFFF00000000000000004319055258E8617B0C46353D039CDAAE"))
        #expect(P256Group.reduced([1]) == nil)
    }

    /// With nonce 1, r is the base point's X and s is digest + r · scalar.
    @Test func `signs with the given nonce`() throws {
        let digest = [UInt8](repeating: 0, count: 32)
        let made = try #require(P256Group.signature(of: digest, scalar: Self.one, nonce: Self.one))
        #expect(made.r == [UInt8](hex: Self.x))
        #expect(made.s == made.r)
        #expect(P256Group.signature(of: digest, scalar: Self.one, nonce: [UInt8](hex: Self.order)) == nil)
        var seed = Seed(Seed.ofThisRun)
        for _ in 0..<16 {
            let numbers = (0..<3).map { _ in (0..<32).map { _ in UInt8.random(in: 0...255, using: &seed) } }
            let made = P256Group.signature(of: numbers[0], scalar: numbers[1], nonce: numbers[2])
            let (signature, point) = (try #require(made), try #require(P256Group.multiple(numbers[1])))
            #expect(P256Group.verifies(signature, of: numbers[0], point: point))
            #expect(!P256Group.verifies(signature, of: numbers[1], point: point))
        }
    }

    /// RFC 6979, A.2.5, "sample". The later ones, for numbers that are out of range, are from Python's hmac.
    @Test func `has the nonces of RFC 6979, one after the other`() throws {
        var nonces = try NonceSequence(
            scalar: [UInt8](hex: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"),
            digest: try #require(P256Group.reduced(SHA256Digest.digest(Array("sample".utf8)))))
        for nonce in [
            "A6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60",
            "8E83DC490BC5FC4D5992BD63CD87F254ADFFCB930F8A8011702A88870F638FDB",
            "7B8DC9AD8CE159ABCA1B9915FC1470E91D5AD2443B3032557E78F47E180AB702",
        ] {
            #expect(try nonces.next() == [UInt8](hex: nonce))
        }
    }
}
