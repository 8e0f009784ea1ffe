import Testing

@testable import Postgres

@Suite struct `The text of a refused connection` {
    @Test(arguments: [
        (
            "connection to server at \"10.0.0.1\", port 5432 failed: FATAL:  28P01: no\nLOCATION:  auth_failed, auth.c:329\n",
            "connection to server at \"10.0.0.1\", port 5432 failed: FATAL: no", "28P01" as String?
        ),
        (
            "connection failed: Connection refused\n\tIs it running?\n",
            "connection failed: Connection refused; \tIs it running?", nil
        ),
        ("FATAL:  57P03: ", "FATAL: ", "57P03"), ("FATAL:  57P0", "FATAL:  57P0", nil),
        ("", "there is no connection", nil),
        ("\n\nLOCATION: x\n", "there is no connection", nil), (":  abcde: x", ":  abcde: x", nil),
    ]) func `is one line, and the server's code beside it`(text: String, words: String, code: String?) {
        let refused = RefusedConnection(text)
        #expect(refused.words == words)
        #expect(refused.sqlstate == code)
    }
}
