extension WorkServerSchema {
    static let orders = """
        CREATE TABLE work_order (
          number text PRIMARY KEY CHECK (number <> '' AND octet_length(number) <= 255),
          state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'golden', 'open', 'held', 'done', 'cancelled')),
          held_code text,
          held_reason text,
          file_name text,
          file_sha256 bytea REFERENCES blob,
          catalogue_version bigint REFERENCES catalogue_version,
          with_beta boolean NOT NULL DEFAULT false,
          expected integer CHECK (expected > 0),
          is_listed boolean NOT NULL,
          units integer NOT NULL DEFAULT 0,
          golden integer NOT NULL DEFAULT 0 CHECK (golden >= 0),
          attempts integer NOT NULL DEFAULT 1 CHECK (attempts > 0),
          stop_rule jsonb NOT NULL DEFAULT '{}',
          judged_from bigint NOT NULL DEFAULT 0,
          created timestamptz NOT NULL DEFAULT clock_timestamp(),
          created_by name NOT NULL DEFAULT session_user,
          released_at timestamptz,
          released_by text,
          CHECK ((file_name IS NULL) = (file_sha256 IS NULL)),
          CHECK (file_sha256 IS NULL OR catalogue_version IS NULL),
          CHECK ((state = 'held') = (held_code IS NOT NULL))
        ) WITH (fillfactor = 70);

        CREATE TABLE unit (
          id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          order_number text NOT NULL REFERENCES work_order,
          key text NOT NULL,
          selector text NOT NULL,
          slot text,
          priority integer NOT NULL DEFAULT 0,
          state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'claimed', 'verified', 'failed')),
          epoch bigint NOT NULL DEFAULT 0,
          station text REFERENCES station,
          lease_until timestamptz,
          attempts integer NOT NULL DEFAULT 0,
          failures integer NOT NULL DEFAULT 0,
          -- Whether it ever failed.
          has_failed boolean NOT NULL DEFAULT false,
          -- Whether a bench needed more than one attempt, or its image was sent from the beginning more than once.
          is_repeated boolean NOT NULL DEFAULT false,
          -- The run that sent the image last.
          sent_in text,
          -- Whether another attempt was allowed that has not ended yet: until then the unit counts as failed.
          is_retried boolean NOT NULL DEFAULT false,
          outcome text,
          code text,
          changed timestamptz NOT NULL DEFAULT clock_timestamp(),
          UNIQUE (order_number, key),
          CHECK ((state = 'claimed') = (lease_until IS NOT NULL))
        ) WITH (fillfactor = 70);
        CREATE INDEX unit_waiting ON unit (order_number, priority, id) WHERE state = 'waiting';
        CREATE INDEX unit_expiring ON unit (order_number, lease_until) WHERE state = 'claimed';
        CREATE INDEX unit_unverified ON unit (order_number) WHERE state <> 'verified';

        CREATE TABLE unit_alias (
          order_number text NOT NULL,
          alias text NOT NULL CHECK (alias <> '' AND octet_length(alias) <= 255),
          unit_id bigint NOT NULL REFERENCES unit ON DELETE CASCADE,
          PRIMARY KEY (order_number, alias)
        );
        CREATE INDEX unit_alias_unit ON unit_alias (unit_id);

        -- The keys of claimed beacons: each beacon has one bench at a time, across all orders and all of its keys.
        CREATE TABLE live_alias (
          alias text PRIMARY KEY,
          unit_id bigint NOT NULL REFERENCES unit ON DELETE CASCADE
        );
        CREATE INDEX live_alias_unit ON live_alias (unit_id);

        -- The normal form of a key.
        CREATE FUNCTION normal_key(p_key text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
          SELECT CASE
            WHEN p_key ~* '^([0-9a-f]{2}:){5}[0-9a-f]{2}/(random|public)$'
              THEN upper(left(p_key, 17)) || lower(substr(p_key, 18))
            WHEN p_key ~* '^id:' THEN lower(p_key)
            ELSE p_key END $$;
        """

    /// The tables of results and of users' actions, whose rows cannot be changed or deleted.
    static let results = """
        CREATE TABLE result (
          number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          id uuid NOT NULL UNIQUE,
          station text NOT NULL,
          incarnation uuid NOT NULL,
          sequence bigint NOT NULL CHECK (sequence > 0),
          order_number text,
          key text NOT NULL CHECK (octet_length(key) <= 255),
          epoch bigint,
          outcome text NOT NULL CHECK (outcome IN ('passed', 'failed', 'error', 'not-needed', 'skipped', 'aborted', 'unknown')),
          code text,
          body json NOT NULL,
          sha256 bytea NOT NULL,
          observed timestamptz NOT NULL,
          received timestamptz NOT NULL DEFAULT clock_timestamp(),
          standing text NOT NULL CHECK (standing IN ('current', 'late', 'unplanned')),
          UNIQUE (incarnation, sequence)
        );
        CREATE INDEX result_order ON result (order_number, number);
        CREATE INDEX result_key ON result (key, number);
        CREATE INDEX result_received ON result (received);

        CREATE TABLE refused_result (
          number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          station text NOT NULL,
          incarnation uuid NOT NULL,
          sequence bigint NOT NULL,
          id text NOT NULL,
          code text NOT NULL,
          message text NOT NULL,
          received timestamptz NOT NULL DEFAULT clock_timestamp(),
          UNIQUE (incarnation, sequence, id)
        );

        CREATE TABLE event (
          number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          at timestamptz NOT NULL DEFAULT clock_timestamp(),
          what text NOT NULL,
          order_number text,
          person text,
          login name NOT NULL DEFAULT session_user,
          why text
        );
        CREATE INDEX event_order ON event (order_number, number);

        CREATE TRIGGER result_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON result
          FOR EACH STATEMENT EXECUTE FUNCTION stays();
        CREATE TRIGGER refused_result_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON refused_result
          FOR EACH STATEMENT EXECUTE FUNCTION stays();
        CREATE TRIGGER event_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON event
          FOR EACH STATEMENT EXECUTE FUNCTION stays();
        """
}
