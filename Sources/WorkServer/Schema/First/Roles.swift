extension WorkServerSchema {
    /// Group roles, which are granted to logins. Roles belong to the whole server, not to one database, and so they may
    /// already exist.
    static let roles = """
        DO $$
        DECLARE role_name text; missing text;
        BEGIN
          SELECT string_agg('beacon_dfu_' || x, ', ') INTO missing FROM unnest(ARRAY['station', 'viewer', 'approver', 'admin']) x
          WHERE to_regrole('beacon_dfu_' || x) IS NULL;
          IF missing IS NULL THEN RETURN; END IF;
          IF NOT (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user) THEN
            RAISE EXCEPTION USING ERRCODE = 'BD001', CONSTRAINT = 'engine-roles-missing',
              MESSAGE = format('login %s may not create roles, and the server lacks %s', current_user, missing),
              HINT = format('ask the database superuser to run: CREATE ROLE %s', replace(missing, ', ', '; CREATE ROLE '));
          END IF;
          FOREACH role_name IN ARRAY string_to_array(missing, ', ') LOOP
            BEGIN
              EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
            END;
          END LOOP;
        END $$;
        """

    /// The function by which others refuse a call: this program's code is in the error's field `constraint`.
    static let refusals = """
        CREATE FUNCTION refuse(p_code text, p_message text, p_hint text DEFAULT NULL) RETURNS void
        LANGUAGE plpgsql AS $$
        BEGIN
          IF p_hint IS NULL THEN
            RAISE EXCEPTION USING ERRCODE = 'BD001', CONSTRAINT = p_code, MESSAGE = p_message;
          END IF;
          RAISE EXCEPTION USING ERRCODE = 'BD001', CONSTRAINT = p_code, MESSAGE = p_message, HINT = p_hint;
        END $$;

        CREATE FUNCTION stays() RETURNS trigger LANGUAGE plpgsql SET search_path = beacon_dfu, pg_temp AS $$
        BEGIN
          PERFORM refuse('record-stays', format('rows of %s cannot be changed or deleted', TG_TABLE_NAME));
          RETURN NULL;
        END $$;

        -- A moment of a clock, clamped to the valid range.
        CREATE FUNCTION moment(p_ms bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT AS
          'SELECT to_timestamp(least(greatest(p_ms, -62135596800000), 253402300799000) / 1000.0)';
        """
}
