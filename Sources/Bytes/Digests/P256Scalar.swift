import Crypto

/// A number modulo the order of P-256, for the one step of signing that no library offers separately.
///
/// Four words of 64 bits, the least significant first. Multiplication is Montgomery's (CIOS, Koç, Acar and
/// Kaliski 1996), and no branch or index depends on a value, only on the public exponent of `inverse`.
struct P256Scalar: Equatable {
    private var words: SIMD4<UInt64>

    /// n of FIPS 186-5 (SP 800-186, 3.2.1.3).
    private static let order = SIMD4<UInt64>(
        0xF3B9_CAC2_FC63_2551, 0xBCE6_FAAD_A717_9E84, .max, 0xFFFF_FFFF_0000_0000)
    /// -1/n modulo 2 to the power of 64.
    private static let negativeInverse: UInt64 = 0xCCD1_C8AA_EE00_BC4F
    /// 2 to the power of 512, modulo n: converts a number to Montgomery form.
    private static let square = SIMD4<UInt64>(
        0x8324_4C95_BE79_EEA2, 0x4699_799C_49BD_6FA6, 0x2845_B239_2B6B_EC59, 0x66E1_2D94_F3D9_5620)

    private init(_ words: SIMD4<UInt64>) { self.words = words }

    /// The number in 32 `bytes`, most significant first, modulo n. Missing leading bytes count as 0.
    init(reducing bytes: some Collection<UInt8>) {
        var words = SIMD4<UInt64>()
        for (place, byte) in bytes.suffix(32).reversed().enumerated() {
            words[place / 8] |= UInt64(byte) << (8 * UInt64(place % 8))
        }
        // Every number of 256 bits is below 2n.
        self.words = Self.reduced(words, carry: 0)
    }

    /// The number in 32 `bytes`, most significant first; nil unless it is between 0 and n.
    init?(exactly bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.init(reducing: bytes)
        guard self.bytes == bytes, !isZero else { return nil }
    }

    /// 32 bytes, most significant first.
    var bytes: [UInt8] {
        (0..<32).reversed().map { UInt8(truncatingIfNeeded: words[$0 / 8] >> (8 * UInt64($0 % 8))) }
    }

    var isZero: Bool { words == SIMD4() }

    static func + (left: Self, right: Self) -> Self {
        var sum = SIMD4<UInt64>()
        var carry: UInt64 = 0
        for index in 0..<4 {
            let step = UInt128(left.words[index]) + UInt128(right.words[index]) + UInt128(carry)
            sum[index] = UInt64(truncatingIfNeeded: step)
            carry = UInt64(truncatingIfNeeded: step >> 64)
        }
        return Self(reduced(sum, carry: carry))
    }

    static func * (left: Self, right: Self) -> Self {
        Self(montgomery(montgomery(left.words, square), right.words))
    }

    /// 1 divided by the number: its power n - 2 (Fermat); 0 for 0.
    var inverse: Self {
        var exponent = Self.order
        exponent[0] -= 2
        let base = Self.montgomery(words, Self.square)
        var power = Self.montgomery(SIMD4(1, 0, 0, 0), Self.square)
        for bit in (0..<256).reversed() {
            power = Self.montgomery(power, power)
            if exponent[bit / 64] >> UInt64(bit % 64) & 1 == 1 { power = Self.montgomery(power, base) }
        }
        return Self(Self.montgomery(power, SIMD4(1, 0, 0, 0)))
    }

    /// left · right / 2^256, modulo n; both below n.
    private static func montgomery(_ left: SIMD4<UInt64>, _ right: SIMD4<UInt64>) -> SIMD4<UInt64> {
        var low = SIMD4<UInt64>()
        var high: UInt64 = 0
        for index in 0..<4 {
            var carry: UInt128 = 0
            for place in 0..<4 {
                let step = UInt128(left[place]) * UInt128(right[index]) + UInt128(low[place]) + carry
                low[place] = UInt64(truncatingIfNeeded: step)
                carry = step >> 64
            }
            let top = UInt128(high) + carry
            let factor = low[0] &* negativeInverse
            // Makes the lowest word 0, so that the number can be shifted down by it.
            carry = (UInt128(factor) * UInt128(order[0]) + UInt128(low[0])) >> 64
            for place in 1..<4 {
                let step = UInt128(factor) * UInt128(order[place]) + UInt128(low[place]) + carry
                low[place - 1] = UInt64(truncatingIfNeeded: step)
                carry = step >> 64
            }
            let last = top + carry
            low[3] = UInt64(truncatingIfNeeded: last)
            high = UInt64(truncatingIfNeeded: last >> 64)
        }
        return reduced(low, carry: high)
    }

    /// `carry` · 2^256 + `words`, which is below 2n, modulo n.
    private static func reduced(_ words: SIMD4<UInt64>, carry: UInt64) -> SIMD4<UInt64> {
        var difference = SIMD4<UInt64>()
        var borrow: UInt64 = 0
        for index in 0..<4 {
            let step = UInt128(words[index]) &- UInt128(order[index]) &- UInt128(borrow)
            difference[index] = UInt64(truncatingIfNeeded: step)
            borrow = UInt64(truncatingIfNeeded: step >> 64) & 1
        }
        // All ones if the difference is not negative.
        let mask = 0 &- (carry | (1 - borrow))
        return difference & SIMD4(repeating: mask) | words & SIMD4(repeating: ~mask)
    }
}

/// The candidates for the secret number of a signature, derived from key and message (RFC 6979, 3.2) with HMAC
/// over SHA-256. The same key and message give the same sequence.
struct NonceSequence {
    private var key: [UInt8]
    private var value = [UInt8](repeating: 1, count: 32)
    private var isFirst = true

    /// The sequence for the private key `scalar` and a message's SHA-256 as a number modulo the order, 32 bytes each.
    init(scalar: [UInt8], digest: [UInt8]) {
        key = [UInt8](repeating: 0, count: 32)
        for mark: UInt8 in [0, 1] {
            key = Self.code(of: value + [mark] + scalar + digest, key)
            value = Self.code(of: value, key)
        }
    }

    /// The next candidate between 0 and the order.
    mutating func next() -> P256Scalar {
        while true {
            if !isFirst {
                key = Self.code(of: value + [0], key)
                value = Self.code(of: value, key)
            }
            isFirst = false
            value = Self.code(of: value, key)
            if let candidate = P256Scalar(exactly: value) { return candidate }
        }
    }

    private static func code(of message: [UInt8], _ key: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }
}
