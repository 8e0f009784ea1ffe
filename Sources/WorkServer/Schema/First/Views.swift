extension WorkServerSchema {
    /// Views for users and other systems. Columns may be added, but are never removed or changed.
    static let views = """
        CREATE VIEW orders AS
        SELECT o.number, o.state, o.held_code, o.held_reason, o.expected, o.is_listed, o.golden, o.attempts, o.stop_rule,
          o.file_name, encode(o.file_sha256, 'hex') AS file_sha256, o.catalogue_version, o.with_beta,
          o.created, o.created_by, o.released_at, o.released_by,
          u.units, u.waiting, u.claimed, u.expired, u.verified, u.failed,
          round(u.verified::numeric / nullif(u.verified + u.failed + u.retried, 0), 4) AS yield,
          round(u.first_pass::numeric / nullif(u.verified + u.failed + u.retried, 0), 4) AS first_pass_yield,
          r.results, r.late, r.unplanned, r.last_result, u.first_pass, u.retried
        FROM work_order o
        CROSS JOIN LATERAL (
          SELECT count(*) AS units, count(*) FILTER (WHERE state = 'waiting') AS waiting,
            count(*) FILTER (WHERE state = 'claimed' AND lease_until >= now()) AS claimed,
            count(*) FILTER (WHERE state = 'claimed' AND lease_until < now()) AS expired,
            count(*) FILTER (WHERE state = 'verified') AS verified, count(*) FILTER (WHERE state = 'failed') AS failed,
            count(*) FILTER (WHERE is_retried AND state IN ('waiting', 'claimed')) AS retried,
            count(*) FILTER (WHERE state = 'verified' AND NOT has_failed AND NOT is_repeated) AS first_pass
          FROM unit WHERE order_number = o.number) u
        CROSS JOIN LATERAL (
          SELECT count(*) AS results, count(*) FILTER (WHERE standing = 'late') AS late,
            count(*) FILTER (WHERE standing = 'unplanned') AS unplanned, max(received) AS last_result
          FROM result WHERE order_number = o.number) r;

        CREATE VIEW units AS
        SELECT u.order_number, u.key, u.selector, u.slot,
          CASE WHEN u.state = 'claimed' AND u.lease_until < now() THEN 'expired' ELSE u.state END AS state,
          u.epoch, u.station, u.lease_until, u.attempts, u.failures, u.outcome, u.code, u.changed, u.id,
          u.has_failed, u.is_repeated, u.is_retried,
          ARRAY (SELECT a.alias FROM unit_alias a WHERE a.unit_id = u.id ORDER BY a.alias) AS keys
        FROM unit u;

        CREATE VIEW stations AS
        SELECT s.name, s.login, s.program, s.protocol, (protocol_flaw(s.protocol)).code AS may_not_claim, s.joined, s.seen, s.address,
          s.incarnation, s.last_sequence, s.waiting, s.oldest_waiting, s.catalogue, s.clock_ahead, s.details,
          j.contiguous, j.highest,
          (SELECT count(*) FROM unit u WHERE u.station = s.name AND u.state = 'claimed' AND u.lease_until >= now()) AS claims,
          (SELECT count(*) FROM refused_result x WHERE x.station = s.name) AS refused
        FROM station s LEFT JOIN journal j ON j.incarnation = s.incarnation;
        CREATE INDEX unit_station ON unit (station) WHERE state = 'claimed';
        CREATE INDEX refused_result_station ON refused_result (station);

        -- A value of a unit, or of its last attempt, in a body: text from the station, which can be anything.
        CREATE FUNCTION told(p_body json, p_name text, p_of_attempt boolean) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
        BEGIN
          RETURN left(CASE WHEN p_of_attempt THEN p_body #>> ARRAY['attempts', '-1', p_name] ELSE p_body ->> p_name END, 255);
        EXCEPTION WHEN data_exception THEN RETURN NULL;
        END $$;

        CREATE VIEW results AS
        SELECT number, id, station, incarnation, sequence, order_number, key, epoch, outcome, code, standing, observed, received,
          encode(sha256, 'hex') AS sha256, body,
          told(body, 'slot', false) AS slot, told(body, 'name', false) AS name, told(body, 'attempt', true) AS attempt,
          told(body, 'seconds', true) AS seconds, told(body, 'version_before', true) AS version_before,
          told(body, 'version_after', true) AS version_after, told(body, 'adapter', true) AS adapter,
          told(body, 'message', false) AS message, told(body, 'next_step', false) AS next_step
        FROM result;

        CREATE VIEW refused_results AS SELECT number, station, incarnation, sequence, id, code, message, received FROM refused_result;

        CREATE VIEW events AS SELECT number, at, what, order_number, person, login, why FROM event;

        CREATE VIEW catalogues AS
        SELECT v.version, v.published, v.published_by, v.recall, v.recalled,
          (SELECT count(*) FROM catalogue_file f WHERE f.version = v.version) AS files
        FROM catalogue_version v;

        CREATE VIEW catalogue_files AS
        SELECT f.version, f.path, encode(f.sha256, 'hex') AS sha256, octet_length(b.body) AS bytes, r.why AS recall
        FROM catalogue_file f JOIN blob b USING (sha256) LEFT JOIN recalled_file r USING (sha256);

        CREATE VIEW recalled_files AS SELECT encode(sha256, 'hex') AS sha256, why, recalled, recalled_by FROM recalled_file;

        CREATE VIEW policies AS SELECT max_offline, names, journals, results, result_bytes, units FROM policy;

        CREATE VIEW about AS SELECT version, least_protocol, most_protocol, applied, applied_by FROM schema_version;
        """
}
