import Testing

@testable import Simulation

/// kbeacon.md, 6.3, 6.5 and 7.2.
@Suite struct `The parameters of a KBeacon` {
    @Test(arguments: [
        (#""name":"Shelf 7""#, ""), (#""name":"""#, "0103"), (#""name":"1234567890123456789""#, "0103"),
        (#""name":"a\"b""#, "0103"), (#""meaPwr":-80"#, ""), (#""meaPwr":-81"#, "0103"),
        (#""meaPwr":1"#, "0103"), (#""atPwr":2"#, "0103"), (#""model":"K7""#, "0103"),
        (#""pwd":"1234567""#, "0103"), (#""pwd":"12345678901234567""#, "0103"), (#""pwd":12345678"#, "0103"),
        (#""tlmItvl":5"#, "0103"), (#""nBlk":1.5"#, "0103"), (#""advObj":[]"#, "0103"),
        (#""advObj":[1]"#, "0103"), (#""advObj":{}"#, "0103"), (#""advObj":[{"type":1}]"#, "0106"),
        (#""advObj":[{"slot":1}]"#, "0106"), (#""advObj":[{"slot":5,"type":1}]"#, "0108"),
        (#""advObj":[{"slot":1,"type":9}]"#, "0103"), (#""advObj":[{"slot":4,"type":6}]"#, "010a"),
        (#""advObj":[{"slot":4,"mode":1}]"#, "0104"), (#""advObj":[{"slot":4,"chMsk":7}]"#, "0103"),
        (#""advObj":[{"slot":4,"advPrd":99}]"#, "0103"), (#""advObj":[{"slot":4,"advPrd":152.5}]"#, ""),
        (#""advObj":[{"slot":4,"advPrd":40001}]"#, "0103"), (#""advObj":[{"slot":4,"txPwr":5}]"#, "0103"),
        (#""advObj":[{"slot":4,"type":2,"nid":"0x00010203040506070809","sid":"0x0a0b0c0d0e0f"}]"#, ""),
        (#""advObj":[{"slot":4,"nid":"0x0001"}]"#, "0103"), (#""advObj":[{"slot":4,"url":"ab"}]"#, "0103"),
        (#""advObj":[{"slot":1,"uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E1"}]"#, ""),
        (#""advObj":[{"slot":1,"uuid":"E2C5"}]"#, "0103"),
        (#""advObj":[{"slot":1,"minorID":65536}]"#, "0103"),
        (#""trObj":[{"trIdx":0,"trAct":1}]"#, "0106"), (#""trObj":[{"trIdx":0,"trType":4,"trAct":1}]"#, ""),
        (#""trObj":[{"trIdx":5,"trType":4}]"#, "0103"), (#""trObj":[{"trIdx":0,"trType":13}]"#, "0117"),
        (#""trObj":[{"trIdx":0,"trType":4},{"trIdx":1,"trType":4}]"#, "010b"),
        (#""trObj":[{"trIdx":0,"trType":4,"slot":5}]"#, "0103"),
        (#""srObj":[{"srType":2,"log":1}]"#, ""), (#""srObj":[{"srType":16,"log":1}]"#, "0118"),
        (#""srObj":[{"srType":2,"log":2}]"#, "0103"), (#""srObj":[{"srType":2}]"#, "0106"),
        (#""advObj":[{"slot":2,"lux":1}]"#, ""), (#""advObj":[{"slot":4,"type":7,"aItvl":255}]"#, ""),
        (#""advObj":[{"slot":4,"type":8,"enItvl":101}]"#, "0103"),
        (#""trObj":[{"trIdx":0,"trType":1,"trPara":128}]"#, "0103"),
        (#""trObj":[{"trIdx":0,"trType":1,"odr":3,"ocnt":255}]"#, ""),
        (#""trObj":[{"trIdx":0,"trType":4,"odr":3}]"#, "0103"),
        (#""trObj":[{"trIdx":0,"trType":12,"trPara":36000}]"#, ""),
        (#""srObj":[{"srType":2,"lgItvl":14401}]"#, "0103"), (#""srObj":[{"srType":1,"model":1}]"#, "0103"),
        (#""newKey":1"#, "0103"), (#""advObj":[{"slot":1,"newKey":null}]"#, "0103"),
    ])
    func `of the second generation have ranges`(members: String, cause: String) throws {
        var bench = try KBeaconBench()
        let before = bench.session.memory
        #expect(bench.tell("{\"msg\":\"cfg\",\(members)}") == cause)
        #expect((bench.session.memory == before) == !cause.isEmpty)
    }

    @Test(arguments: [
        (#""stype":32,"devName":"Shelf 7""#, ""), (#""stype":32,"meaPwr":-100"#, ""),
        (#""stype":32,"meaPwr":-9"#, "0103"), (#""stype":32,"advPrd":100.5"#, ""),
        (#""stype":32,"advPrd":10001"#, "0103"), (#""stype":32,"tlmItvl":1"#, "0103"),
        (#""stype":32,"txPwr":5"#, "0103"), (#""stype":32,"advFlag":8"#, "0103"),
        (#""stype":32,"type":31"#, ""), (#""stype":32,"uuid":"x""#, "0103"), (#""stype":32"#, "0106"),
        (#""devName":"x""#, "0106"), (#""stype":36,"majorID":7,"devName":"x""#, ""),
        (#""stype":16,"url":"ab""#, "0103"), (#""stype":2,"sid":"0x0a0b0c0d0e0f""#, "same"),
        (#""stype":1,"sensor":3"#, ""), (#""stype":64,"trType":2,"trAct":1"#, ""),
        (#""stype":64,"trType":16,"trAct":1"#, "0117"), (#""stype":64,"trType":2,"trATm":9"#, "0103"),
        (#""stype":64,"trType":8,"tpBlw":-51"#, "0103"), (#""stype":64,"trType":2"#, "0106"),
        (#""stype":64,"trType":4,"trAMode":4,"nSTvl":20.5,"nbGid":4095"#, ""),
        (#""stype":64,"trType":4,"nAlFt":31"#, "0103"), (#""stype":64,"trType":8,"htMsk":31"#, ""),
        (#""stype":32,"advFlag":1"#, ""), (#""stype":32,"tlmItvl":255"#, ""),
    ])
    func `of the first generation have ranges`(members: String, cause: String) throws {
        var bench = try KBeaconBench(.first) { _ in }
        bench.session.memory.settings.values["sid"] = .text("0x0a0b0c0d0e0f")
        let before = bench.session.memory
        let answer = bench.tell("{\"msg\":\"cfg\",\(members)}")
        #expect(answer == (cause == "same" ? "" : cause))
        #expect((bench.session.memory == before) == !cause.isEmpty)
        #expect(bench.broken == (cause == "same" ? [.unchangedParameter: 1] : [:]))
    }

    @Test func `of a slot that a trigger uses stay on`() throws {
        var bench = try KBeaconBench()
        #expect(bench.tell(#"{"msg":"cfg","trObj":[{"trIdx":0,"trType":4,"trAct":1,"slot":1}]}"#) == "")
        #expect(bench.tell(#"{"msg":"cfg","advObj":[{"slot":1,"type":0}]}"#) == "0109")
        #expect(bench.tell(#"{"msg":"cfg","advObj":[{"slot":2,"type":0}]}"#) == "")
    }

    @Test func `are set together or not at all`() throws {
        var bench = try KBeaconBench()
        let before = bench.session.memory
        #expect(
            bench.tell(#"{"msg":"cfg","name":"x","pwd":"Bench-07","advObj":[{"slot":9,"type":1}]}"#) == "0108"
        )
        #expect(bench.tell(#"{"msg":"cfg","pwd":"Bench-07","name":""}"#) == "0103")
        #expect(bench.session.memory == before)
        #expect(bench.tell(#"{"msg":"cfg"}"#) == "0106")
    }

    @Test(arguments: KBeaconGeneration.allCases)
    func `may be any that a scenario adds, of any kind`(generation: KBeaconGeneration) throws {
        let isFirst = generation == .first
        let list =
            isFirst
            ? #"{"trType":2,"odd":[null,{"a":-1.5}]}"# : #"{"trIdx":0,"trType":4,"odd":[null,{"a":-1.5}]}"#
        var bench = try KBeaconBench(generation) {
            $0.settings = #"{"new":"q\"\\\u0001","advPrd":5,"trObj":["# + list + "]}"
        }
        let question = isFirst ? #""stype":55"# : #""type":1"#
        let told = bench.tell(#"{"msg":"getPara",\#(question)}"#)
        #expect(told.hasSuffix(#""new":"q\"\\\u0001"}"#), "\(told)")
        let group = isFirst ? #""stype":55,"# : ""
        #expect(bench.tell(#"{"msg":"cfg",\#(group)"new":[true,1e3]}"#) == "")
        #expect(bench.session.memory.settings.values["new"] == .list([.truth(true), .number(1000)]))
        #expect(bench.tell(#"{"msg":"cfg",\#(group)"newer":1}"#) == "0103")
        let change = isFirst ? #""stype":64,"trType":2,"odd":0"# : #""trObj":[{"trIdx":0,"odd":0}]"#
        #expect(bench.tell(#"{"msg":"cfg",\#(change)}"#) == "")
        #expect(bench.session.memory.settings.triggers[isFirst ? 2 : 0]?["odd"] == .number(0))
    }

    @Test(
        arguments: [
            (KBeaconFault.cutBeforeCommand(1), ["end"], false), (.cutAfterCommand(1), ["end"], true),
            (.loseAnswer(1), [], true), (.refuseCommand(1, cause: 0x0107), ["23000000000107"], false),
        ] as [(KBeaconFault, [String], Bool)])
    func `are lost or kept where the link goes with them`(
        fault: KBeaconFault, answer: [String], isKept: Bool
    ) throws {
        var bench = try KBeaconBench(faults: [fault])
        bench.authenticate()
        #expect(bench.ask(#"{"msg":"cfg","pwd":"Bench-07"}"#) == answer)
        #expect(bench.linkAgain(isKept ? "Bench-07" : KBeaconDescription.factoryPassword) == ["1302f7"])
    }

    @Test func `outlive links and the program`() throws {
        var bench = try KBeaconBench()
        #expect(bench.tell(#"{"msg":"cfg","name":"Shelf 7"}"#) == "")
        #expect(bench.linkAgain() == ["1302f7"])
        #expect(bench.session.memory.settings.name == "Shelf 7")
        let later = try KBeaconBench(retained: bench.session.memory)
        #expect(later.session.memory.settings.name == "Shelf 7")
    }

    @Test func `have a password that holds from the end of the link on`() throws {
        var bench = try KBeaconBench()
        bench.authenticate()
        #expect(bench.tell(#"{"msg":"cfg","pwd":"Bench-07"}"#) == "")
        #expect(bench.authenticate() == ["1302f7"])
        let killed = try KBeaconBench(retained: bench.session.memory)
        #expect(killed.session.memory.settings.password == "Bench-07")
        #expect(bench.linkAgain() == ["13f1"])
        #expect(bench.linkAgain("Bench-07") == ["1302f7"])
    }

    @Test(arguments: KBeaconGeneration.allCases)
    func `are those of the factory after a reset, from the end of the link on`(
        generation: KBeaconGeneration
    ) throws {
        var bench = try KBeaconBench(generation) {
            $0.password = "Bench-07"
            $0.factoryName = "KBPro_123456"
        }
        let reset = generation == .first ? #"{"msg":"reset"}"# : #"{"msg":"admin","stype":"reset"}"#
        #expect(bench.tell(reset) == "")
        #expect(bench.authenticate("Bench-07") == ["1302f7"])
        #expect(bench.session.memory.settings.name == "Bench")
        #expect(bench.linkAgain() == ["1302f7"])
        #expect(bench.session.memory.settings == bench.session.factory)
        #expect(bench.session.memory.settings.name == "KBPro_123456")
    }
}
