extension Explanation {
    /// The work server that several benches share, and requests to it.
    package static let engine = [
        Explanation(
            "engine-settings", .usage,
            "The connection string of the work server cannot be used.",
            next: "write it as libpq reads it: 'host=db.plant dbname=beacons user=bench3'"),
        Explanation(
            "engine-login-refused", .noPermission,
            "The server rejects the login: the password is wrong or missing, or the server's rules do not admit "
                + "this machine.",
            next: "check ~/.pgpass (mode 0600) here, and pg_hba.conf on the server"),
        Explanation(
            "engine-password-missing", .noPermission,
            "The server requires a password, and there is none for this login.",
            next: "add a line HOST:PORT:DATABASE:LOGIN:PASSWORD to ~/.pgpass, mode 0600"),
        Explanation(
            "engine-certificate", .noPermission,
            "The server cannot prove that it is the work server: its certificate is for another name, is not "
                + "signed by a known authority, or is missing.",
            next:
                "check sslmode in the connection string, ~/.postgresql/root.crt, and the server's certificate"
        ),
        Explanation(
            "engine-database-unknown", .noFile,
            "The server has no database of this name.",
            next: "check dbname in the connection string, or create the database with createdb"),
        Explanation(
            "engine-not-allowed", .noPermission,
            "The login has no role of the work server that allows this.",
            next:
                "ask someone who has the role that the message names, or ask the database administrator to "
                + "grant it to you"
        ),
        Explanation(
            "engine-roles-missing", .noPermission,
            "The server lacks roles of the work server, and the login that prepares the database may not create "
                + "any. It should not be able to: before PostgreSQL 16, a login that creates roles can become the "
                + "server's own user.",
            next:
                "ask the database superuser to CREATE the ROLEs that the message names, then run `init-db` "
                + "again"
        ),
        Explanation(
            "engine-create-missing", .noPermission,
            "The login that prepares the database may not create a schema in it.",
            next:
                "ask the database superuser to GRANT CREATE ON DATABASE to the login, then run `init-db` again"
        ),
        Explanation(
            "engine-owner-powerful", .failed,
            "The login that owns the work server is a superuser, can create roles, or has one of the roles that "
                + "let it run programs and write files on the server. Anyone with its password controls the server.",
            next:
                "let a login that has CREATE on its database and nothing else own the work server "
                + "(docs/stations.md): pg_dump the database, then pg_restore --no-owner as that login"
        ),
        Explanation(
            "station-quota", .tryAgain,
            "The station has delivered the maximum number of results, or of bytes, for one day. The rest waits "
                + "in its journal.",
            next:
                "nothing is lost: the rest is taken tomorrow (UTC), or when the work server's owner raises "
                + "results and result_bytes in beacon_dfu.policy; find out why there are so many"
        ),
        Explanation(
            "station-names-many", .noPermission,
            "The login has the maximum number of stations.",
            next: "join under the name of one of them, or use a login for each bench"),
        Explanation(
            "station-journals-many", .tryAgain,
            "The station has started the maximum number of journals for one day.",
            next: "keep the journal from run to run; a new one can be started tomorrow"),
        Explanation(
            "station-text", .badFile,
            "The machine's identifier, which the station sends to the work server, is missing or has more than "
                + "255 bytes.",
            next: "check /etc/machine-id of the bench"),
        Explanation(
            "claim-too-large", .failed,
            "A claim names more beacons, or keys of one, than the work server accepts.",
            next: "claim fewer at a time: --most"),
        Explanation(
            "engine-schema", .badFile,
            "The database is not a work server, or this login cannot see it.",
            next: "prepare it with `beacon-dfu-station init-db`, or grant the login a role"),
        Explanation(
            "engine-newer", .failed,
            "The work server was created by a later version of the program.",
            next: "install that version, or a later one"),
        Explanation(
            "engine-old", .failed,
            "The work server has the schema of an earlier version of the program.",
            next: "run `beacon-dfu-station init-db` with the login that created it"),
        Explanation(
            "engine-too-old", .failed,
            "The work server's protocol is too old for this program, so it gets no work. Its results are "
                + "accepted.",
            next: "run `beacon-dfu-station init-db` with the login that created the work server"),
        Explanation(
            "program-too-old", .failed,
            "This program's protocol is too old for the work server, so it gets no work. Its results are "
                + "accepted.",
            next: "install the version that the other stations have"),
        Explanation(
            "engine-server-old", .failed, "The server is older than PostgreSQL 15.",
            next: "use a server of version 15 or later"),
        Explanation(
            "engine-read-only", .tryAgain,
            "The server accepts no changes: it is a standby, or is set to read-only.",
            next: "connect to the primary, or promote this one; results wait in the journal meanwhile"),
        Explanation(
            "engine-disk-full", .tryAgain,
            "The server's disk is full.",
            next: "free space there; results wait in the journal meanwhile, and flashing continues"),
        Explanation(
            "engine-no-connection-free", .tryAgain,
            "All connections that the server allows are in use.",
            next: "raise max_connections on the server"),
        Explanation(
            "engine-busy", .tryAgain,
            "The work server was too busy with other requests to answer.",
            next: "run the same command again"),
        Explanation(
            "engine-forgetful", .failed,
            "The server is set not to wait for its disk, so it may lose results that it has acknowledged. "
                + "Stations send them again as long as they have them.",
            next: "set fsync and synchronous_commit to on"),
        Explanation(
            "engine-pooled", .failed,
            "A connection pool (such as PgBouncer) between this machine and the server gives each transaction "
                + "another session. Work continues; notifications of news do not arrive.",
            next: "set pool_mode=session there, or connect to the server directly"),
        Explanation(
            "engine-crowded", .failed,
            "The server has few free connections left.",
            next: "raise max_connections there"),
        Explanation(
            "engine-refused", .failed,
            "The work server refused the request.",
            next: "see the reason in the message"),
        Explanation(
            "engine-failed", .failed,
            "The server could not execute a request to the work server.",
            next: "see the server's log"),
        Explanation(
            "station-unknown", .usage,
            "This bench is not a station of a work server, or is a station of another one.",
            next: "run `beacon-dfu-station join NAME` first"),
        Explanation(
            "station-invalid", .badFile,
            "The file that `join` wrote cannot be read.",
            next:
                "run `beacon-dfu-station join NAME` again; if it refuses to replace the file, move that aside"
        ),
        Explanation(
            "station-taken", .noPermission,
            "The station's name belongs to another login or machine.",
            next:
                "choose another name, or have an administrator release this one with `beacon-dfu-station "
                + "readmit`"),
        Explanation(
            "station-at-work", .tryAgain,
            "The station is working with another journal, and has claimed units.",
            next:
                "end the other program, or give this bench a name and a folder of its own; if that journal is "
                + "gone, wait two minutes"
        ),
        Explanation(
            "station-folder-taken", .usage,
            "The journal's folder already belongs to another station; joining would replace its station.yaml.",
            next: "give each station a folder of its own (--journal), or rename this one with --new-journal"),
        Explanation(
            "station-not-greeted", .tryAgain,
            "The work server does not know yet which station this is.",
            next: "run the same command again"),
        Explanation(
            "station-name", .usage,
            "The name is not valid for a station.",
            next: "use letters, digits, '-', '_' and '.', at most 64 of them"),
        Explanation(
            "journal-copied", .badFile,
            "The journal belongs to another station or another machine: it was copied, for example with a disk "
                + "image. Results of both would be counted for one.",
            next: "make a new journal from it with `beacon-dfu-station join --new-journal`"),
        Explanation(
            "journal-restored", .badFile,
            "The work server has later results of this journal than the journal itself: it was restored from a "
                + "backup, and would use numbers a second time.",
            next: "make a new journal from it with `beacon-dfu-station join --new-journal`"),
        Explanation(
            "sequence-conflict", .failed,
            "The work server has another result with this number of this journal: two benches use copies of one "
                + "journal.",
            next: "run `beacon-dfu-station join --new-journal` on the copy"),
        Explanation(
            "result-id-conflict", .failed,
            "The work server has another result under the same key.",
            next: "report it with both bodies: keys are derived from runs, and are unique"),
        Explanation(
            "result-too-large", .failed,
            "The result is larger than 1 MiB.",
            next: "look at it with `beacon-dfu history outbox`"),
        Explanation(
            "result-unusable", .failed,
            "The result's body is not JSON that the work server can store, or its other fields do not match the "
                + "body.",
            next: "look at it with `beacon-dfu history outbox`"),
        Explanation(
            "result-unreadable", .failed,
            "A row of the journal for the work server has a body that this program cannot read, for example "
                + "from a later version. It was set aside, and the others are delivered.",
            next:
                "look at it with `beacon-dfu history outbox`; in the program that wrote it, --retry KEY there "
                + "delivers it"
        ),
        Explanation(
            "results-stuck", .failed,
            "The journal from which results are delivered cannot be read or written. Nothing is delivered "
                + "meanwhile; the program keeps trying.",
            next: "run `beacon-dfu explain` with the journal's code, which the message names"),
        Explanation(
            "firmware-recalled", .failed,
            "The order's package, or the version of the catalogue that chooses it, was recalled: no unit is "
                + "started with it.",
            next: "see the reason in the message; the order needs another package"),
        Explanation(
            "file-unpublished", .noFile,
            "The work server does not have the file.",
            next: "publish it with the catalogue, or create the order again"),
        Explanation(
            "file-unknown", .noFile,
            "The work server does not have the file.",
            next: "publish it with the catalogue, or create the order again"),
        Explanation(
            "file-hash-mismatch", .badFile,
            "The work server sent something other than the requested file.",
            next: "run the same command again; if that does not help, publish the file again"),
        Explanation(
            "file-damaged", .badFile,
            "The work server sent something other than the requested file.",
            next: "run the same command again; if that does not help, publish the file again"),
        Explanation(
            "file-too-large", .badFile,
            "The file is larger than 16 MiB, the work server's limit.",
            next: "check that it is the right file: no package is that large"),
        Explanation(
            "catalogue-unknown", .noFile,
            "The work server has no catalogue of this version.",
            next: "publish one with `beacon-dfu-station publish`"),
        Explanation(
            "catalogue-unusable", .badFile,
            "The catalogue is not fit to be published.",
            next: "see the reason in the message; `beacon-dfu catalogue check` finds contradictions"),
        Explanation(
            "cache-unusable", .noFile,
            "A file from the work server cannot be stored on this machine.",
            next: "check that the folder is writable and has free space, or name another with --cache"),
        Explanation(
            "order-exists", .failed,
            "An order with this number exists already.", next: "choose another number"),
        Explanation(
            "order-unusable", .usage,
            "The order is not valid.", next: "see the reason in the message"),
        Explanation(
            "order-empty", .failed, "The order has no units, and cannot be released.",
            next: "list some with `beacon-dfu-station order add`"),
        Explanation(
            "order-state", .failed,
            "The order's state does not allow this.",
            next: "check its state with `beacon-dfu-station status`"),
        Explanation(
            "expected-too-few", .failed,
            "The order has more units than it is to expect.",
            next: "remove some first with `beacon-dfu-station order remove`"),
        Explanation(
            "unit-exists", .failed,
            "The beacon is already a unit of the order.",
            next: "remove it from the list"),
        Explanation(
            "unit-unusable", .badFile,
            "A unit of the list is not valid.", next: "see the reason in the message"),
        Explanation(
            "unit-list-invalid", .badFile,
            "The list of units cannot be used.",
            next: "correct the line that the message names: an address with /public or /random, or id:TEXT"),
        Explanation(
            "stop-rule-unusable", .usage,
            "The rule for holding the order is not valid.",
            next: "give numbers above 0: --hold-after 3, --hold-at 5/20, --hold-same-cause 3"),
        Explanation(
            "person-missing", .usage,
            "The person who decides has to be named.", next: "give the name with --by NAME"),
    ]
}
