import UpdateModel

extension Rule {
    /// Rules about the file's author and its signature.
    static let authenticityRules = [
        Rule(
            "unsigned", .authenticity, .error,
            "Stock bootloaders refuse it (0B 08), and others install any image from anyone nearby."),
        Rule(
            "signature-missing", .authenticity, .error,
            "The product's bootloaders refuse the package (0B 08) in front of the customer."),
        Rule(
            "signature-invalid", .authenticity, .error,
            "A package signed with the development key is refused by every unit in the field (05)."),
        Rule(
            "signature-length-wrong", .authenticity, .error,
            "Bootloaders refuse the init packet (0A, or 05) without reporting that the signature is the reason."
        ),
        Rule(
            "signature-type-unsupported", .authenticity, .error,
            "Bootloaders support ECDSA P-256 only and refuse the init packet (0B 0B)."),
        Rule(
            "signed-with-default-key", .authenticity, .error,
            "nrfutil's key is public, so anyone nearby can install anything."),
        Rule(
            "unauthenticated", .authenticity, .note,
            "Valid checksums do not show that a file was tampered with."),
        Rule(
            "signature-unchecked", .authenticity, .note,
            "Only the loader can tell whether the section is valid."),
        Rule(
            "key-not-given", .authenticity, .note,
            "The signature may be from anyone: no key was given to check it."),
    ]
}
