import Bluetooth
import Simulation
import Testing

@Suite struct `The session of a Feasycom beacon` {
    @Test(arguments: [
        ("AT", "OK\r\n"), ("AT+VER", "+VER=BP102,8.30\r\nOK\r\n"), ("AT+NAME", "+NAME=FSC_BP\r\nOK\r\n"),
        ("AT+ADVIN", "+ADVIN=1000\r\nOK\r\n"), ("AT+TXPOWER", "+TXPOWER=0\r\nOK\r\n"),
        ("AT+PIN=000000", "OK\r\n"), ("AT+PIN", "ERROR\r\n"), ("AT+VER=9", "ERROR\r\n"),
        ("AT+FLY", "ERROR\r\n"), ("AT+FLY=1", "ERROR\r\n"), ("at+ver", "ERROR\r\n"), ("hello", "ERROR\r\n"),
        ("AT+=", "ERROR\r\n"), ("=", "ERROR\r\n"), ("AT+NAME=", "ERROR\r\n"), ("AT+ADVIN=99", "ERROR\r\n"),
        ("AT+ADVIN=x", "ERROR\r\n"), ("AT+TXPOWER=21", "ERROR\r\n"), ("AT+BUZ=1,100", "ERROR\r\n"),
        ("AT+NAME=a=b", "OK\r\n"), ("", ""), ("AT+NAME=\u{fc}", "ERROR\r\n"),
    ])
    func `answers a command`(command: String, answer: String) throws {
        var bench = try FBeaconBench.opened()
        #expect(bench.ask(command + "\r\n") == answer)
        #expect(bench.errors == [])
    }

    @Test(arguments: [
        (false, "AT+NAME", "+NAME=FSC_BP\r\n\r\nOK\r\n"), (true, "AT+NAME", "+LENAME=FSC_BP\r\n\r\nOK\r\n"),
        (true, "AT+NAME=Tag", "OK\r\n"), (true, "AT+ADVIN", "+ADVIN=1000\r\n\r\nOK\r\n"),
        (true, "AT+VER", "+VER=BP102,8.30\r\n\r\nOK\r\n"), (true, "AT+LENAME", "ERROR\r\n"),
    ])
    func `answers with an empty line, and by another name`(
        usesLENAME: Bool, command: String, answer: String
    ) throws {
        var bench = try FBeaconBench.opened {
            $0.answers.form = .spaced
            $0.answers.usesLENAME = usesLENAME
        }
        #expect(bench.ask(command + "\r\n") == answer)
    }

    @Test func `accepts commands in pieces, and several at once`() throws {
        var bench = try FBeaconBench.opened()
        #expect(bench.ask("AT+V") == "")
        #expect(bench.ask("ER\r") == "")
        #expect(bench.ask("\nAT+ADVIN\r\nAT\r\n") == "+VER=BP102,8.30\r\nOK\r\n+ADVIN=1000\r\nOK\r\nOK\r\n")
    }

    @Test func `answers in pieces that fit`() throws {
        var bench = try FBeaconBench.opened(mtu: 23)
        #expect(bench.ask("AT+NAME=A name of 20 byte\r\n") == "OK\r\n")
        let before = bench.heard.count
        #expect(bench.ask("AT+NAME\r\n") == "+NAME=A name of 20 byte\r\nOK\r\n")
        #expect(bench.heard[before...].map(\.value.count) == [20, 9])
    }

    @Test func `accepts nothing before it is opened, nor over the next link`() throws {
        var bench = try FBeaconBench()
        bench.connect()
        #expect(bench.ask("AT+VER\r\n") == "")
        #expect(bench.ask("$OpenFscAtEngine$\r\n") == "")
        #expect(bench.errors == [.commandBeforeOpening, .commandBeforeOpening])
        #expect(bench.ask("$OpenFscAtEngine$") == "$OK,Opened$")
        #expect(bench.ask("AT\r\n") == "OK\r\n")
        bench.disconnect()
        bench.connect()
        #expect(bench.ask("AT\r\n") == "")
        #expect(bench.statistics.openings == 1)
    }

