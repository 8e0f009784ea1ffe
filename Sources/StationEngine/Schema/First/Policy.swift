extension EngineSchema {
    /// What holds for all orders and stations.
    static let policy = """
        CREATE TABLE policy (
          is_present boolean PRIMARY KEY DEFAULT true CHECK (is_present),
          max_offline interval NOT NULL DEFAULT '24 hours' CHECK (max_offline BETWEEN interval '90 seconds' AND interval '24 hours')
        );
        INSERT INTO policy DEFAULT VALUES;

        -- For so long a unit is claimed at most: a station of which nobody has heard for longer has no claim left, and begins nothing.
        CREATE FUNCTION granted_lease(p_lease_ms bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
          SELECT least(greatest(p_lease_ms, 1), (extract(epoch FROM max_offline) * 1000)::bigint) FROM policy $$;

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
