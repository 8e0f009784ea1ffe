import Bytes
import TestSupport
import Testing

@Suite struct `A private key` {
    /// The key of RFC 6979, appendix A.2.5.
    private static let scalar = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"

    @Test(arguments: [
        (
            "sample", "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
            "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
        ),
        (
            "test", "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
            "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"
        ),
    ])
    func `signs as in RFC 6979`(_ message: String, _ r: String, _ s: String) throws {
        let key = try #require(P256PrivateKey(scalar: [UInt8](hex: Self.scalar)))
        let signature = try key.signature(of: Array(message.utf8))
        #expect(signature.r == [UInt8](hex: r))
        #expect(signature.s == [UInt8](hex: s))
    }

    @Test func `has the public key of RFC 6979`() throws {
        let key = try #require(P256PrivateKey(scalar: [UInt8](hex: Self.scalar)))
        #expect(
            key.publicKey.point
                == [UInt8](hex: "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6")
                + [UInt8](hex: "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"))
    }

    /// The recipes of the samples sign in Python, with big integers and independent code.
    @Test func `signs like the samples' recipes, whatever the key and the message`() throws {
        var seed = Seed(Seed.ofThisRun)
        let keys = (0..<24).map { _ in (0..<32).map { _ in UInt8.random(in: 0...255, using: &seed) } }
        let messages = (0..<24).map { _ in
            (0..<Int.random(in: 0...200, using: &seed)).map { _ in UInt8.random(in: 0...255, using: &seed) }
        }
        let words = zip(keys, messages).map { "\(HexText.encode($0)) \(HexText.encode($1))" }
            .joined(separator: "\n")
        let script = """
            import sys
            sys.path.insert(0, sys.argv[1])
            sys.dont_write_bytecode = True
            import make_samples
            for line in sys.stdin.read().split("\\n"):
                key, message = line.split(" ")
                print(make_samples.sign(bytes.fromhex(message), int(key, 16)).hex())
            """
        let run = try Tool.run(
            ["python3", "-c", script, Samples.root + "/firmware-samples"], input: Array(words.utf8))
        #expect(run.status == 0)
        let expected = run.text.split(separator: "\n").map(String.init)
        #expect(expected.count == keys.count)
        for (index, (scalar, message)) in zip(keys, messages).enumerated() where index < expected.count {
            let signature = try #require(P256PrivateKey(scalar: scalar)).signature(of: message)
            #expect(
                HexText.encode(signature.r.reversed() + signature.s.reversed()) == expected[index],
                "\(HexText.encode(scalar))")
        }
    }

    @Test func `is a new one every time`() throws {
        #expect(try P256PrivateKey().scalar != P256PrivateKey().scalar)
    }

    @Test func `is between 0 and the curve's order`() {
        let order = [UInt8](hex: "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551")
        #expect(P256PrivateKey(scalar: order) == nil)
        #expect(P256PrivateKey(scalar: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(P256PrivateKey(scalar: [UInt8](repeating: 1, count: 31)) == nil)
        #expect(P256PrivateKey(scalar: order.dropLast() + [0x50]) != nil)
    }

    @Test func `is read back from its own structure`() throws {
        let key = try P256PrivateKey()
        #expect(key.sec1.count == 121)
        #expect(try #require(P256PrivateKey(der: key.sec1)).scalar == key.scalar)
        for bytes in Corruption.prefixes(of: key.sec1) { #expect(P256PrivateKey(der: bytes) == nil) }
        // A damaged number is not accepted as another key: the file has the public key as well.
        for (index, bytes) in Corruption.flips(of: key.sec1) {
            if let other = P256PrivateKey(der: bytes) { #expect(other.scalar == key.scalar, "byte \(index)") }
        }
    }

    @Test func `is read from SEC 1 without its curve or its public key, and from PKCS 8 around it`() throws {
        let scalar = [UInt8](hex: Self.scalar)
        let curve = [UInt8](hex: "A00A06082A8648CE3D030107")
        let number = [UInt8](hex: "0201010420") + scalar
        let algorithm = [UInt8](hex: "020100301306072A8648CE3D020106082A8648CE3D030107")
        let bare = Self.sequence(number)
        let inner = [0x04, UInt8(bare.count)] + bare
        for der in [bare, Self.sequence(number + curve), Self.sequence(algorithm + inner)] {
            #expect(P256PrivateKey(der: der)?.scalar == scalar)
            for prefix in Corruption.prefixes(of: der) { #expect(P256PrivateKey(der: prefix) == nil) }
            #expect(P256PrivateKey(der: der + [0]) == nil)
            // The same length in two bytes, which only BER allows.
            #expect(P256PrivateKey(der: [0x30, 0x81] + der.dropFirst()) == nil)
        }
        // Another tag where only the curve or the public key may be.
        for tag: UInt8 in [0xA2, 0xA1, 0xE0, 0x04] {
            #expect(P256PrivateKey(der: Self.sequence(number + [tag] + curve.dropFirst())) == nil)
        }
        let otherCurve = [UInt8](hex: "A00A06082A8648CE3D030106")
        #expect(P256PrivateKey(der: Self.sequence(number + otherCurve)) == nil)
        #expect(P256PrivateKey(der: Self.sequence([UInt8](hex: "0201020420") + scalar)) == nil)
        // Lengths of two and three bytes, of which only the shortest form counts.
        let whole = try #require(P256PrivateKey(scalar: scalar)).sec1
        let long = algorithm + [0x04, UInt8(whole.count)] + whole
        let length = UInt8(long.count)
        #expect(length >= 0x80 && P256PrivateKey(der: [0x30, 0x81, length] + long)?.scalar == scalar)
        #expect(P256PrivateKey(der: [0x30, 0x82, 0, length] + long) == nil)
        // PKCS 8 around itself.
        let outer = Self.sequence(algorithm + inner)
        #expect(P256PrivateKey(der: Self.sequence(algorithm + [0x04, UInt8(outer.count)] + outer)) == nil)
    }

    private static func sequence(_ content: [UInt8]) -> [UInt8] { [0x30, UInt8(content.count)] + content }

    @Test func `does not print its number`() throws {
        let key = try #require(P256PrivateKey(scalar: [UInt8](repeating: 0x5A, count: 32)))
        var text = "\(key) \(String(reflecting: key)) \([key])"
        dump(key, to: &text)
        #expect(!text.contains("90, 90") && !text.lowercased().contains("5a5a"))
    }

    @Test func `signs on many threads at once`() async throws {
        let key = try #require(P256PrivateKey(scalar: [UInt8](hex: Self.scalar)))
        let expected = try key.signature(of: [1, 2, 3])
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<64 { group.addTask { try key.signature(of: [1, 2, 3]).s } }
            for try await s in group { #expect(s == expected.s) }
        }
    }
}

@Suite struct `A public key` {
    private static let x = "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
    private static let y = "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"
    /// SubjectPublicKeyInfo of P-256 without its length and its bit string.
    private static let algorithm = "301306072A8648CE3D020106082A8648CE3D030107"

    private static func structure(_ point: String) -> [UInt8] {
        let point = [UInt8](hex: point)
        let bits = [0x03, UInt8(point.count + 1), 0] + point
        return [0x30, UInt8(bits.count + 21)] + [UInt8](hex: algorithm) + bits
    }

    @Test func `is read from its structure, whole and compressed`() throws {
        let whole = Self.structure("04" + Self.x + Self.y)
        let key = try #require(P256PublicKey(der: whole))
        #expect(key.der == whole)
        #expect(key.point == [UInt8](hex: Self.x + Self.y))
        #expect(P256PublicKey(der: Self.structure("03" + Self.x))?.point == key.point)
        #expect(P256PublicKey(der: Self.structure("02" + Self.x))?.point.prefix(32) == key.point.prefix(32))
        #expect(P256PublicKey(der: Self.structure("02" + Self.x))?.point != key.point)
    }

    @Test func `is not read from other forms of a point`() {
        for point in [
            "", "00", "04", "07" + Self.x + Self.y, "05" + Self.x, "04" + Self.x, "03" + Self.x + Self.y,
            "04" + Self.y + Self.x, "04" + String(repeating: "0", count: 128),
            "02" + String(repeating: "F", count: 64),
        ] {
            #expect(P256PublicKey(der: Self.structure(point)) == nil, "\(point)")
        }
    }

    @Test func `is not read from a damaged structure`() {
        for whole in [Self.structure("04" + Self.x + Self.y), Self.structure("03" + Self.x)] {
            for bytes in Corruption.prefixes(of: whole) { #expect(P256PublicKey(der: bytes) == nil) }
            #expect(P256PublicKey(der: whole + [0]) == nil)
        }
        for (index, bytes) in Corruption.flips(of: Self.structure("04" + Self.x + Self.y)) {
            #expect(P256PublicKey(der: bytes) == nil, "byte \(index)")
        }
    }

    @Test func `verifies no signature out of range`() throws {
        let key = try #require(P256PublicKey(x: [UInt8](hex: Self.x), y: [UInt8](hex: Self.y)))
        let order = [UInt8](hex: "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551")
        let numbers = [order, [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32), [], [1]]
        for r in numbers {
            for s in numbers { #expect(!key.verifies(r: r, s: s, of: [])) }
        }
    }
}
