extension Explanation {
    /// The engine that several benches work for, and what people ask of it.
    static let engine = [
        Explanation(
            "engine-settings", .usage, "The connection string of the engine cannot be used.",
            next: "write it as libpq reads it: 'host=db.plant dbname=beacons user=bench3'"),
        Explanation(
            "engine-login-refused", .noPermission,
            "The server does not let the login in: the password is wrong or missing, or the server's rules do not know this machine.",
            next: "see ~/.pgpass (mode 0600) here, and pg_hba.conf at the server"),
        Explanation(
            "engine-password-missing", .noPermission,
            "The server asks for a password, and there is none for this login.",
            next: "write a line HOST:PORT:DATABASE:LOGIN:PASSWORD to ~/.pgpass, mode 0600"),
        Explanation(
            "engine-certificate", .noPermission,
            "The server cannot show that it is the engine: its certificate is for another name, nobody known has "
                + "signed it, or it has none.",
            next: "see sslmode of the connection string, ~/.postgresql/root.crt, and the server's certificate"
        ),
        Explanation(
            "engine-database-unknown", .noFile, "The server has no database of this name.",
            next: "see dbname of the connection string, or make the database with createdb"),
        Explanation(
            "engine-not-allowed", .noPermission, "The login has no role of the engine that may do this.",
            next:
                "ask somebody who has the role that the refusal names, or ask the database administrator to grant it to you"
        ),
        Explanation(
            "engine-roles-missing", .noPermission,
            "The server lacks roles of the engine, and the login that prepares the database may make none. It should not be able to: who makes roles can become the server's own user before PostgreSQL 16.",
            next:
                "ask the database superuser to CREATE the ROLEs that the message names, then run `init-db` again"
        ),
        Explanation(
            "engine-create-missing", .noPermission,
            "The login that prepares the database may make no schema in it.",
            next:
                "ask the database superuser to GRANT CREATE ON DATABASE to the login, then run `init-db` again"
        ),
        Explanation(
            "engine-owner-powerful", .failed,
            "The login that owns the engine is a superuser, makes roles, or has one of the roles by which the server runs programs and writes files. Whoever gets its password gets the server.",
            next:
                "let a login own the engine that has CREATE on its database and nothing else (docs/stations.md): pg_dump the database, then pg_restore --no-owner as that login"
        ),
        Explanation(
            "station-quota", .tryAgain,
            "The station has handed in as many results, or bytes of them, as one may in a day. The rest waits in its journal.",
            next:
                "nothing is lost: the rest is taken tomorrow (UTC), or when the engine's owner raises results and result_bytes in beacon_dfu.policy; see why there are so many"
        ),
        Explanation(
            "station-names-many", .noPermission, "The login has as many stations as one may have.",
            next: "join under the name of one of them, or have a login for each bench"),
        Explanation(
            "station-journals-many", .tryAgain,
            "The station has begun as many journals as it may in a day.",
            next: "keep the journal from run to run; a new one can be begun tomorrow"),
        Explanation(
            "station-text", .badFile,
            "The machine's identifier, which the station tells the engine, is missing or has more than 255 bytes.",
            next: "see /etc/machine-id of the bench"),
        Explanation(
            "claim-too-large", .failed, "A claim names more beacons, or keys of one, than the engine takes.",
            next: "claim fewer at a time: --most"),
        Explanation(
            "engine-schema", .badFile, "The database is no engine, or one that this login does not see.",
            next: "prepare it with `beacon-dfu-station init-db`, or grant the login a role"),
        Explanation(
            "engine-newer", .failed, "The engine was made by a later version of the program.",
            next: "install that version, or a later one"),
        Explanation(
            "engine-old", .failed, "The engine's schema is that of an earlier version of the program.",
            next: "run `beacon-dfu-station init-db` with the login that has made it"),
        Explanation(
            "engine-too-old", .failed,
            "The engine does not speak as this program does, and gives it no work. Its results are taken.",
            next: "run `beacon-dfu-station init-db` with the login that has made the engine"),
        Explanation(
            "program-too-old", .failed,
            "This program does not speak as the engine does any more, and gets no work. Its results are taken.",
            next: "install the version that the other stations have"),
        Explanation(
            "engine-server-old", .failed, "The server is older than PostgreSQL 15.",
            next: "use a server of version 15 or later"),
        Explanation(
            "engine-read-only", .tryAgain,
            "The server takes no changes: it is a standby, or was set to read only.",
            next: "connect to the primary, or promote this one; results wait in the journal meanwhile"),
        Explanation(
            "engine-disk-full", .tryAgain, "The server's disk is full.",
            next: "make room there; results wait in the journal meanwhile, and flashing goes on"),
        Explanation(
            "engine-no-connection-free", .tryAgain, "The server has all the connections that it may have.",
            next: "raise max_connections at the server"),
        Explanation(
            "engine-busy", .tryAgain, "The engine did not come to an answer beside what others asked of it.",
            next: "run the same command again"),
        Explanation(
            "engine-forgetful", .failed,
            "The server is set not to wait for its disk, so that it may lose results that it has acknowledged. Stations send them again as long as they have them.",
            next: "set fsync and synchronous_commit to on"),
        Explanation(
            "engine-pooled", .failed,
            "Between this machine and the server is a pool (as PgBouncer) that gives each transaction another session. Work goes on; hints of news do not come.",
            next: "set pool_mode=session there, or connect to the server itself"),
        Explanation(
            "engine-crowded", .failed, "The server has few connections left.",
            next: "raise max_connections there"),
        Explanation(
            "engine-refused", .failed, "The engine refuses what it was asked.",
            next: "read its words in the message"),
        Explanation(
            "engine-failed", .failed, "The server could not run what the engine asked of it.",
            next: "see the server's log"),
        Explanation(
            "station-unknown", .usage, "This bench is no station of an engine, or of another.",
            next: "run `beacon-dfu-station join NAME` first"),
        Explanation(
            "station-invalid", .badFile, "The file that `join` has written cannot be read.",
            next:
                "run `beacon-dfu-station join NAME` again; where it refuses to replace the file, move that aside"
        ),
        Explanation(
            "station-taken", .noPermission,
            "The station's name belongs to another login or machine.",
            next: "take another name, or have an administrator readmit the station"),
        Explanation(
            "station-at-work", .tryAgain, "The station is at work with another journal, and has units.",
            next:
                "end the other program, or give this bench a name and a folder of its own; where that journal is gone, wait two minutes"
        ),
        Explanation(
            "station-folder-taken", .usage,
            "The journal's folder already belongs to another station; joining would replace its station.yaml.",
            next: "give each station a folder of its own (--journal), or rename this one with --new-journal"),
        Explanation(
            "station-not-greeted", .tryAgain, "The engine does not know yet which station asks.",
            next: "run the same command again"),
        Explanation(
            "station-name", .usage, "The name cannot be a station's.",
            next: "use letters, digits, '-', '_' and '.', at most 64 of them"),
        Explanation(
            "journal-copied", .badFile,
            "The journal is that of another station or of another machine: it was copied, as with the image of a disk. Results of both would be taken for one's.",
            next: "make another journal of it with `beacon-dfu-station join --new-journal`"),
        Explanation(
            "journal-restored", .badFile,
            "The engine has later results of this journal than the journal itself: it came back from a backup, and would give numbers a second time.",
            next: "make another journal of it with `beacon-dfu-station join --new-journal`"),
        Explanation(
            "sequence-conflict", .failed,
            "The engine has another result with this number of this journal: two benches use copies of one journal.",
            next: "run `beacon-dfu-station join --new-journal` on the one that was copied"),
        Explanation(
            "result-id-conflict", .failed, "The engine has another result under the same key.",
            next: "report it with both bodies: keys are made from runs, and never meet"),
        Explanation(
            "result-too-large", .failed, "The result has more than 1 MiB.",
            next: "look at it with `beacon-dfu history outbox`"),
        Explanation(
            "result-unusable", .failed,
            "The result's body is no JSON that the engine can keep, or what came with it does not fit it.",
            next: "look at it with `beacon-dfu history outbox`"),
        Explanation(
            "result-unreadable", .failed,
            "A row of the journal is for the engine, and its body is no result that this program understands, as one of a later version. It was set aside, and the others flow.",
            next:
                "look at it with `beacon-dfu history outbox`; with the program that has written it, --retry KEY there hands it in"
        ),
        Explanation(
            "results-stuck", .failed,
            "The journal cannot be read or written where results are handed in from. None is handed in meanwhile; it is tried again and again.",
            next: "run `beacon-dfu explain` with the journal's code, which the message names"),
        Explanation(
            "firmware-recalled", .failed,
            "The order's package, or the version of the catalogue that chooses it, was recalled: no unit is begun with it.",
            next: "read why in the message; the order needs another package"),
        Explanation(
            "file-unpublished", .noFile, "The engine does not have the file.",
            next: "publish it with the catalogue, or make the order anew"),
        Explanation(
            "file-unknown", .noFile, "The engine does not have the file.",
            next: "publish it with the catalogue, or make the order anew"),
        Explanation(
            "file-hash-mismatch", .badFile, "What the engine sent is not the file that was asked for.",
            next: "run the same command again; if that does not help, publish the file anew"),
        Explanation(
            "file-damaged", .badFile, "What the engine sent is not the file that was asked for.",
            next: "run the same command again; if that does not help, publish the file anew"),
        Explanation(
            "file-too-large", .badFile, "The file has more than 16 MiB, which the engine does not keep.",
            next: "see whether it is the right one: no package has so much"),
        Explanation(
            "catalogue-unknown", .noFile, "The engine has no catalogue of this version.",
            next: "publish one with `beacon-dfu-station publish`"),
        Explanation(
            "catalogue-unusable", .badFile, "The catalogue cannot be published as it is.",
            next: "read why in the message; `beacon-dfu catalogue check` finds what contradicts itself"),
        Explanation(
            "cache-unusable", .noFile, "A file of the engine cannot be kept on this machine.",
            next: "see whether the folder can be written to and has room, or name another with --cache"),
        Explanation(
            "order-exists", .failed, "There is an order of this number.", next: "take another number"),
        Explanation(
            "order-unusable", .usage, "The order cannot be made as it is.", next: "read why in the message"),
        Explanation(
            "order-empty", .failed, "The order has no units, and cannot be released.",
            next: "list some with `beacon-dfu-station order add`"),
        Explanation(
            "order-state", .failed, "The order's state does not allow this.",
            next: "see with `beacon-dfu-station status` what it is"),
        Explanation(
            "expected-too-few", .failed, "The order has more units than it is to want.",
            next: "take some out first with `beacon-dfu-station order remove`"),
        Explanation(
            "unit-exists", .failed, "The beacon is a unit of the order already.",
            next: "take it out of the list"),
        Explanation(
            "unit-unusable", .badFile, "A unit cannot be listed as it is.", next: "read why in the message"),
        Explanation(
            "unit-list-invalid", .badFile, "The list of units cannot be used.",
            next: "correct the line that the message names: an address with /public or /random, or id:TEXT"),
        Explanation(
            "stop-rule-unusable", .usage, "The rule by which the order is held cannot be used.",
            next: "give numbers above 0: --hold-after 3, --hold-at 5/20, --hold-same-cause 3"),
        Explanation(
            "person-missing", .usage, "Whoever decides has to be named.", next: "say it with --by NAME"),
    ]
}
