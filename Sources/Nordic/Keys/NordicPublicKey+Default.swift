extension NordicPublicKey {
    /// The public key of the private key in the source of nrfutil 6.1.7 (`signing.py`): anyone with a copy of nrfutil
    /// can sign with it. The SHA-256 of its 64 bytes is
    /// d6e6cf764b980978a4908df8b4ddbfad343371f2d024a67f3d7c7f44abceffdd.
    public static let nrfutilDefault = NordicPublicKey(
        hex: """
            8cc034a310da78a0ea12050fe2e8afeb20bc7f187b8e3717a214e8ef522b7668\
            46cbff309004e5e81d60b59addd0d454f7848d84321a4a78e7c0ef7c614967c9
            """)

    /// Whether the matching private key is public.
    public var isPubliclyKnown: Bool { wireBytes == Self.nrfutilDefault?.wireBytes }
}
