import Bytes

/// The signing keys in public repositories: anyone can sign with them, and builds use them until a product has its own.
enum PublishedKeys {
    /// Hashes of the public keys of `root-*.pem` in mcu-tools/mcuboot at commit 2d4bacc, which the nRF Connect SDK
    /// uses, too. As in images, the RSAPublicKey is hashed for RSA, otherwise the SubjectPublicKeyInfo, with the
    /// algorithm of the image's hash.
    private static let hashes: [String: String] = [
        "fc5701dc6135e1323847bdc40f04d2e5bee5833b23c29f93593d00018cfa9994": "root-rsa-2048.pem",
        "449793fb65cd7698753d5b3f35fab15f1e3a45111ff24e1d46741de5ae12d59e": "root-rsa-3072.pem",
        "e30466f6b8470c1f29070b17f1e2d3e94d445e3f608087fdc711e4382bb538b6": "root-ec-p256.pem",
        "6bcd1e16d80e5fe13a5307e6f1de8344c7e50e537d9962ce35ef6db5e642fae8": "root-ec-p384.pem",
        "85b7bd5f5dff9a03a99927adaf6ca6febde822c1a480928324a8e60323715c5779461c496a95aee8c4f90b99779f848a":
            "root-ec-p384.pem",
        "c1907fa4eac7fae3840a78902b6f0710b037e9968e5c6274a12a28790c7d4e3c": "root-ed25519.pem",
        "e3e129b49f1218e18e4614acb2523389c75852ebb98b4d2c6171a2fc65706ba3"
            + "d1ddf85f52e71450c3e572e624695fafd41ce4d9354d6c2b19f7d6001a6ae8b0": "root-ed25519.pem",
        "6754edab1e29affef4a05935adecbeb1a7b8b62397b31e39a61b5bfcaafd63af": "root-ed25519-2.pem",
        "e11ed22583de283392266b917bd82e88486edf47bc58c7ce8e42f9fb90e1daa9"
            + "00e72f172e4bd4fb19fc1870638e3a89c3f033ef4db6f6235d02ee623b4b2924": "root-ed25519-2.pem",
        "b1d87d60173352b9a4808979790fc699fb4c4f83b49cf1970edd96ff4adc36a6": "root-ed25519-unknown.pem",
        "37491781699741ec96e7faaf03c04e70f135f2f8b1f09d5a2a53667115052331"
            + "e6a8abd3310476e7fbedf676feb9e8bcff7ff5366e8470714c0ef4c582941881": "root-ed25519-unknown.pem",
    ]

    /// The file in mcu-tools/mcuboot with `key`; nil if none of them has it.
    static func name(of key: ImageSignature.Key?) -> String? {
        switch key {
        case nil: nil
        case .hash(let hash): hashes[HexText.encode(hash)]
        case .publicKey(let bytes): hashes[HexText.encode(SHA2.sha256.digest(bytes))]
        }
    }
}
