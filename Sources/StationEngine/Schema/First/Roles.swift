extension EngineSchema {
    /// Group roles, which logins are granted. They are of the whole cluster: another database may have made them.
    static let roles = """
        DO $$
        DECLARE role_name text;
        BEGIN
          FOREACH role_name IN ARRAY ARRAY['station', 'viewer', 'approver', 'admin'] LOOP
            -- Whoever may not make roles can do with those that are there.
            CONTINUE WHEN to_regrole('beacon_dfu_' || role_name) IS NOT NULL;
            BEGIN
              EXECUTE format('CREATE ROLE %I NOLOGIN', 'beacon_dfu_' || role_name);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
            END;
          END LOOP;
        END $$;
        """

    /// What functions say to a person. The stable code is in the field `constraint` of the error.
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
          PERFORM refuse('record-stays', format('rows of %s are neither changed nor deleted', TG_TABLE_NAME));
          RETURN NULL;
        END $$;

        -- A moment of a clock that may be anywhere.
        CREATE FUNCTION moment(p_ms bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT AS
          'SELECT to_timestamp(least(greatest(p_ms, -62135596800000), 253402300799000) / 1000.0)';
        """
}
