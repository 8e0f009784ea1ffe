import Testing

@testable import WorkServer

@Suite struct `The text of a refused connection` {
    @Test(arguments: [
        (
            "connection to server at \"10.0.0.1\", port 5432 failed: FATAL:  28P01: no\nLOCATION:  auth_failed, auth.c:329\n",
            "connection to server at \"10.0.0.1\", port 5432 failed: FATAL: no", "28P01" as String?
        ),
        (
            "connection failed: Connection refused\n\tIs it running?\n",
            "connection failed: Connection refused; Is it running?", nil
        ),
        ("FATAL:  57P03: ", "FATAL: ", "57P03"), ("FATAL:  57P0", "FATAL:  57P0", nil),
        ("", "no connection", nil),
        ("\n\nLOCATION: x\n", "no connection", nil), (":  abcde: x", ":  abcde: x", nil),
    ]) func `is one line, with the server's code`(text: String, words: String, code: String?) {
        let refused = RefusedConnection(text)
        #expect(refused.words == words)
        #expect(refused.sqlstate == code)
    }

    /// As libpq 15 words them. Only what may be temporary is tried again.
    @Test(arguments: [
        ("connection to server at \"db\" (10.0.0.1), port 5432 failed: Connection refused\n", "connection"),
        ("could not translate host name \"db\" to address: Name or service not known\n", "connection"),
        ("connection to server at \"db\", port 5432 failed: SSL SYSCALL error: EOF detected\n", "connection"),
        (
            "connection to server at \"db\", port 5432 failed: SSL error: certificate verify failed\n",
            "certificate"
        ),
        (
            "connection to server at \"db\", port 5432 failed: server certificate for \"x\" does not match host name \"db\"\n",
            "certificate"
        ),
        (
            "connection to server at \"db\", port 5432 failed: root certificate file \"/r/.postgresql/root.crt\" does not exist\n",
            "certificate"
        ),
        (
            "connection to server at \"db\", port 5432 failed: server does not support SSL, but SSL was required\n",
            "certificate"
        ),
        ("invalid sslmode value: \"full\"\n", "settings"),
        ("invalid integer value \"abc\" for connection option \"port\"\n", "settings"),
        ("definition of service \"plant\" not found\n", "settings"),
    ]) func `distinguishes errors that need a person from temporary ones`(text: String, kind: String) {
        let found =
            switch RefusedConnection(text).problem {
            case .connection: "connection"
            case .certificate: "certificate"
            case .settings: "settings"
            default: "other"
            }
        #expect(found == kind)
    }

    @Test func `mentions a missing password`() {
        let text = "connection to server at \"db\", port 5432 failed: fe_sendauth: no password supplied\n"
        guard case .password = RefusedConnection(text, needsPassword: true).problem else {
            Issue.record("no word of a password")
            return
        }
    }
}
