import Feasycom
import Firmware
import KKM
import TestSupport
import Testing
import UpdateModel

/// A frame as it is sent after its company ID or UUID, and its parser.
struct FrameSample: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    /// The shortest prefix that is also a valid frame.
    let least: Int
    let kind: FrameKind
    let parse: @Sendable ([UInt8]) throws(FrameError) -> Void

    init<Frame: FrameFormat>(_ name: String, _ hex: String, least: Int? = nil, _ format: Frame.Type) {
        self.name = name
        bytes = [UInt8](hex: hex)
        self.least = least ?? bytes.count
        kind = Frame.kind
        parse = { (bytes) throws(FrameError) in _ = try Frame(parsing: bytes) }
    }

    var testDescription: String { name }

    static let all = standard + kkm + others

    private static let standard = [
        FrameSample("iBeacon", "0215 e2c56db5dffb48d2b060d0f5a71096e0 1936 05b2 c5", IBeacon.self),
        FrameSample("AltBeacon", "beac e2c56db5dffb48d2b060d0f5a71096e0193605b2 c5 00", AltBeacon.self),
        FrameSample(
            "Eddystone UID", "00ee 00010203040506070809 010203040506 0000", least: 18, EddystoneUID.self),
        FrameSample("Eddystone URL", "10ee01 676f6f676c6500", least: 3, EddystoneURL.self),
        FrameSample("Eddystone TLM", "2000 0bb8 1580 00012345 000d2f00", EddystoneTLM.self),
        FrameSample(
            "Eddystone TLM, encrypted", "2001 a0a1a2a3a4a5a6a7a8a9aaab 1234 5678", EddystoneEncryptedTLM.self),
        FrameSample("Eddystone EID", "30ee 1122334455667788", EddystoneEID.self),
        FrameSample("battery level", "37", BatteryLevel.self),
    ]

    private static let kkm = [
        FrameSample("KKM's system frame", "22 05 64 dd3402065b5c 06 14", KKMSystem.self),
        FrameSample("a K6's sensor frame", "21010f 0e07 192a 224f fffc ffec 03eb", least: 3, KKMSensor.self),
        FrameSample(
            "KKM's sensor frame with everything",
            "2107ff 0e07 192a 224f fffc ffec 03eb 01 02 0123 03 0064 0001 04 01c2 05 0007", least: 3,
            KKMSensor.self),
        FrameSample("KKM's scan response with numbers", "64 04 1936 05b2", least: 3, KKMExtended.self),
        FrameSample("KKM's scan response with an address", "64 00 01 02459f", least: 3, KKMExtended.self),
        FrameSample(
            "KKM's encrypted frame", "06 000f 000102030405060708090a0b0c0d0e0f 6553f100",
            KKMEncryptedSensor.self),
        FrameSample("KKM's EBeacon", "03 15 000102030405060708090a0b0c0d0e0f 6553f100 c5", KKMEBeacon.self),
        FrameSample("KKM's AOA frame", "04 00 21 90", KKMAOA.self),
        FrameSample("KKM's AOA frame with acceleration", "04 08 010203", KKMAOA.self),
    ]

    private static let others = [
        FrameSample("Feasycom", "15 033e 92 dd3402065b5c 65", least: 10, FeasycomFrame.self),
        FrameSample("Feasycom's BP103B", "29 0219 92 aabbccddeeff e4", least: 10, FeasycomFrame.self),
        FrameSample("Kontakt, classic", "61626364 04 02 64", KontaktClassic.self),
        FrameSample("Kontakt, plain", "02 06 01 0f 64 04 616263646566", least: 7, KontaktPlain.self),
        FrameSample(
            "Kontakt, shuffled", "01 06 01 0f 64 00 01020304050607080908 010203040506", KontaktShuffled.self),
        FrameSample("Kontakt, location", "05 f4 25 0a 01 414243444546", least: 6, KontaktLocation.self),
        FrameSample(
            "Kontakt, telemetry", "03 020a64 0411065ba0 060100f153655f", least: 1, KontaktTelemetry.self),
        FrameSample(
            "Estimote, subframe A", "22 1122334455667788 00 40 c0 7f 5e 83 9d 00b98b01",
            EstimoteTelemetry.self),
        FrameSample(
            "Estimote, subframe B", "22 1122334455667788 01 8040ff 5a 2c 91 15 08 2f 57",
            EstimoteTelemetry.self),
        FrameSample("Estimote's sticker", "01 0102030405060708 04 02 4821 75 10f040 05 41", Nearable.self),
        FrameSample("ASensor", "dd3402065b5c 02 19 00 010240 00 09 64 c5", ASensor.self),
    ]
}
