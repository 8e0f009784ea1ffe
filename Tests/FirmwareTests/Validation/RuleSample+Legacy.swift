import Nordic
import UpdateModel

@testable import Firmware

extension RuleSample {
    /// Samples of Legacy DFU; most of its packages are not signed, so no key is given.
    static let legacy: [RuleSample] =
        [
            ("crc16-mismatch", "malformed/legacy-crc16.zip"),
            ("checksum-missing", "malformed/legacy-without-checksum.zip"),
            ("hex-invalid", "malformed/legacy-damaged-hex.zip"),
            ("part-sizes-missing", "malformed/legacy-without-sizes.zip"),
            ("part-sizes-mismatch", "malformed/legacy-sizes.zip"),
            ("image-size-refused", "malformed/legacy-odd-size.zip"),
            ("init-packet-missing", "malformed/legacy-without-packet.zip"),
            ("init-packet-crc-alone", "malformed/legacy-crc-alone.zip"),
            ("init-packet-padded", "malformed/legacy-padding.zip"),
            ("extension-not-stock", "legacy/generation-06.zip"),
            ("init-packet-long", "malformed/legacy-long.zip"),
            ("adafruit-revision-unknown", "malformed/legacy-adafruit-revision.zip"),
            ("device-type-open", "malformed/legacy-any-device.zip"),
            ("application-version-open", "malformed/legacy-any-version.zip"),
            ("parts-sent-apart", "legacy/without-manifest.zip"),
            ("metadata-mismatch", "malformed/legacy-dfu-version.zip"),
            ("hash-mismatch", "malformed/legacy-hash.zip"), ("size-mismatch", "malformed/legacy-length.zip"),
            ("sd-req-missing", "malformed/legacy-without-softdevices.zip"),
            ("init-packet-malformed", "malformed/legacy-extension-3.zip"),
        ].map { rule, file in
            // Findings about a later generation, and about two parts, are not the sample's defect.
            let beside: Set = ["extension-not-stock", "parts-sent-apart"]
            return RuleSample(rule, file, beside: beside.subtracting([rule])) {
                $0.options[NordicOptions.self].key = nil
            }
        } + [
            RuleSample(
                "signature-invalid", "malformed/legacy-signature-wrong.zip",
                beside: ["extension-not-stock", "init-packet-long"]),
            RuleSample("signature-missing", "legacy/generation-05.zip"),
            RuleSample(
                "key-not-given", "legacy/generation-08.zip",
                beside: ["extension-not-stock", "init-packet-long"]
            ) { $0.options[NordicOptions.self].key = nil },
        ]
}
