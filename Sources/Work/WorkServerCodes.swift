import Tray
package import UpdateModel

package struct WorkServerCodes: FailureCodeGroup {
    package static let topic = FailureTopic("The work server of several stations")

    package let settings = FailureCode(
        "engine-settings", .usage, "The connection string of the work server cannot be used.",
        next: "write it as libpq reads it: 'host=db.plant dbname=beacons user=bench3'")
    package let loginRefused = FailureCode(
        "engine-login-refused", .noPermission,
        "The server rejects the login: the password is wrong or missing, or the server's rules do not admit "
            + "this machine.",
        next: "check ~/.pgpass (mode 0600) here, and pg_hba.conf on the server")
    package let passwordMissing = FailureCode(
        "engine-password-missing", .noPermission,
        "The server requires a password, and there is none for this login.",
        next: "add a line HOST:PORT:DATABASE:LOGIN:PASSWORD to ~/.pgpass, mode 0600")
    package let certificate = FailureCode(
        "engine-certificate", .noPermission,
        "The server cannot prove that it is the work server: its certificate is for another name, is not "
            + "signed by a known authority, or is missing.",
        next: "check sslmode in the connection string, ~/.postgresql/root.crt, and the server's certificate")
    package let databaseUnknown = FailureCode(
        "engine-database-unknown", .noFile, "The server has no database of this name.",
        next: "check dbname in the connection string, or create the database with createdb")
    package let notAllowed = FailureCode(
        "engine-not-allowed", .noPermission, "The login has no role of the work server that allows this.",
        next: "ask someone who has the role that the message names, or ask the database administrator to "
            + "grant it to you")
    package let rolesMissing = FailureCode(
        "engine-roles-missing", .noPermission,
        "The server lacks roles of the work server, and the login that prepares the database may not create "
            + "any. It should not be able to: before PostgreSQL 16, a login that creates roles can become "
            + "the server's own user.",
        next: "ask the database superuser to CREATE the ROLEs that the message names, then run `init-db` "
            + "again")
    package let createMissing = FailureCode(
        "engine-create-missing", .noPermission,
        "The login that prepares the database may not create a schema in it.",
        next: "ask the database superuser to GRANT CREATE ON DATABASE to the login, then run `init-db` again")
    package let ownerPowerful = FailureCode(
        "engine-owner-powerful", .failed,
        "The login that owns the work server is a superuser, can create roles, or has one of the roles that "
            + "let it run programs and write files on the server. Anyone with its password controls the "
            + "server.",
        next: "let a login that has CREATE on its database and nothing else own the work server "
            + "(docs/stations.md): pg_dump the database, then pg_restore --no-owner as that login")
    package let stationQuota = FailureCode(
        "station-quota", .tryAgain,
        "The station has delivered the maximum number of results, or of bytes, for one day. The rest waits "
            + "in its journal.",
        next: "nothing is lost: the rest is accepted tomorrow (UTC), or when the work server's owner raises "
            + "results and result_bytes in beacon_dfu.policy; find out why there are so many")
    package let stationNamesMany = FailureCode(
        "station-names-many", .noPermission, "The login has the maximum number of stations.",
        next: "join under the name of one of them, or use a login for each bench")
    package let stationJournalsMany = FailureCode(
        "station-journals-many", .tryAgain,
        "The station has started the maximum number of journals for one day.",
        next: "keep the journal from run to run; a new one can be started tomorrow")
    package let stationText = FailureCode(
        "station-text", .badFile,
        "The machine's identifier, which the station sends to the work server, is missing or has more than "
            + "255 bytes.",
        next: "check /etc/machine-id of the bench")
    package let claimTooLarge = FailureCode(
        "claim-too-large", .failed,
        "A claim names more beacons, or keys of one, than the work server accepts.",
        next: "claim fewer at a time: --most")
    package let schema = FailureCode(
        "engine-schema", .badFile, "The database is not a work server, or this login cannot see it.",
        next: "prepare it with `beacon-dfu-station init-db`, or grant the login a role")
    package let newer = FailureCode(
        "engine-newer", .failed, "The work server was created by a later version of the program.",
        next: "install that version, or a later one")
    package let old = FailureCode(
        "engine-old", .failed, "The work server has the schema of an earlier version of the program.",
        next: "run `beacon-dfu-station init-db` with the login that created it")
    package let tooOld = FailureCode(
        "engine-too-old", .failed,
        "The work server's protocol is too old for this program, so it gets no work. Its results are "
            + "accepted.",
        next: "run `beacon-dfu-station init-db` with the login that created the work server")
    package let programTooOld = FailureCode(
        "program-too-old", .failed,
        "This program's protocol is too old for the work server, so it gets no work. Its results are "
            + "accepted.",
        next: "install the version that the other stations have")
    package let serverOld = FailureCode(
        "engine-server-old", .failed, "The server is older than PostgreSQL 15.",
        next: "use a server of version 15 or later")
    package let readOnly = FailureCode(
        "engine-read-only", .tryAgain,
        "The server accepts no changes: it is a standby, or is set to read-only.",
        next: "connect to the primary, or promote this one; results wait in the journal meanwhile",
        mayPass: true)
    package let diskFull = FailureCode(
        "engine-disk-full", .tryAgain, "The server's disk is full.",
        next: "free space there; results wait in the journal meanwhile, and flashing continues",
        mayPass: true)
    package let noConnectionFree = FailureCode(
        "engine-no-connection-free", .tryAgain, "All connections that the server allows are in use.",
        next: "raise max_connections on the server", mayPass: true)
    package let busy = FailureCode(
        "engine-busy", .tryAgain, "The work server was too busy with other requests to answer.",
        next: "run the same command again", mayPass: true)
    package let forgetful = FailureCode(
        "engine-forgetful", .failed,
        "The server is set not to wait for its disk, so it may lose results that it has acknowledged. "
            + "Stations send them again as long as they have them.",
        next: "set fsync and synchronous_commit to on")
    package let pooled = FailureCode(
        "engine-pooled", .failed,
        "A connection pool (such as PgBouncer) between this machine and the server gives each transaction "
            + "another session. Work continues; notifications do not arrive.",
        next: "set pool_mode=session there, or connect to the server directly")
    package let crowded = FailureCode(
        "engine-crowded", .failed, "The server has few free connections left.",
        next: "raise max_connections there")
    package let refused = FailureCode(
        "engine-refused", .failed, "The work server refused the request.",
        next: "see the reason in the message")
    package let failed = FailureCode(
        "engine-failed", .failed, "The server could not execute a request to the work server.",
        next: "see the server's log")
    package let stationUnknown = FailureCode(
        "station-unknown", .usage,
        "This bench is not a station of a work server, or is a station of another one.",
        next: "run `beacon-dfu-station join NAME` first")
    package let stationInvalid = FailureCode(
        "station-invalid", .badFile, "The file that `join` wrote cannot be read.",
        next: "run `beacon-dfu-station join NAME` again; if it refuses to replace the file, move that aside")
    package let stationTaken = FailureCode(
        "station-taken", .noPermission, "The station's name belongs to another login or machine.",
        next: "choose another name, or have an administrator release this one with `beacon-dfu-station "
            + "readmit`")
    package let stationAtWork = FailureCode(
        "station-at-work", .tryAgain, "The station is working with another journal, and has claimed units.",
        next: "end the other program, or give this bench a name and a folder of its own; if that journal is "
            + "gone, wait two minutes", mayPass: true)
    package let stationFolderTaken = FailureCode(
        "station-folder-taken", .usage,
        "The journal's folder already belongs to another station; joining would replace its station.yaml.",
        next: "give each station a folder of its own (--journal), or rename this one with --new-journal")
    package let stationNotGreeted = FailureCode(
        "station-not-greeted", .tryAgain, "The work server does not know yet which station this is.",
        next: "run the same command again", mayPass: true)
    package let stationName = FailureCode(
        "station-name", .usage, "The name is not valid for a station.",
        next: "use letters, digits, '-', '_' and '.', at most 64 of them")
    package let journalCopied = FailureCode(
        "journal-copied", .badFile,
        "The journal belongs to another station or another machine: it was copied, for example with a disk "
            + "image. Results of both would be counted for one.",
        next: "make a new journal from it with `beacon-dfu-station join --new-journal`")
    package let journalRestored = FailureCode(
        "journal-restored", .badFile,
        "The work server has later results of this journal than the journal itself: it was restored from a "
            + "backup, and would use numbers a second time.",
        next: "make a new journal from it with `beacon-dfu-station join --new-journal`")
    package let sequenceConflict = FailureCode(
        "sequence-conflict", .failed,
        "The work server has another result with this number of this journal: two benches use copies of one "
            + "journal.",
        next: "run `beacon-dfu-station join --new-journal` on the copy")
    package let resultIDConflict = FailureCode(
        "result-id-conflict", .failed, "The work server has another result under the same key.",
        next: "report it with both bodies: keys are derived from runs, and are unique")
    package let resultTooLarge = FailureCode(
        "result-too-large", .failed, "The result is larger than 1 MiB.",
        next: "look at it with `beacon-dfu history outbox`")
    package let resultUnusable = FailureCode(
        "result-unusable", .failed,
        "The result's body is not JSON that the work server can store, or its other fields do not match the "
            + "body.",
        next: "look at it with `beacon-dfu history outbox`")
    package let resultUnreadable = FailureCode(
        "result-unreadable", .failed,
        "A row of the journal for the work server has a body that this program cannot read, for example from "
            + "a later version. It was set aside, and the others are delivered.",
        next: "look at it with `beacon-dfu history outbox`; in the program that wrote it, --retry KEY there "
            + "delivers it")
    package let resultsStuck = FailureCode(
        "results-stuck", .failed,
        "The journal from which results are delivered cannot be read or written. Nothing is delivered "
            + "meanwhile; the program keeps trying.",
        next: "run `beacon-dfu explain` with the journal's code, which the message names")
    package let firmwareRecalled = FailureCode(
        "firmware-recalled", .failed,
        "The order's package, or the version of the catalogue that chooses it, was recalled: no unit is "
            + "started with it.",
        next: "see the reason in the message; the order needs another package", unit: .aborted)
    package let fileUnpublished = FailureCode(
        "file-unpublished", .noFile,
        "A file was requested from the work server, but the units come from a tray file, which has none.",
        next: "put the file into the folder of the tray file, and name it there")
    package let fileUnknown = FailureCode(
        "file-unknown", .noFile, "The work server has no file with this SHA-256.",
        next: "publish it with the catalogue, or create the order again")
    package let fileHashMismatch = FailureCode(
        "file-hash-mismatch", .badFile,
        "The station's mirror sent something other than the requested file. The work server is asked instead.",
        next: "fill the mirror's folder again, with --files-to of `beacon-dfu-station publish` or of "
            + "`beacon-dfu-station order create`")
    package let fileDamaged = FailureCode(
        "file-damaged", .badFile,
        "The work server sent a file that does not have the requested SHA-256. It stores no such file, so the "
            + "file was changed on the way, or in the database.",
        next: "run the same command again; if that does not help, restore the database from a backup: a file "
            + "that it has is not replaced by publishing it again")
    package let fileTooLarge = FailureCode(
        "file-too-large", .badFile, "The file is larger than 16 MiB, the work server's limit.",
        next: "check that it is the right file: no package is that large")
    package let catalogueUnknown = FailureCode(
        "catalogue-unknown", .noFile, "The work server has no catalogue of this version.",
        next: "publish one with `beacon-dfu-station publish`")
    package let catalogueUnusable = FailureCode(
        "catalogue-unusable", .badFile, "The catalogue is not fit to be published.",
        next: "see the reason in the message; `beacon-dfu catalogue check` finds contradictions")
    package let cacheUnusable = FailureCode(
        "cache-unusable", .noFile, "A file from the work server cannot be stored on this machine.",
        next: "check that the folder is writable and has free space, or name another with --cache")
    package let orderExists = FailureCode(
        "order-exists", .failed, "An order with this number exists already.", next: "choose another number")
    package let orderUnusable = FailureCode(
        "order-unusable", .usage, "The order is not valid.", next: "see the reason in the message")
    package let orderEmpty = FailureCode(
        "order-empty", .failed, "The order has no units, and cannot be released.",
        next: "list some with `beacon-dfu-station order add`")
    package let orderState = FailureCode(
        "order-state", .failed, "The order's state does not allow this.",
        next: "check its state with `beacon-dfu-station status`")
    package let expectedTooFew = FailureCode(
        "expected-too-few", .failed, "The order has more units than it is to expect.",
        next: "remove some first with `beacon-dfu-station order remove`")
    package let unitExists = FailureCode(
        "unit-exists", .failed, "The beacon is already a unit of the order.", next: "remove it from the list")
    package let unitUnusable = FailureCode(
        "unit-unusable", .badFile, "A unit of the list is not valid.", next: "see the reason in the message")
    package let unitListInvalid = FailureCode(
        "unit-list-invalid", .badFile, "The list of units cannot be used.",
        next: "correct the line that the message names: an address with /public or /random, or id:TEXT")
    package let stopRuleUnusable = FailureCode(
        "stop-rule-unusable", .usage, "The rule for holding the order is not valid.",
        next: "give numbers above 0: --hold-after 3, --hold-at 5/20, --hold-same-cause 3")
    package let personMissing = FailureCode(
        "person-missing", .usage, "The person who decides has to be named.",
        next: "give the name with --by NAME")
    package let unreachable = FailureCode(
        "engine-unreachable", .tryAgain,
        "The work server cannot be reached, or does not answer in time. Claimed units are finished, results "
            + "wait in the journal, and nothing new is claimed.",
        next: "check the network, or run `beacon-dfu-station doctor`; results are delivered automatically",
        topic: StationCodes.topic, mayPass: true)
    package let unready = FailureCode(
        "engine-unready", .tryAgain,
        "The work server can be reached but accepts nothing now: its disk is full, or it is a read-only "
            + "standby.",
        next: "tell the administrator of the work server; results wait in the journal meanwhile",
        topic: StationCodes.topic, mayPass: true)
    package let answer = FailureCode(
        "engine-answer", .badFile, "This program does not understand the work server's answer.",
        next: "run `beacon-dfu-station doctor`: the versions of work server and program may not go together",
        topic: StationCodes.topic)
}

extension FailureCode { package static let workServer = WorkServerCodes() }