    @Test func `drops a command without an end`() throws {
        var bench = try FBeaconBench.opened()
        #expect(bench.ask(String(repeating: "A", count: 128)) == "")
        #expect(bench.ask("A") == "ERROR\r\n")
        #expect(bench.errors == [.endlessCommand])
        #expect(bench.ask("AT\r\n") == "OK\r\n")
    }

    @Test func `keeps what is set, and returns it`() throws {
        var bench = try FBeaconBench.opened()
        #expect(bench.ask("AT+NAME=Shelf 7\r\nAT+ADVIN=250\r\nAT+TXPOWER=a\r\n") == "OK\r\nOK\r\nOK\r\n")
        bench.powerCycle()
        bench.connect()
        #expect(bench.ask("$OpenFscAtEngine$") == "$OK,Opened$")
        #expect(bench.ask("AT+NAME\r\n") == "+NAME=Shelf 7\r\nOK\r\n")
        #expect(bench.ask("AT+TXPOWER\r\n") == "+TXPOWER=A\r\nOK\r\n")
        let from = Duration.seconds(1000)
        let reports = bench.device.reports(after: from, through: from + .seconds(1))
        #expect(reports.compactMap(\.data.name) == [String](repeating: "Shelf 7", count: 4))
    }

    @Test(arguments: ["0000", "123456"]) func `requires its PIN first`(pin: String) throws {
        var bench = try FBeaconBench.opened { $0.access.pin = pin }
        for command in ["AT\r\n", "AT+VER\r\n", "AT+NAME=x\r\n", "AT+PIN\r\n", "EnterDFU0"] {
            #expect(bench.ask(command) == "ERROR\r\n")
        }
        #expect(bench.errors == [.commandBeforePIN, .commandBeforePIN, .commandBeforePIN, .commandBeforePIN])
        for wrong in ["0001", "", "12345", "1234567", pin + " "] {
            #expect(bench.ask("AT+PIN=\(wrong)\r\n") == "ERROR\r\n")
        }
        #expect(bench.statistics.pinTries == 5)
        #expect(bench.statistics.wrongPINs == 5)
        #expect(bench.ask("AT+PIN=\(pin)\r\nAT+VER\r\n") == "OK\r\n+VER=BP102,8.30\r\nOK\r\n")
        #expect(bench.ask("AT+PIN=\(pin)0\r\nAT\r\n") == "ERROR\r\nERROR\r\n")
        #expect(bench.ask("AT+PIN=\(pin)\r\n") == "OK\r\n")
        bench.disconnect()
        bench.connect()
        #expect(bench.ask("$OpenFscAtEngine$") == "$OK,Opened$")
        #expect(bench.ask("AT+VER\r\n") == "ERROR\r\n")
    }

    @Test func `ends the link after a wrong PIN if so configured`() throws {
        var bench = try FBeaconBench.opened {
            $0.access.pin = "0000"
            $0.access.endsLinkAfterWrongPIN = true
        }
        #expect(bench.ask("AT+PIN=1111\r\nAT+PIN=0000\r\n") == "ERROR\r\n")
        #expect(!bench.isLinked)
        #expect(bench.statistics.pinTries == 1)
    }

    @Test func `belongs to another central while it is busy`() throws {
        var bench = try FBeaconBench { $0.access.isBusy = true }
        bench.connect()
        #expect(bench.ask("$OpenFscAtEngine$") == "ERROR\r\n")
        #expect(bench.ask("EnterDFU0") == "ERROR\r\n")
        #expect(bench.ask("AT\r\n") == "")
        var once = try FBeaconBench([.busy(1), .busy(3)])
        once.connect()
        #expect(once.ask("$OpenFscAtEngine$") == "ERROR\r\n")
        #expect(once.ask("$OpenFscAtEngine$") == "$OK,Opened$")
        #expect(once.ask("EnterDFU0") == "ERROR\r\n")
        #expect(once.statistics.entries == [])
    }

    @Test func `notes writes that are too long, and answers without a subscriber`() throws {
        var bench = try FBeaconBench()
        bench.connect(mtu: 23, listens: false)
        bench.request([0x52, FBeaconBench.commands, 0] + [UInt8](repeating: 65, count: 21))
        #expect(bench.errors == [.writeTooLong])
        #expect(bench.ask("$OpenFscAtEngine$") == "")
        #expect(bench.errors == [.writeTooLong, .unsubscribed])
    }
}
