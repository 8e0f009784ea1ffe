import FirmwareModel

extension Rule {
    /// Who made the file, and whether that can be told.
    static let authenticityRules = [
        Rule(
            "unsigned", .authenticity, .error,
            "Stock bootloaders refuse it (0B 08), and others install whatever anybody nearby sends."),
        Rule(
            "signature-missing", .authenticity, .error,
            "The product's bootloaders refuse the package (0B 08) in front of the customer."),
        Rule(
            "signature-invalid", .authenticity, .error,
            "A package signed with the development key is refused by every unit in the field (05)."),
        Rule(
            "signature-length-wrong", .authenticity, .error,
            "Bootloaders refuse the init packet (0A, or 05) without saying that it is the signature."),
        Rule(
            "signature-type-unsupported", .authenticity, .error,
            "Bootloaders know ECDSA P-256 only and refuse the init packet (0B 0B)."),
        Rule(
            "signed-with-default-key", .authenticity, .error,
            "Everybody has nrfutil's key, so anybody nearby can install anything."),
        Rule(
            "unauthenticated", .authenticity, .note,
            "A file that was tampered with has valid checksums all the same."),
        Rule(
            "signature-unchecked", .authenticity, .note,
            "The loader alone can tell whether the section is valid."),
        Rule(
            "key-not-given", .authenticity, .note,
            "The signature may be anybody's: no key was given to check it with."),
    ]
}
