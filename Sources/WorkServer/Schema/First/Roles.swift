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

    /// Permissions of the roles on functions and views. No role has access to tables.
    static let grants = """
        REVOKE ALL ON SCHEMA beacon_dfu FROM PUBLIC;
        REVOKE ALL ON ALL TABLES IN SCHEMA beacon_dfu FROM PUBLIC;
        REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA beacon_dfu FROM PUBLIC;
        GRANT USAGE ON SCHEMA beacon_dfu TO beacon_dfu_station, beacon_dfu_viewer, beacon_dfu_approver, beacon_dfu_admin;

        GRANT SELECT ON about, policies TO beacon_dfu_station;
        GRANT EXECUTE ON FUNCTION greet, claim, renew, release, deliver, catalogue, file TO beacon_dfu_station;

        GRANT SELECT ON orders, units, stations, results, refused_results, events, catalogues, catalogue_files, recalled_files, about,
          policies
          TO beacon_dfu_viewer, beacon_dfu_approver, beacon_dfu_admin;
        GRANT EXECUTE ON FUNCTION protocol_flaw, told TO beacon_dfu_viewer, beacon_dfu_approver, beacon_dfu_admin;
        GRANT EXECUTE ON FUNCTION catalogue, file TO beacon_dfu_viewer, beacon_dfu_approver, beacon_dfu_admin;

        GRANT EXECUTE ON FUNCTION release_order, hold_order, cancel_order, retry_units, remove_units TO beacon_dfu_approver;

        GRANT EXECUTE ON FUNCTION create_order, add_units, remove_units, set_expected, hold_order, put_file, publish_catalogue, withdraw_catalogue,
          recall_file, readmit_station, set_max_offline TO beacon_dfu_admin;
        """
}
