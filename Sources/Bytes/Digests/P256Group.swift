import CCrypto

/// The arithmetic of P-256 (SP 800-186, 3.2.1.3), by libcrypto. Numbers have 32 bytes; points are X and Y, 64 bytes;
/// all most significant byte first. A result is nil if an argument is out of range, or if memory is short.
enum P256Group {
    /// The base point times `scalar`, which is secret and between 0 and the order.
    static func multiple(_ scalar: [UInt8]) -> [UInt8]? {
        withNumbers { group, context in
            guard let number = secret(scalar, context), BN_is_zero(number) == 0,
                BN_cmp(number, EC_GROUP_get0_order(group)) < 0, let point = EC_POINT_new(group)
            else { return nil }
            defer { EC_POINT_clear_free(point) }
            guard EC_POINT_mul(group, point, number, nil, nil, context) == 1 else { return nil }
            return coordinates(of: point, group, context)
        }
    }

    /// The point on the curve in one of the forms of SEC 1, 2.3.3.
    static func point(encoded bytes: [UInt8]) -> [UInt8]? {
        withNumbers { group, context in
            guard let point = EC_POINT_new(group) else { return nil }
            defer { EC_POINT_free(point) }
            guard EC_POINT_oct2point(group, point, bytes, bytes.count, context) == 1 else { return nil }
            return coordinates(of: point, group, context)
        }
    }

    /// A number of 32 bytes modulo the order.
    static func reduced(_ bytes: [UInt8]) -> [UInt8]? {
        withNumbers { group, context in residue(bytes, group, context).flatMap(digits) }
    }

    /// The ECDSA signature of `digest` with the key `scalar` and the secret `nonce`.
    ///
    /// libcrypto signs with a nonce's inverse and r if it is given both (ECDSA_do_sign_ex).
    static func signature(
        of digest: [UInt8], scalar: [UInt8], nonce: [UInt8]
    ) -> (r: [UInt8], s: [UInt8])? {
        withNumbers { group, context in
            guard let order = EC_GROUP_get0_order(group), let point = multiple(nonce),
                let r = residue(Array(point.prefix(32)), group, context), let number = secret(nonce, context),
                let exponent = BN_CTX_get(context), let inverse = BN_CTX_get(context),
                // The inverse of a number is the number to the power of order - 2 (Fermat).
                BN_copy(exponent, order) != nil, BN_sub_word(exponent, 2) == 1,
                BN_mod_exp_mont_consttime(inverse, number, exponent, order, context, nil) == 1,
                let key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1)
            else { return nil }
            defer { EC_KEY_free(key) }
            guard EC_KEY_oct2priv(key, scalar, scalar.count) == 1,
                let signature = ECDSA_do_sign_ex(digest, Int32(digest.count), inverse, r, key)
            else { return nil }
            defer { ECDSA_SIG_free(signature) }
            guard let r = digits(ECDSA_SIG_get0_r(signature)), let s = digits(ECDSA_SIG_get0_s(signature))
            else { return nil }
            return (r, s)
        }
    }

    static func verifies(
        _ signature: (r: [UInt8], s: [UInt8]), of digest: [UInt8], point: [UInt8]
    ) -> Bool {
        guard signature.r.count == 32, signature.s.count == 32, Libcrypto.isStarted,
            let key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1)
        else { return false }
        defer { EC_KEY_free(key) }
        guard EC_KEY_oct2key(key, [4] + point, 65, nil) == 1, let pair = ECDSA_SIG_new() else { return false }
        defer { ECDSA_SIG_free(pair) }
        let (r, s) = (BN_bin2bn(signature.r, 32, nil), BN_bin2bn(signature.s, 32, nil))
        // The pair owns both numbers if this succeeds.
        guard ECDSA_SIG_set0(pair, r, s) == 1 else {
            BN_free(r)
            BN_free(s)
            return false
        }
        return ECDSA_do_verify(digest, Int32(digest.count), pair, key) == 1
    }

    /// Runs `body` with the group, and a context for numbers whose memory is cleared afterwards.
    private static func withNumbers<T>(_ body: (_ group: OpaquePointer, _ context: OpaquePointer) -> T?) -> T?
    {
        guard Libcrypto.isStarted, let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else {
            return nil
        }
        defer { EC_GROUP_free(group) }
        guard let context = BN_CTX_secure_new() else { return nil }
        defer { BN_CTX_free(context) }
        BN_CTX_start(context)
        defer { BN_CTX_end(context) }
        return body(group, context)
    }

    /// `bytes` as a number with which computing takes the same time whatever its value is.
    private static func secret(_ bytes: [UInt8], _ context: OpaquePointer) -> OpaquePointer? {
        guard bytes.count == 32, let number = BN_CTX_get(context), BN_bin2bn(bytes, 32, number) != nil
        else { return nil }
        BN_set_flags(number, BN_FLG_CONSTTIME)
        return number
    }

    private static func residue(
        _ bytes: [UInt8], _ group: OpaquePointer, _ context: OpaquePointer
    ) -> OpaquePointer? {
        guard bytes.count == 32, let number = BN_CTX_get(context),
            BN_bin2bn(bytes, 32, number) != nil,
            BN_nnmod(number, number, EC_GROUP_get0_order(group), context) == 1
        else { return nil }
        return number
    }

    private static func digits(_ number: OpaquePointer) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 32)
        return BN_bn2binpad(number, &bytes, 32) == 32 ? bytes : nil
    }

    private static func coordinates(
        of point: OpaquePointer, _ group: OpaquePointer, _ context: OpaquePointer
    ) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65)
        guard EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, 65, context) == 65
        else { return nil }
        return Array(bytes.dropFirst())
    }
}
