import Firmware
import TestSupport
import Testing

@testable import Tray

@Suite struct `A scanned code` {
    @Test(arguments: [
        "F00DBEAC0100", "f00dbeac0100", "F0:0D:BE:AC:01:00", "f0-0d-be-ac-01-00", "f00d.beac.0100",
        "F0 0D BE AC 01 00", "  F00DBEAC0100\r\n", "\"F00DBEAC0100\"\t",
    ])
    func `of twelve digits is an address`(line: String) throws {
        let code = try ScannedCode(line: line)
        #expect("\(code.device)" == "F0:0D:BE:AC:01:00" && code.slot == nil)
    }

    @Test(arguments: [
        ("F0:0D:BE:AC:01:00/public", "F0:0D:BE:AC:01:00/public"), ("id:F00DBEAC0100", "id:F00DBEAC0100"),
        ("name:Shelf 1", "name:Shelf 1"), ("ibeacon:FE59/1/2", "ibeacon:FE59/1/2"), ("abcd", "id:abcd"),
        ("F00DBEAC01", "id:F00DBEAC01"), ("F0:0DBEAC:01:00", "id:F0:0DBEAC:01:00"),
        ("F00DBEAC010G", "id:F00DBEAC010G"), ("１２３４", "id:１２３４"),
    ])
    func `is a selector, or else the vendor's id`(line: String, device: String) throws {
        #expect("\(try ScannedCode(line: line).device)" == device)
    }

    @Test(arguments: [
        "A1,abcd", "A1;abcd", "A1\tabcd", " A1 , abcd ", "\"A1\",\"abcd\"", "\"A1\" ; abcd\r\n",
    ])
    func `may have its slot before it`(line: String) throws {
        #expect(try ScannedCode(line: line) == ScannedCode(.id("abcd"), slot: "A1"))
    }

    @Test func `in quotation marks may contain quotation marks`() throws {
        let code = try ScannedCode(line: "\"A,\"\"1\",\"x;y\u{301}\"\"\u{301}\"")
        #expect(code == ScannedCode(.id("x;y\u{301}\"\u{301}"), slot: "A,\"1"))
    }

    @Test(arguments: [
        ("", "column 1: the code is empty"), ("A1,", "column 4: the code is empty"),
        (",abcd", "column 1: the slot is empty"),
        ("a,b,c", "column 1: a line is a code, or a slot and a code"),
        (
            "A1,name:K*",
            "column 4: a slot is for one beacon, but 'name:K*' may match several; use patterns in 'rule'"
        ),
        ("A1, id:", "column 5: the id is missing after 'id:'"),
        ("x\u{1D}y", "column 1: the code has an invisible character"),
        ("A1,\"x", "column 4: the quotation mark that ends this is missing"),
        ("\"A1\" x", "column 6: after a quotation mark comes a comma or nothing"),
        ("A1, \u{301}x", "column 5: the code begins with a combining mark"),
        ("12/public", "column 1: "),
    ])
    func `is refused with its place`(line: String, words: String) {
        do throws(ScannedCodeError) {
            Issue.record("\(try ScannedCode(line: line)) is read")
        } catch {
            #expect(error.description.hasPrefix(words), "\(error)")
        }
    }

    @Test func `of a list has its line`() throws {
        let text = "\u{FEFF}Slot;Code\r\n\r\nA1;F00DBEAC0100\rabcd\n  \n\"B 2\",id:x"
        let list = try ScannedCodeList(parsing: Array(text.utf8))
        #expect(list.entries.map(\.line) == [3, 4, 6])
        #expect(list.entries.map { $0.code.slot } == ["A1", nil, "B 2"])
        #expect(try ScannedCodeList(parsing: []).entries.isEmpty)
        #expect(try ScannedCodeList(parsing: Array("code\ncode".utf8)).entries.map(\.line) == [2])
    }

    @Test(arguments: [
        ("abcd\n\n a,\n", "line 3, column 4: the code is empty"),
        ("slot,code\nslot,code,x", "line 2, column 1: a line is a code, or a slot and a code"),
        ("\"", "line 1, column 1: the quotation mark that ends this is missing"),
    ])
    func `of a list is refused with its line`(text: String, words: String) {
        do throws(ScannedCodeError) {
            Issue.record("\(try ScannedCodeList(parsing: Array(text.utf8))) is read")
        } catch {
            #expect(error.description == words)
        }
    }

    @Test func `of a list that is cut or damaged anywhere is read or refused`() {
        let list = Array("slot,code\r\n\"A1\",F00DBEAC0100\nA2;id:x\nB\tname:é\n".utf8)
        for bytes in Corruption.prefixes(of: list) + Corruption.flips(of: list).map(\.bytes) {
            do throws(ScannedCodeError) {
                #expect(try ScannedCodeList(parsing: bytes).entries.count <= 5)
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
        #expect(throws: ScannedCodeError.self) {
            try ScannedCodeList(parsing: [UInt8](repeating: 0x0A, count: ScannedCodeList.limit + 1))
        }
    }
}
