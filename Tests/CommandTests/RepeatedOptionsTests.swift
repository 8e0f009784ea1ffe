import ArgumentParser
import Bluetooth
import Bytes
import Firmware
import Testing
import Tray
import UpdateModel

@testable import BeaconCommands
@testable import CommandKit

@Suite struct `The options of a user's command` {
    private static func command(_ arguments: [String]) throws -> any RunningCommand {
        try #require(try BeaconDFU.parseAsRoot(arguments) as? any RunningCommand)
    }

    private static let address = ["--device", "F0:0D:BE:AC:04:00"]

    @Test(arguments: [
        (
            ["flash", "--from-catalogue", "--adapter", "sim:my tray.yaml"],
            "`beacon-dfu info --adapter 'sim:my tray.yaml' --device A`, or `beacon-dfu scan --adapter 'sim:my tray.yaml'`"
        ),
        (
            ["info", "--adapter", "hci1", "--coded", "--secrets", "s.yaml"],
            "`beacon-dfu info --adapter hci1 --coded --secrets s.yaml --device A`, "
                + "or `beacon-dfu scan --adapter hci1 --coded`"
        ),
        (
            ["config", "read", "--power-on"],
            "`beacon-dfu info --power-on --device A`, or `beacon-dfu scan --power-on`"
        ),
        (
            ["scan", "--adapter", "sim"],
            "`beacon-dfu info --adapter sim --device A`, or `beacon-dfu scan --adapter sim`"
        ),
        (["blink"], "`beacon-dfu info --device A`, or `beacon-dfu scan`"),
    ])
    func `are in the commands of a failure's next step`(_ arguments: [String], _ words: String) throws {
        let failure = CommandFailure(
            .catalogue.deviceUnknown, during: "choosing the release", message: "",
            nextStep: "`beacon-dfu info --device A`, or `beacon-dfu scan`")
        let told = try Self.command(arguments + (arguments[0] == "scan" ? [] : Self.address))
            .addingAdvice(to: failure)
        #expect(told.nextStep == words)
        #expect(told.code == failure.code && told.message == failure.message)
    }

    @Test func `are in the commands of the advice about its beacon`() throws {
        let place = try #require(DeviceAddress("F0:0D:BE:AC:04:01"))
        let failure = UpdateFailure(
            .device.linkLost, during: "transferring", message: "",
            state: DeviceState(program: .unknown, address: place, application: .unknown))
        let told = try Self.command(["flash", "a.zip", "--adapter", "hci2"] + Self.address)
            .addingAdvice(to: CommandFailure(failure))
        #expect(told.remarks.first?.contains("`beacon-dfu scan --adapter hci2`") == true)
        let advice = told.details["device_state"]?["advice"]?.text
        #expect(advice?.contains("`beacon-dfu scan --adapter hci2`") == true)
    }

    @Test(arguments: [
        (
            ["info", "--device", "F0:0D:BE:AC:04:00"],
            "`beacon-dfu info --device F0:0D:BE:AC:04:00`, `bluetoothctl disconnect F0:0D:BE:AC:04:00`"
        ),
        (
            ["config", "read", "--device", "name:Lamp 5"],
            "`beacon-dfu info --device 'name:Lamp 5'`, `bluetoothctl disconnect ADDRESS`"
        ),
        (["scan"], "`beacon-dfu info --device ADDRESS`, `bluetoothctl disconnect ADDRESS`"),
        // A backquote would end the command.
        (
            ["info", "--device", "name:A`B"],
            "`beacon-dfu info --device ADDRESS`, `bluetoothctl disconnect ADDRESS`"
        ),
    ])
    func `name the selected beacon where a next step has a placeholder`(
        _ arguments: [String], _ words: String
    )
        throws
    {
        let failure = CommandFailure(
            .device.beaconHeld, during: "connecting", message: "",
            nextStep: "`beacon-dfu info --device ADDRESS`, `bluetoothctl disconnect ADDRESS`")
        #expect(try Self.command(arguments).addingAdvice(to: failure).nextStep == words)
    }

    @Test func `name the firmware before the beacon was looked for`() throws {
        let failure = CommandFailure(
            .system.interrupted, during: "reading the package", message: "",
            nextStep: "`beacon-dfu inspect FILE`")
        let command = try Self.command(["flash", "my notes.txt"] + Self.address)
        #expect(command.addingAdvice(to: failure).nextStep == "`beacon-dfu inspect 'my notes.txt'`")
    }

