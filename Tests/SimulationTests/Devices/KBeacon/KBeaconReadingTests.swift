import Testing

@testable import Simulation

/// kbeacon.md, 6.1 to 6.5.
@Suite struct `The information of a KBeacon` {
    @Test func `is its identity and settings, in the format of the second generation`() throws {
        var bench = try KBeaconBench {
            $0.serial = "214815"
            $0.battery = 109
        }
        #expect(
            bench.tell(#"{"msg":"getPara","type":1}"#)
                == #"{"model":"KBPro","ver":"V6.20","hver":"V3.0","btPt":109,"id":214815,"bCap":589583,"#
                + #""trCap":2111,"minPwr":-40,"maxPwr":4,"maxPrd":40000,"maxSlot":5,"maxTg":5,"name":"Bench","#
                + #""meaPwr":-59,"atPwr":1,"nBlk":0,"lBlk":0}"#)
        var other = try KBeaconBench { $0.serial = "K0001" }
        #expect(other.tell(#"{"msg":"getPara","type":1}"#).contains(#""id":"K0001","#))
        #expect(
            bench.tell(#"{"msg":"getPara","type":2,"slot":1}"#)
                == #"{"advObj":[{"advPrd":1000,"chMsk":0,"conn":1,"majorID":1,"minorID":17823,"mode":0,"slot":1,"#
                + #""trAdv":0,"txPwr":0,"type":5,"uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"}]}"#)
        #expect(bench.tell(#"{"msg":"getPara","type":4}"#) == #"{"trObj":[]}"#)
        #expect(
            bench.tell(#"{"msg":"getPara","type":8,"srType":2}"#)
                == #"{"srObj":[{"hsThd":30,"lgItvl":600,"log":0,"msItvl":5,"srType":2,"tsThd":5}]}"#)
        let both = bench.tell(#"{"msg":"getPara","type":3}"#)
        #expect(both.hasPrefix(#"{"model""#) && both.contains(#""slot":4"#))
    }

    @Test(arguments: [
        "123456789012345678901234567890", "18446744073709551615", "9223372036854775808",
        "-9223372036854775809",
        "-9223372036854775808", "1.5", "[18446744073709551616]",
    ])
    func `has the numbers of its description with all digits`(number: String) throws {
        var bench = try KBeaconBench { $0.settings = #"{"newKey":\#(number)}"# }
        #expect(bench.tell(#"{"msg":"getPara","type":1}"#).contains(#""newKey":\#(number)"#))
    }

    @Test func `is in the format of the first`() throws {
        var bench = try KBeaconBench(.first)
        #expect(
            bench.tell(#"{"msg":"getPara","stype":32}"#)
                == #"{"modle":"K11_NRF52XX","ver":"V6.20","hver":"V3.0","bCap":7951,"trCap":15,"minPwr":-40,"#
                + #""maxPwr":4,"devName":"Bench","txPwr":0,"meaPwr":-59,"type":13,"advPrd":1000,"tlmItvl":10,"#
                + #""advFlag":5}"#)
        let all = bench.tell(#"{"msg":"getPara","stype":55}"#)
        for key in ["modle", "uuid", "url", "nid", "sid", "msItvl"] { #expect(all.contains("\"\(key)\":")) }
        #expect(!all.contains("pwd"))
        #expect(
            bench.tell(#"{"msg":"getPara","stype":64,"trType":8}"#)
                == #"{"trObj":[{"htAbv":80,"htBlw":20,"htMsk":0,"tpAbv":60,"tpBlw":-10,"trAMode":0,"trAPrd":400,"#
                + #""trATm":30,"trAType":4,"trAct":0,"trPara":5,"trType":8}]}"#)
    }

    @Test(arguments: [
        (#"{"msg":"getPara","stype":32}"#, "0103"), (#"{"msg":"getPara"}"#, "0106"),
        (#"{"msg":"getPara","type":0}"#, "0103"), (#"{"msg":"getPara","type":16}"#, "0103"),
        (#"{"msg":"getPara","type":7}"#, "0103"), (#"{"msg":"getPara","type":"1"}"#, "0103"),
        (#"{"msg":"getPara","type":2,"slot":5}"#, "0108"),
        (#"{"msg":"getPara","type":2,"slot":"a"}"#, "0103"),
        (#"{"msg":"getPara","type":4,"trType":13}"#, "0117"),
        (#"{"msg":"getPara","type":8,"srType":16}"#, "0118"), (#"{"msg":"reset"}"#, "0119"),
        (#"{"msg":"hello"}"#, "0119"), (#"{"msg":1}"#, "0119"), (#"{"type":1}"#, "0106"),
        (#"{"msg":"admin"}"#, "0106"), (#"{"msg":"admin","stype":"explode"}"#, "0103"),
        ("", "0105"), ("[]", "0105"), ("{", "0105"), ("{\"msg\":}", "0105"), ("{msg:1}", "0105"),
        (#"{"msg":"getPara","type":null}"#, "0103"), ("{\"msg\":\"a\0\"}", "0105"),
        (#"{"msg":[[[[[[[[[[[[[[1]]]]]]]]]]]]]]}"#, "0105"),
    ])
    func `is refused to a malformed request`(text: String, cause: String) throws {
        var bench = try KBeaconBench()
        #expect(bench.tell(text) == cause)
    }

    @Test(arguments: [
        (#"{"msg":"getPara","stype":0}"#, "0103"), (#"{"msg":"getPara","stype":8}"#, "0103"),
        (#"{"msg":"getPara","stype":64}"#, "0106"), (#"{"msg":"getPara","stype":64,"trType":3}"#, "0117"),
        (#"{"msg":"getPara"}"#, "0106"), (#"{"msg":"admin","stype":"reset"}"#, "0119"),
        (#"{"msg":"getPara","type":1}"#, "nothing"),
    ])
    func `is refused to a malformed request in the first generation`(text: String, cause: String) throws {
        var bench = try KBeaconBench(.first)
        #expect(bench.tell(text) == cause)
    }

    @Test func `is refused by a first-generation beacon in the second format, if configured so`() throws {
        var bench = try KBeaconBench(.first) { $0.foreignRead = .refusal }
        #expect(bench.tell(#"{"msg":"getPara","type":1}"#) == "0106")
    }

    @Test func `is not sent over the air if the first generation is silent`() throws {
        var bench = try KBeaconBench(.first)
        bench.authenticate()
        #expect(bench.ask(#"{"msg":"getPara","type":1}"#) == [])
        bench.now += .seconds(3)
        #expect(bench.ask(#"{"msg":"getPara","stype":32}"#).count == 1)
    }

    @Test func `is sent despite spaces in the request, which are noted`() throws {
        var bench = try KBeaconBench()
        #expect(bench.tell(#"{"msg": "getPara", "type": 4}"#) == #"{"trObj":[]}"#)
        #expect(bench.broken == [.spacesOrEscapes: 1])
        #expect(bench.tell(#"{"msg":"cfg","name":"Shelf 7"}"#) == "")
        #expect(bench.broken == [.spacesOrEscapes: 1])
        #expect(bench.tell(#"{"msg":"cfg","name":"Shelf\u0038"}"#) == "")
        #expect(bench.broken == [.spacesOrEscapes: 2])
    }
}
