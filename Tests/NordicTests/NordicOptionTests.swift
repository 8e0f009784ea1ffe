import Nordic
import TestSupport
import Testing
import UpdateModel

@Suite struct `Options for Nordic packages` {
    private static func secure() throws -> NordicPackage {
        try NordicPackage(
            parsing: Samples.file(at: Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"))
    }

    private static func legacy() throws -> LegacyPackage {
        try LegacyPackage(parsing: Samples.file(at: Samples.root + "/firmware-samples/legacy/adafruit.zip"))
    }

    private static func mayName(_ change: (inout UpdateOptions) -> Void) throws -> Bool {
        var options = UpdateOptions()
        change(&options)
        return try secure().entry(options).mayName(enteringBy: ButtonlessService.unbonded)
    }

    @Test func `give the bootloader a name, unless the user wants none or has chosen the bootloader`() throws
    {
        #expect(try Self.mayName { _ in })
        #expect(try !Self.mayName { $0[NordicOptions.self].givesNoName = true })
        #expect(
            try !Self.mayName { $0[TransferOptions.self].bootloader = BootloaderSelector("name:Dfu*") })
        #expect(
            try Self.mayName {
                $0[TransferOptions.self].bootloader = BootloaderSelector("F0:0D:BE:AC:01:01")
                $0[NordicOptions.self].bootloaderName = "Bench 7"
            })
    }

    @Test func `have no effect on Legacy bootloaders where those have nothing of the kind`() throws {
        let legacy = try Self.legacy()
        let none: [VendorOption] = [.noResume, .bootloaderName]
        for option in TransferOptions.options + NordicOptions.options {
            #expect(try Self.secure().takes(option))
            let isNone = none.contains(option) || option.name == "no-bootloader-name"
            #expect(legacy.takes(option) != isNone, "\(option.name)")
        }
    }

    @Test(arguments: [
        ("bootloader", "F0:0D:BE:AC:01:01", true), ("bootloader", "F0:0D:BE:AC:01:01/public", true),
        ("bootloader", "name:", false), ("bootloader", "id:7", false), ("bootloader", "F0:0D", false),
        ("bootloader-timeout", "0.5", false), ("bootloader-timeout", "3600", true),
        ("packet-size", "19", false), ("packet-size", "20", true), ("packet-size", "513", false),
        ("packet-size", "many", false), ("interval", "7.5", true), ("interval", "7.4", false),
        ("interval", "4001", false), ("interval", "nan", false), ("connect-timeout", "601", false),
        ("no-resume", "yes", false), ("no-resume", "true", true), ("bootloader-name", "", false),
        ("bootloader-name", "1234567890123456789", false), ("bootloader-name", "Bench 7", true),
    ]) func `refuse other values`(_ name: String, _ text: String, _ isTaken: Bool) throws {
        let option = try #require((TransferOptions.options + NordicOptions.options).first { $0.name == name })
        #expect((option.flaw(of: text) == nil) == isTaken)
    }
}
