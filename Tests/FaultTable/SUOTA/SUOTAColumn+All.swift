import Dialog
import Simulation

extension SUOTAColumn {
    /// Every kind of chip and SDK, over writes and over a channel.
    package static let all = [
        SUOTAColumn("DA14580, SDK 3", .da14580),
        SUOTAColumn("DA14585 as 1.0", .da14585Old),
        SUOTAColumn("DA14585", .da14585),
        SUOTAColumn("DA14585, bank 1 older", .da14585) {
            $0.board.first?.id = 1
            $0.board.second = SUOTAFirmware(version: "1.1.0", timestamp: 1_650_000_000)
            $0.board.second?.id = 2
        },
        SUOTAColumn("DA14585 with EEPROM", .da14585, pins: .vendorI2C) {
            $0.board.memory = .i2c
            $0.board.pins = PinMap.vendorI2C.number
        },
        SUOTAColumn("DA14585 that says no version", .da14585) { $0.tellsVersion = false },
        SUOTAColumn("DA14531", .da14531),
        SUOTAColumn("DA14681, SDK before 1.3", .da14681Old),
        SUOTAColumn("DA14683", .da14683),
        SUOTAColumn("DA14683, channel", .da14683Channel),
        SUOTAColumn("DA14695", .da14695Attributes),
        SUOTAColumn("DA14695, channel", .da14695),
    ]
}
