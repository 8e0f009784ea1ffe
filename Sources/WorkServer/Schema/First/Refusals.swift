extension WorkServerSchema {
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

    /// The function that records an action of a person.
    static let audit = """
        CREATE FUNCTION note(p_what text, p_order text, p_person text, p_why text) RETURNS void LANGUAGE sql AS
          'INSERT INTO event (what, order_number, person, why) VALUES (p_what, p_order, left(p_person, 200), left(p_why, 2000))';
        """
}
