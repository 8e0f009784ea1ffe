extension WorkServerSchema {
    static let policy = """
        CREATE TABLE policy (
          is_present boolean PRIMARY KEY DEFAULT true CHECK (is_present),
          max_offline interval NOT NULL DEFAULT '24 hours' CHECK (max_offline BETWEEN interval '90 seconds' AND interval '24 hours'),
          -- Limits of a login: the number of station names; per station and day, journals, results and bytes of
          -- results; and the units of an order without an expected number.
          names integer NOT NULL DEFAULT 8 CHECK (names > 0),
          journals integer NOT NULL DEFAULT 100 CHECK (journals > 0),
          results integer NOT NULL DEFAULT 100000 CHECK (results > 0),
          result_bytes bigint NOT NULL DEFAULT 1073741824 CHECK (result_bytes > 0),
          units integer NOT NULL DEFAULT 100000 CHECK (units > 0)
        );
        INSERT INTO policy DEFAULT VALUES;

        -- The longest lease: a station that has been silent for longer has no claim left, and begins nothing.
        CREATE FUNCTION granted_lease(p_lease_ms bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
          SELECT least(greatest(p_lease_ms, 1), (extract(epoch FROM max_offline) * 1000)::bigint) FROM policy $$;

        -- The amount that a station has delivered today, by the work server's clock.
        CREATE TABLE station_day (
          station text PRIMARY KEY REFERENCES station,
          day date NOT NULL,
          results integer NOT NULL,
          bytes bigint NOT NULL
        ) WITH (fillfactor = 70);

        -- Refuses a call that may succeed later, with SQLSTATE BD003: waiting results stay at the station.
        CREATE FUNCTION put_off(p_code text, p_message text, p_hint text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
          RAISE EXCEPTION USING ERRCODE = 'BD003', CONSTRAINT = p_code, MESSAGE = p_message, HINT = p_hint;
        END $$;

        -- Counts deliveries of a station; refuses those above the daily limit. The first one of a day is accepted: no
        -- limit is below one batch.
        CREATE FUNCTION count_results(p_station text, p_results integer, p_bytes bigint) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE p policy; used station_day; today date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
        BEGIN
          SELECT * INTO p FROM policy;
          INSERT INTO station_day AS d VALUES (p_station, today, p_results, p_bytes)
          ON CONFLICT (station) DO UPDATE SET day = today,
            results = p_results + CASE WHEN d.day = today THEN d.results ELSE 0 END,
            bytes = p_bytes + CASE WHEN d.day = today THEN d.bytes ELSE 0 END
          RETURNING * INTO used;
          IF used.results > p_results AND (used.results > p.results OR used.bytes > p.result_bytes) THEN
            PERFORM put_off('station-quota', format('station %s has reached its daily limit: %s of %s results, %s of %s bytes',
              p_station, used.results - p_results, p.results, used.bytes - p_bytes, p.result_bytes),
              'nothing is lost: results wait at the bench and are accepted tomorrow (UTC), or when the owner of the work server''s schema raises the limit in beacon_dfu.policy; check why there are so many');
          END IF;
        END $$;

        CREATE FUNCTION set_max_offline(p_ms bigint, p_person text) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        BEGIN
          IF p_ms IS NULL OR p_ms NOT BETWEEN 90000 AND 86400000 THEN
            PERFORM refuse('policy-unusable', 'a station may be offline for 90 seconds to 24 hours');
          END IF;
          UPDATE policy SET max_offline = p_ms * interval '1 millisecond';
          PERFORM note('policy-changed', NULL, p_person, format('max_offline %s s', p_ms / 1000));
        END $$;
        """
}
