import Bluetooth
import Firmware
import TestSupport
import Testing

/// A report with the battery and version that it contains.
struct StateVector: CustomTestStringConvertible, Sendable {
    let name: String
    let hex: String
    var percent: Int?
    var millivolts: Int?
    var isExternal = false
    var version: String?

    var testDescription: String { name }
    var bytes: [UInt8] { [UInt8](hex: hex) }

    static let all = [
        StateVector(
            name: "Eddystone TLM", hex: "0201060303aafe1116aafe20000bb8158000012345000d2f00", millivolts: 3000
        ),
        StateVector(
            name: "Eddystone TLM without voltage", hex: "0201060303aafe1116aafe200000008000000000010000000a"),
        StateVector(
            name: "Eddystone TLM, encrypted",
            hex: "0201060303aafe1516aafe2001a0a1a2a3a4a5a6a7a8a9aaab12345678"),
        StateVector(
            name: "KBeacon's system frame", hex: "0201060303aafe0e16aafe220564dd3402065b5c0614", percent: 100,
            version: "6.20"),
        StateVector(
            name: "the same as data of the company", hex: "0201060eff530a220564dd3402065b5c0614",
            percent: 100,
            version: "6.20"),
        StateVector(name: "KBeacon's scan response", hex: "091680206404193605b2", percent: 100),
        StateVector(
            name: "KBeacon's sensor, first generation", hex: "0201060303aafe0a16aafe2101030bc41580",
            millivolts: 3012),
        StateVector(
            name: "KBeacon's sensor, second generation", hex: "0aff530a2100030a281580", millivolts: 2600),
        StateVector(name: "KBeacon's sensor without voltage", hex: "08ff530a2102021580"),
        StateVector(
            name: "Kontakt's scan response", hex: "080961626364656667020a040a160dd061626364040264",
            percent: 100,
            version: "4.2"),
        StateVector(
            name: "Kontakt's scan response, too short", hex: "080961626364656667020a0409160dd0616263640402"),
        StateVector(
            name: "Kontakt's secure profile", hex: "0f166afe0206010f6404616263646566", percent: 100,
            version: "1.15"),
        StateVector(name: "Kontakt's secure profile, too short", hex: "09166afe0206010f6404"),
        StateVector(
            name: "Kontakt's secure profile, shuffled",
            hex: "19166afe0106010f640400010203040506070809010203040506", percent: 100, version: "1.15"),
        StateVector(name: "Kontakt's telemetry", hex: "07166afe03020a64"),
        StateVector(name: "Kontakt's telemetry with the battery", hex: "07166afe03020c5a", percent: 90),
        StateVector(name: "Kontakt's telemetry of health", hex: "0b166afe03060111223344 2a", percent: 42),
        StateVector(name: "Kontakt's telemetry past its end", hex: "0a166afe03020c5a040c01"),
        StateVector(
            name: "Estimote's telemetry",
            hex: "02010603039afe17169afe2211223344556677880100000000000000082f57", percent: 87,
            millivolts: 3010),
        StateVector(
            name: "Estimote's telemetry without voltage and percentage",
            hex: "02010603039afe17169afe22112233445566778801000000000000 00fcffff"),
        StateVector(
            name: "Estimote's sticker", hex: "02010616ff5d0101010203040506070804024821750000400541",
            millivolts: 2991, version: "2"),
        StateVector(
            name: "AprilBrother's ASensor",
            hex: "0201060303f5fe13ffd200dd3402065b5c021900010240000964c5", percent: 100, version: "2"),
        StateVector(
            name: "the same data without SUOTA's service", hex: "13ffd200dd3402065b5c021900010240000964c5"),
        StateVector(
            name: "Feasycom on external power", hex: "020106 0e16f0ff15033e92dd3402065b5c65",
            isExternal: true,
            version: "830"),
        StateVector(
            name: "Feasycom with a length that is a byte short", hex: "020106 0d16f0ff15033e92dd3402065b5c4b",
            percent: 75, version: "830"),
        StateVector(
            name: "Feasycom with an empty battery and a length that is a byte short",
            hex: "020106 0d16f0ff15033e92dd3402065b5c00", percent: 0, version: "830"),
        StateVector(
            name: "Feasycom without a battery", hex: "020106 0d16f0ff15033e92dd3402065b5c", version: "830"),
        StateVector(
            name: "Feasycom's unknown model at its own address",
            hex: "0e16f0ff02033e92dd3402065b5c40", percent: 64, version: "830"),
        StateVector(name: "another vendor with FFF0", hex: "0e16f0ff02033e92dd3402065b5d40"),
        StateVector(name: "a battery above all", hex: "0e16f0ff15033e92dd3402065b5c66"),
        StateVector(name: "the battery service's level", hex: "04160f1837", percent: 55),
        StateVector(name: "a percentage above 100", hex: "04160f1865", percent: 100),
        StateVector(
            name: "KBeacon's system frame, fresh", hex: "0eff530a22056ddd3402065b5c0614", percent: 100,
            version: "6.20"),
        StateVector(
            name: "a K6's genuine sensor frame", hex: "1216aafe21010f0e07192a224ffffcffec03eb",
            millivolts: 3591),
        StateVector(
            name: "its genuine scan response",
            hex: "091680206d0100000000 0d094b4250726f5f323134383130 020ad3", percent: 100),
        StateVector(
            name: "a KBPro's genuine sensor frame", hex: "0c16aafe2101070e321b4733b4", millivolts: 3634),
        StateVector(
            name: "an iBeacon", hex: "0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e0193605b2c5"),
        StateVector(name: "nothing", hex: ""),
    ]
}
