extension WorkServerSchema {
    /// Stations, their logins, and for each journal the result numbers that were received.
    static let stations = """
        CREATE TABLE station (
          name text PRIMARY KEY CHECK (name ~ '^[A-Za-z0-9._-]{1,64}$'),
          login name,
          machine text,
          incarnation uuid,
          joined timestamptz NOT NULL DEFAULT clock_timestamp(),
          seen timestamptz NOT NULL DEFAULT clock_timestamp(),
          address inet,
          program text,
          protocol integer,
          last_sequence bigint,
          waiting bigint,
          oldest_waiting timestamptz,
          catalogue bigint,
          clock_ahead interval,
          details json
        );
        CREATE INDEX station_login ON station (login);

        CREATE TABLE journal (
          incarnation uuid PRIMARY KEY,
          station text NOT NULL REFERENCES station,
          machine text,
          contiguous bigint NOT NULL DEFAULT 0,
          highest bigint NOT NULL DEFAULT 0,
          begun timestamptz NOT NULL DEFAULT clock_timestamp()
        ) WITH (fillfactor = 70);
        CREATE INDEX journal_station ON journal (station);

        CREATE TABLE schema_version (
          version integer PRIMARY KEY,
          least_protocol integer NOT NULL,
          most_protocol integer NOT NULL,
          applied timestamptz NOT NULL DEFAULT clock_timestamp(),
          applied_by name NOT NULL DEFAULT session_user
        );

        -- Why a program with this protocol gets no work; no code if it gets work.
        CREATE FUNCTION protocol_flaw(p_protocol integer, OUT code text, OUT message text, OUT hint text)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        DECLARE v schema_version;
        BEGIN
          SELECT * INTO v FROM schema_version ORDER BY version DESC LIMIT 1;
          IF p_protocol < v.least_protocol THEN
            code := 'program-too-old';
            message := format('this program uses protocol %s, but the work server requires %s or later', p_protocol, v.least_protocol);
            hint := 'install a later version of the program; its results are still accepted';
          ELSIF p_protocol > v.most_protocol THEN
            code := 'engine-too-old';
            message := format('this program uses protocol %s, but the work server supports only up to %s', p_protocol, v.most_protocol);
            hint := 'upgrade the work server''s schema; results are still accepted';
          END IF;
        END $$;

        -- No station claims or delivers under another's name. SQLSTATE BD002: send a heartbeat first, for example after
        -- a failover that lost the station.
        CREATE FUNCTION require_station(p_station text, p_incarnation uuid) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE s station; j journal;
        BEGIN
          SELECT * INTO s FROM station WHERE name = p_station;
          SELECT * INTO j FROM journal WHERE incarnation = p_incarnation;
          IF s.name IS NULL OR j.incarnation IS NULL THEN
            RAISE EXCEPTION USING ERRCODE = 'BD002', CONSTRAINT = 'station-not-greeted',
              MESSAGE = format('the work server does not know station %s with this journal yet', p_station);
          END IF;
          IF s.login IS DISTINCT FROM session_user THEN
            PERFORM refuse('station-taken', format('station %s belongs to another login', p_station),
              'give this bench a name of its own, or have an administrator rebind the station');
          END IF;
          IF j.station <> p_station THEN
            PERFORM refuse('journal-copied', format('this journal belongs to station %s', j.station),
              'move the journal aside: the next run creates a new one');
          END IF;
        END $$;

        -- Of two programs of one bench, each with a journal of its own, only the one with the latest heartbeat can
        -- claim; the other has to send a heartbeat again, which may be refused. No other heartbeat is processed until
        -- the claim is made.
        CREATE FUNCTION require_latest(p_station text, p_incarnation uuid) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM FROM station WHERE name = p_station AND incarnation = p_incarnation FOR SHARE;
          IF NOT FOUND THEN
            RAISE EXCEPTION USING ERRCODE = 'BD002', CONSTRAINT = 'station-not-greeted',
              MESSAGE = format('another journal has sent a heartbeat as station %s since', p_station);
          END IF;
        END $$;

        CREATE FUNCTION greet(p_protocol integer, p_station text, p_incarnation uuid, p_machine text, p_program text,
          p_last_sequence bigint, p_waiting bigint, p_oldest_waiting_ms bigint, p_catalogue bigint, p_details text,
          p_clock_ms bigint)
        RETURNS TABLE (contiguous bigint, clock_ahead_ms bigint, claim_code text, claim_message text, claim_hint text)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        #variable_conflict use_column
        DECLARE s station; j journal; p record; ahead bigint; flaw record; told json; is_recent boolean; has_units boolean;
        BEGIN
          IF p_station IS NULL OR p_station !~ '^[A-Za-z0-9._-]{1,64}$' THEN
            PERFORM refuse('station-name', 'a station''s name has 1 to 64 letters, digits, ''-'', ''_'' and ''.''');
          END IF;
          IF coalesce(octet_length(p_machine), 0) NOT BETWEEN 1 AND 255 THEN
            PERFORM refuse('station-text', 'the machine''s identifier must have 1 to 255 bytes');
          END IF;
          SELECT * INTO p FROM policy;
          IF NOT EXISTS (SELECT FROM station x WHERE x.name = p_station) THEN
            -- A login registers one new name at a time.
            PERFORM pg_advisory_xact_lock(hashtextextended('beacon_dfu ' || session_user, 0));
            IF (SELECT count(*) FROM station x WHERE x.login = session_user) >= p.names THEN
              PERFORM refuse('station-names-many', format('login %s already has %s stations, the most allowed', session_user, p.names),
                'join with the name of one of them, give each bench a login of its own, or have the owner of the work server''s schema raise names in beacon_dfu.policy');
            END IF;
          END IF;
          IF NOT EXISTS (SELECT FROM journal x WHERE x.incarnation = p_incarnation)
            AND (SELECT count(*) FROM journal x WHERE x.station = p_station AND x.begun > clock_timestamp() - interval '1 day') >= p.journals
          THEN
            PERFORM refuse('station-journals-many', format('station %s has started %s journals within a day', p_station, p.journals),
              'keep the journal between runs; a new one can be started tomorrow');
          END IF;
          told := CASE WHEN is_object(p_details) AND octet_length(p_details) <= 8192 THEN p_details::json ELSE '{}' END;
          ahead := p_clock_ms - (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
          INSERT INTO station (name, login, machine) VALUES (p_station, session_user, p_machine) ON CONFLICT DO NOTHING;
          SELECT * INTO s FROM station WHERE name = p_station FOR NO KEY UPDATE;
          IF s.login IS NOT NULL AND s.login <> session_user THEN
            PERFORM refuse('station-taken', format('station %s belongs to another login', p_station),
              'give this bench a name of its own, or have an administrator rebind the station');
          END IF;
          INSERT INTO journal (incarnation, station, machine) VALUES (p_incarnation, p_station, p_machine)
          ON CONFLICT DO NOTHING;
          SELECT * INTO j FROM journal WHERE incarnation = p_incarnation FOR NO KEY UPDATE;
          IF j.station <> p_station THEN
            PERFORM refuse('journal-copied', format('this journal belongs to station %s', j.station),
              'move the journal aside: the next run creates a new one');
          END IF;
          IF j.machine IS NOT NULL AND j.machine <> p_machine THEN
            PERFORM refuse('journal-copied', 'this journal was created on another machine',
              'move the journal aside: the next run creates a new one. If the disk was moved on purpose, have an administrator rebind the station');
          END IF;
          IF j.highest > p_last_sequence THEN
            PERFORM refuse('journal-restored',
              format('the work server has result %s of this journal, which ends at %s: it comes from a backup', j.highest, p_last_sequence),
              'move the journal aside: the next run creates a new one');
          END IF;
          is_recent := s.seen > clock_timestamp() - interval '2 minutes';
          has_units := EXISTS (
            SELECT FROM unit u WHERE u.station = p_station AND u.state = 'claimed' AND u.lease_until >= clock_timestamp());
          -- Two programs of one bench, each with a journal of its own, would be granted each other's units.
          IF s.machine = p_machine AND s.incarnation <> p_incarnation AND is_recent AND has_units THEN
            PERFORM refuse('station-at-work', format('station %s is at work with another journal', p_station),
              'join under another name, with a journal in a folder of its own; if the other journal is gone, wait two minutes');
          END IF;
          -- Another machine may take over a station that has been silent for two minutes. A bench that is offline with
          -- claims remains that station, however long it has been silent.
          IF s.machine IS DISTINCT FROM p_machine AND s.login IS NOT NULL AND (is_recent OR has_units) THEN
            PERFORM refuse('station-taken',
              format('another machine has worked as station %s within the last two minutes, or still has units', p_station),
              'give each bench a name of its own; if this machine replaces the other, wait for its claims to end, or have an administrator rebind the station');
          END IF;
          UPDATE journal SET machine = p_machine WHERE incarnation = p_incarnation AND machine IS DISTINCT FROM p_machine;
          UPDATE station SET login = session_user, machine = p_machine, incarnation = p_incarnation,
            seen = clock_timestamp(), address = inet_client_addr(), program = left(p_program, 200), protocol = p_protocol,
            last_sequence = p_last_sequence, waiting = p_waiting, oldest_waiting = moment(p_oldest_waiting_ms),
            catalogue = p_catalogue, clock_ahead = least(greatest(ahead, -3e14::bigint), 3e14::bigint) * interval '1 millisecond',
            details = told
          WHERE name = p_station;
          SELECT * INTO flaw FROM protocol_flaw(p_protocol);
          RETURN QUERY SELECT j.contiguous, ahead, flaw.code, flaw.message, flaw.hint;
        END $$;

        -- For a bench whose login or machine has changed: the next heartbeat binds it again.
        CREATE FUNCTION readmit_station(p_station text) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        BEGIN
          UPDATE station SET login = NULL, machine = NULL WHERE name = p_station;
          IF NOT FOUND THEN PERFORM refuse('station-unknown', format('there is no station %s', p_station)); END IF;
          UPDATE journal SET machine = NULL WHERE station = p_station;
          PERFORM note('station-readmitted', NULL, NULL, p_station);
        END $$;
        """
}