    @Test func `name the unit's file where it is known, and no other file`() throws {
        let address = try #require(DeviceAddress("F0:0D:BE:AC:04:01"))
        let options = RepeatedOptions().naming(.bareAddress(address), file: "my lamp.zip")
        #expect(
            options.added(
                to:
                    "`beacon-dfu inspect FILE`, `beacon-dfu validate FILE --public-key KEY`, ADDRESS and FILE, "
                    + "`beacon-dfu config write FILE --device ADDRESS`")
                == "`beacon-dfu inspect 'my lamp.zip'`, `beacon-dfu validate 'my lamp.zip' --public-key KEY`, "
                + "ADDRESS and FILE, `beacon-dfu config write FILE --device F0:0D:BE:AC:04:01`")
    }

    /// The failure codes whose next step names the beacon or the firmware.
    @Test func `leave no placeholder in a next step of flash`() throws {
        let address = try #require(DeviceAddress("F0:0D:BE:AC:04:01"))
        let options = RepeatedOptions().naming(.bareAddress(address), file: "lamp.zip")
        for code in FailureCode.all {
            let words = options.added(to: code.nextStep.withOptions)
            #expect(!words.contains("ADDRESS"), "\(code): \(words)")
            #expect(!words.contains("inspect FILE") && !words.contains("validate FILE"), "\(code): \(words)")
        }
    }

    @Test func `follow the file that a command names`() throws {
        let command = try Self.command(["flash", "--from-catalogue", "--adapter", "sim"] + Self.address)
        let options = try #require(command as? any RadioCommand).repeatedOptions
        #expect(
            options.added(to: "`beacon-dfu flash FILE --device A`")
                == "`beacon-dfu flash FILE --device A --adapter sim`")
    }

    @Test(arguments: [
        ["--adapter", "hci1", "--secrets", "s.yaml"], ["--secrets", "s.yaml"], ["--power-on"], [],
    ])
    func `are added once, and stored with the verdict on a unit`(_ given: [String]) throws {
        let command = try Self.command(["batch", "tray.yaml"] + given)
        let options = try #require(command as? any RadioCommand).repeatedOptions
        let once = options.added(to: "`beacon-dfu info --device A`, or `beacon-dfu scan`")
        #expect(options.added(to: once) == once)
        let failure = CommandFailure(
            .device.linkLost, during: "sending", message: "it is gone",
            nextStep: "`beacon-dfu info --device A`, or `beacon-dfu scan`")
        #expect(UnitVerdict(failure).repeating(options).nextStep == once)
        #expect(once.contains(given.joined(separator: " ")))
    }

    @Test(arguments: [
        (["--secrets", "a.yaml"], ["--adapter", "hci1", "--secrets", "a.yaml"]),
        (["--power-on", "--secrets", "a.yaml"], ["--adapter", "hci1", "--power-on", "--secrets", "a.yaml"]),
    ])
    func `are not repeated from an earlier run`(_ earlier: [String], _ given: [String]) throws {
        var text = "`beacon-dfu info --device A`"
        for run in [earlier, given] {
            let command = try Self.command(["batch", "tray.yaml"] + run)
            text = try #require(command as? any RadioCommand).repeatedOptions.added(to: text)
        }
        #expect(text == "`beacon-dfu info --adapter hci1 \(earlier.joined(separator: " ")) --device A`")
    }

    @Test func `and what was added to a next step are still there after a time limit`() {
        let failure = CommandFailure(.system.interrupted, during: "sending", message: "stopped")
            .adding(toNextStep: "name the package: `beacon-dfu flash F --device A`")
        let late = failure.timedOut(after: 3)
        #expect(late.message == "the command was not done within the 3 s of --timeout; stopped")
        #expect(late.nextStep.contains("longer --timeout"))
        #expect(late.nextStep.hasSuffix("; name the package: `beacon-dfu flash F --device A`"))
    }

    @Test func `leave the advice of an interrupted update after a time limit`() {
        let failure = CommandFailure(
            .system.interrupted, during: "sending", message: "stopped",
            nextStep: "do not switch the beacon off")
        #expect(
            failure.timedOut(after: 3).nextStep == "give a longer --timeout; do not switch the beacon off")
    }

    /// A tray may use several adapters, other commands only one.
    @Test func `are in the commands for a unit of a tray, with one adapter`() throws {
        let command = try Self.command(["batch", "tray.yaml", "--adapter", "hci1,hci2"])
        let options = try #require(command as? any RadioCommand).repeatedOptions
        #expect(options.added(to: "`beacon-dfu info`") == "`beacon-dfu info --adapter hci1`")
    }

    @Test(arguments: [
        "`beacon-dfu inspect FILE`", "`beacon-dfu history outbox`", "`beacon-dfu-station status`",
        "`beacon-dfu config-file`", "beacon-dfu scan", "`beacon-dfu scan --adapter sim`",
    ])
    func `are in no command that does not take them, or has its own`(_ text: String) throws {
        let command = try Self.command(["scan", "--adapter", "hci1"])
        #expect(try #require(command as? any RadioCommand).repeatedOptions.added(to: text) == text)
    }
}
