extension WorkServerSchema {
    /// The functions that decide which station may work on which unit, and for how long.
    ///
    /// To avoid deadlocks, all functions lock rows in the same sequence: orders, units by id, aliases by name.
    static let claiming = """
        -- Whether another unit currently has the beacon of this unit.
        CREATE FUNCTION is_elsewhere(p_unit bigint, p_moment timestamptz) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
        BEGIN
          RETURN EXISTS (
            SELECT FROM unit_alias a JOIN live_alias l ON l.alias = a.alias JOIN unit f ON f.id = l.unit_id
            WHERE a.unit_id = p_unit AND l.unit_id <> p_unit AND f.lease_until >= p_moment);
        END $$;

        -- Reserves the keys of the units; returns the units for which that was possible. Their rows are locked.
        -- p_aliases has the requested keys, which may belong to another unit of the same beacon; p_of has the unit of
        -- each.
        CREATE FUNCTION secure(p_units bigint[], p_aliases text[], p_of bigint[], p_moment timestamptz) RETURNS bigint[]
        LANGUAGE plpgsql AS $$
        DECLARE over bigint[]; lost bigint[]; aliases text[]; owners bigint[];
        BEGIN
          IF p_units IS NULL THEN RETURN '{}'; END IF;
          SELECT array_agg(x.alias ORDER BY x.alias), array_agg(x.owner ORDER BY x.alias) INTO aliases, owners FROM (
            SELECT a.alias, a.unit_id AS owner FROM unit_alias a WHERE a.unit_id = ANY (p_units)
            UNION SELECT * FROM unnest(p_aliases, p_of)) x;
          SELECT array_agg(x.id) INTO over FROM (
            SELECT f.id FROM unit f
            WHERE f.id IN (
                SELECT l.unit_id FROM unnest(aliases, owners) a(alias, owner) JOIN live_alias l ON l.alias = a.alias
                WHERE l.unit_id <> a.owner)
              AND f.state = 'claimed' AND f.lease_until < p_moment
            ORDER BY f.id FOR UPDATE SKIP LOCKED) x;
          IF over IS NOT NULL THEN
            UPDATE unit SET state = 'waiting', lease_until = NULL WHERE id = ANY (over);
            DELETE FROM live_alias WHERE unit_id = ANY (over);
          END IF;
          INSERT INTO live_alias (alias, unit_id)
          SELECT a.alias, a.owner FROM unnest(aliases, owners) a(alias, owner) ORDER BY a.alias
          ON CONFLICT DO NOTHING;
          SELECT array_agg(DISTINCT a.owner) INTO lost FROM unnest(aliases, owners) a(alias, owner)
          WHERE NOT EXISTS (SELECT FROM live_alias l WHERE l.alias = a.alias AND l.unit_id = a.owner);
          IF lost IS NULL THEN RETURN p_units; END IF;
          DELETE FROM live_alias WHERE unit_id = ANY (lost);
          UPDATE unit SET state = 'waiting', lease_until = NULL WHERE id = ANY (lost) AND state = 'claimed';
          RETURN ARRAY (SELECT u FROM unnest(p_units) WITH ORDINALITY x(u, n) WHERE u <> ALL (lost) ORDER BY n);
        END $$;

        -- Fails if the order's firmware was recalled.
        CREATE FUNCTION require_not_recalled(o work_order) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE reason text;
        BEGIN
          IF o.file_sha256 IS NOT NULL THEN
            SELECT why INTO reason FROM recalled_file WHERE sha256 = o.file_sha256;
          ELSIF o.catalogue_version IS NOT NULL THEN
            SELECT recall INTO reason FROM catalogue_version WHERE version = o.catalogue_version;
          END IF;
          IF reason IS NOT NULL THEN
            PERFORM refuse('firmware-recalled', format('the firmware of order %s was recalled: %s', o.number, reason),
              'create an order with other firmware instead');
          END IF;
        END $$;

        -- Units that the station itself has claimed are granted again: it has lost the answer, or was restarted.
        -- Returns a row 'order' first; then 'recalled' for each recalled file, 'grant' for each granted unit, with the
        -- first key of the beacon that was requested, and 'withheld' for each denied beacon. p_keys has the keys of all
        -- beacons, the most reliable first, and p_of has the beacon of each key; both are null for the next units of
        -- the order.
        CREATE FUNCTION claim(p_protocol integer, p_order text, p_station text, p_incarnation uuid, p_keys text[], p_of integer[],
          p_most integer, p_lease_ms bigint)
        RETURNS TABLE (kind text, key text, epoch bigint, lease_ms bigint, was_begun boolean, selector text, slot text, asked text,
          reason text, by_order text, by_station text, left_ms bigint, state text, held_reason text, expected integer,
          file_name text, file_sha256 text, catalogue_version bigint, with_beta boolean)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        #variable_conflict use_column
        DECLARE
          moment timestamptz; lease bigint := granted_lease(p_lease_ms); flaw record; o work_order;
          room integer := least(greatest(p_most, 0), 1000); candidates bigint[] := '{}'; asked text[] := '{}';
          aliases text[] := '{}'; owners bigint[] := '{}';
          granted bigint[]; made bigint[] := '{}'; fresh integer; taken integer := 0; is_own boolean;
          b record; u unit; f unit; keys text[];
        BEGIN
          SELECT * INTO flaw FROM protocol_flaw(p_protocol);
          IF flaw.code IS NOT NULL THEN PERFORM refuse(flaw.code, flaw.message, flaw.hint); END IF;
          PERFORM require_station(p_station, p_incarnation);
          IF room > 0 THEN PERFORM require_latest(p_station, p_incarnation); END IF;
          IF cardinality(p_keys) > 20000 OR EXISTS (SELECT FROM unnest(p_of) b GROUP BY b HAVING count(*) > 16)
            OR p_keys IS NOT NULL AND (cardinality(p_of) IS DISTINCT FROM cardinality(p_keys)
              OR EXISTS (SELECT FROM unnest(p_of) x(beacon) WHERE x.beacon IS NULL))
          THEN
            PERFORM refuse('claim-too-large', 'a claim may have at most 20000 keys, each with its beacon, and at most 16 keys for a beacon',
              'claim fewer beacons at a time');
          END IF;
          SELECT * INTO o FROM work_order w WHERE w.number = p_order;
          IF NOT FOUND THEN PERFORM refuse('order-unknown', format('there is no order %s', p_order)); END IF;
          -- Counting units, or adding one, needs the lock of the order.
          IF o.state = 'golden' OR (p_keys IS NOT NULL AND NOT o.is_listed AND o.state = 'open') THEN
            SELECT * INTO o FROM work_order w WHERE w.number = p_order FOR NO KEY UPDATE;
          END IF;
          IF p_keys IS NOT NULL AND o.state IN ('golden', 'open') THEN
            PERFORM 1 FROM unit w WHERE w.id IN (
              SELECT a.unit_id FROM unit_alias a
              WHERE a.order_number = p_order AND a.alias = ANY (ARRAY (SELECT normal_key(k) FROM unnest(p_keys) k)))
            ORDER BY w.id FOR UPDATE;
            -- The order may have been held or recalled while this waited for the units.
            SELECT * INTO o FROM work_order w WHERE w.number = p_order;
          END IF;
          PERFORM require_not_recalled(o);
          moment := clock_timestamp();
          RETURN QUERY SELECT 'order', o.number, NULL::bigint, NULL::bigint, NULL::boolean, NULL::text, NULL::text, NULL::text, NULL::text,
            NULL::text, NULL::text, NULL::bigint, o.state, o.held_code || ': ' || o.held_reason, o.expected, o.file_name,
            encode(o.file_sha256, 'hex'), o.catalogue_version, o.with_beta;
          -- Recalled files, independent of the order's firmware.
          RETURN QUERY SELECT 'recalled', NULL::text, NULL::bigint, NULL::bigint, NULL::boolean, NULL::text, NULL::text, NULL::text, r.why,
            NULL::text, NULL::text, NULL::bigint, NULL::text, NULL::text, NULL::integer, NULL::text, encode(r.sha256, 'hex'),
            NULL::bigint, NULL::boolean
          FROM recalled_file r;
          IF o.state NOT IN ('golden', 'open') THEN RETURN; END IF;
          fresh := room;
          IF o.state = 'golden' THEN
            fresh := o.golden - (SELECT count(*) FROM unit g WHERE g.order_number = p_order
              AND (g.outcome = 'passed' AND g.state = 'verified' OR g.state = 'claimed' AND g.lease_until >= moment))::integer;
            IF p_keys IS NULL THEN room := least(room, fresh); END IF;
          END IF;

          IF p_keys IS NULL THEN
            IF room <= 0 THEN RETURN; END IF;
            candidates := ARRAY (SELECT x.id FROM (
              SELECT w.id FROM unit w WHERE w.order_number = p_order AND w.state = 'claimed' AND w.lease_until < moment
              ORDER BY w.lease_until LIMIT room FOR UPDATE SKIP LOCKED) x);
            room := room - cardinality(candidates);
            IF room > 0 THEN
              candidates := candidates || ARRAY (SELECT x.id FROM (
                SELECT w.id FROM unit w WHERE w.order_number = p_order AND w.state = 'waiting' AND NOT is_elsewhere(w.id, moment)
                ORDER BY w.priority, w.id LIMIT room FOR UPDATE SKIP LOCKED) x);
            END IF;
          ELSE
            FOR b IN
              SELECT x.beacon, min(x.n) AS place, (array_agg(x.given ORDER BY x.n))[1] AS first,
                array_agg(normal_key(x.given) ORDER BY x.n) AS keys
              FROM unnest(p_keys, p_of) WITH ORDINALITY x(given, beacon, n)
              WHERE x.given <> '' AND octet_length(x.given) <= 255
              GROUP BY x.beacon ORDER BY 2
            LOOP
              SELECT w.* INTO u FROM unit_alias a JOIN unit w ON w.id = a.unit_id
              WHERE a.order_number = p_order AND a.alias = ANY (b.keys)
              ORDER BY array_position(b.keys, a.alias) LIMIT 1;
              CONTINUE WHEN u.id = ANY (candidates);
              IF u.state IN ('verified', 'failed') THEN
                RETURN QUERY SELECT * FROM withheld(b.first, CASE u.state WHEN 'verified' THEN 'done' ELSE 'failed' END, u, moment);
                CONTINUE;
              ELSIF u.state = 'claimed' AND u.lease_until >= moment AND u.station <> p_station THEN
                RETURN QUERY SELECT * FROM withheld(b.first, 'claimed', u, moment);
                CONTINUE;
              END IF;
              is_own := coalesce(u.state = 'claimed' AND u.lease_until >= moment, false);
              keys := b.keys;
              IF u.id IS NOT NULL THEN
                keys := keys || ARRAY (SELECT a.alias FROM unit_alias a WHERE a.unit_id = u.id);
              END IF;
              SELECT w.* INTO f FROM live_alias l JOIN unit w ON w.id = l.unit_id
              WHERE l.alias = ANY (keys) AND l.unit_id IS DISTINCT FROM u.id AND w.lease_until >= moment LIMIT 1;
              IF f.id IS NOT NULL THEN
                RETURN QUERY SELECT * FROM withheld(b.first,
                  CASE WHEN f.order_number = p_order THEN 'claimed' ELSE 'claimed-elsewhere' END, f, moment);
                CONTINUE;
              END IF;
              IF u.id IS NULL AND o.is_listed THEN
                RETURN QUERY SELECT * FROM withheld(b.first, 'not-in-order', u, moment);
                CONTINUE;
              ELSIF u.id IS NULL AND o.units >= coalesce(o.expected, (SELECT p.units FROM policy p)) THEN
                RETURN QUERY SELECT * FROM withheld(b.first, 'full', u, moment);
                CONTINUE;
              END IF;
              -- A unit that the station already has is already counted as a golden unit.
              CONTINUE WHEN cardinality(candidates) >= room OR NOT is_own AND taken >= fresh;
              IF NOT is_own THEN taken := taken + 1; END IF;
              IF u.id IS NULL THEN
                UPDATE work_order w SET units = w.units + 1 WHERE w.number = p_order RETURNING w.units INTO o.units;
                INSERT INTO unit (order_number, key, selector) VALUES (p_order, b.keys[1], b.keys[1]) RETURNING * INTO u;
                made := made || u.id;
              END IF;
              -- All other keys of the beacon belong to the unit from now on.
              INSERT INTO unit_alias (order_number, alias, unit_id)
              SELECT DISTINCT p_order, k, u.id FROM unnest(b.keys) k
              WHERE NOT EXISTS (SELECT FROM unit_alias a WHERE a.order_number = p_order AND a.alias = k)
              ORDER BY 2 LIMIT (SELECT greatest(0, 64 - count(*)) FROM unit_alias a WHERE a.unit_id = u.id)
              ON CONFLICT DO NOTHING;
              candidates := candidates || u.id;
              asked := asked || b.first;
              aliases := aliases || b.keys;
              owners := owners || array_fill(u.id, ARRAY[cardinality(b.keys)]);
            END LOOP;
          END IF;

          granted := secure(NULLIF(candidates, '{}'), aliases, owners, moment);
          RETURN QUERY
            WITH taken AS (
              UPDATE unit w SET state = 'claimed', epoch = w.epoch + 1, attempts = w.attempts + 1, station = p_station,
                lease_until = moment + lease * interval '1 millisecond', changed = moment
              WHERE w.id = ANY (granted) RETURNING w.*)
            SELECT 'grant', t.key, t.epoch, lease, t.attempts > 1, t.selector, t.slot,
              coalesce(asked[array_position(candidates, t.id)], t.key), NULL::text, NULL::text, NULL::text, NULL::bigint, NULL::text, NULL::text, NULL::integer, NULL::text, NULL::text, NULL::bigint, NULL::boolean
            FROM taken t ORDER BY array_position(granted, t.id);
          -- The answer for units that were not granted, because another station has just got them.
          IF p_keys IS NOT NULL AND cardinality(granted) < cardinality(candidates) THEN
            FOR u IN SELECT w.* FROM unit w WHERE w.id = ANY (candidates) AND w.id <> ALL (granted) LOOP
              SELECT w.* INTO f FROM live_alias l JOIN unit w ON w.id = l.unit_id
              WHERE l.unit_id <> u.id AND w.lease_until >= moment AND l.alias IN (
                SELECT a.alias FROM unit_alias a WHERE a.unit_id = u.id
                UNION ALL SELECT x.alias FROM unnest(aliases, owners) x(alias, owner) WHERE x.owner = u.id) LIMIT 1;
              CONTINUE WHEN f.id IS NULL;
              RETURN QUERY SELECT * FROM withheld(asked[array_position(candidates, u.id)],
                CASE WHEN f.order_number = p_order THEN 'claimed' ELSE 'claimed-elsewhere' END, f, moment);
            END LOOP;
          END IF;
          -- Removes new units of beacons that another order got.
          WITH gone AS (DELETE FROM unit w WHERE w.id = ANY (made) AND w.id <> ALL (granted) RETURNING w.id)
          UPDATE work_order w SET units = w.units - g.n FROM (SELECT count(*)::integer AS n FROM gone) g
          WHERE w.number = p_order AND g.n > 0;
        END $$;

        -- A row 'withheld' of claim, with the station that has the unit, if any.
        CREATE FUNCTION withheld(p_key text, p_reason text, p_unit unit, p_moment timestamptz)
        RETURNS TABLE (kind text, key text, epoch bigint, lease_ms bigint, was_begun boolean, selector text, slot text, asked text,
          reason text, by_order text, by_station text, left_ms bigint, state text, held_reason text, expected integer,
          file_name text, file_sha256 text, catalogue_version bigint, with_beta boolean)
        LANGUAGE sql STABLE AS $$
          SELECT 'withheld', p_key, NULL::bigint, NULL::bigint, NULL::boolean, NULL::text, NULL::text, NULL::text, p_reason,
            p_unit.order_number, p_unit.station, (extract(epoch FROM p_unit.lease_until - p_moment) * 1000)::bigint,
            NULL::text, NULL::text, NULL::integer, NULL::text, NULL::text, NULL::bigint, NULL::boolean $$;

        -- A row for each given claim: the length of its lease from now; null if it is lost.
        CREATE FUNCTION renew(p_station text, p_incarnation uuid, p_orders text[], p_keys text[], p_epochs bigint[],
          p_lease_ms bigint)
        RETURNS TABLE (place bigint, lease_ms bigint)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        #variable_conflict use_column
        DECLARE lease bigint := granted_lease(p_lease_ms); held bigint[];
        BEGIN
          PERFORM require_station(p_station, p_incarnation);
          held := ARRAY (SELECT x.id FROM (
            SELECT u.id FROM unit u JOIN unnest(p_orders, p_keys, p_epochs) c(o, k, e)
              ON u.order_number = c.o AND u.key = c.k AND u.epoch = c.e
            WHERE u.state = 'claimed' AND u.station = p_station
            ORDER BY u.id FOR UPDATE OF u) x);
          UPDATE unit SET lease_until = clock_timestamp() + lease * interval '1 millisecond' WHERE id = ANY (held);
          RETURN QUERY
            SELECT c.n, CASE WHEN u.id IS NULL THEN NULL ELSE lease END
            FROM unnest(p_orders, p_keys, p_epochs) WITH ORDINALITY c(o, k, e, n)
            LEFT JOIN unit u ON u.order_number = c.o AND u.key = c.k AND u.epoch = c.e AND u.id = ANY (held)
            ORDER BY c.n;
        END $$;

        CREATE FUNCTION release(p_station text, p_incarnation uuid, p_orders text[], p_keys text[], p_epochs bigint[])
        RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        DECLARE held bigint[];
        BEGIN
          PERFORM require_station(p_station, p_incarnation);
          held := ARRAY (SELECT x.id FROM (
            SELECT u.id FROM unit u JOIN unnest(p_orders, p_keys, p_epochs) c(o, k, e)
              ON u.order_number = c.o AND u.key = c.k AND u.epoch = c.e
            WHERE u.state = 'claimed' AND u.station = p_station
            ORDER BY u.id FOR UPDATE OF u) x);
          UPDATE unit SET state = 'waiting', lease_until = NULL, changed = clock_timestamp() WHERE id = ANY (held);
          DELETE FROM live_alias WHERE unit_id = ANY (held);
          PERFORM pg_notify('beacon_dfu', 'order ' || w.number) FROM work_order w WHERE w.number = ANY (p_orders);
        END $$;
        """
}
