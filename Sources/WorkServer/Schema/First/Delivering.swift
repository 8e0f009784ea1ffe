extension WorkServerSchema {
    /// The functions that decide when an order is held, and when it is done.
    ///
    /// Only results since the last release count, because the person who released the order knew the earlier failures.
    /// A unit that needed no update, or that ended with a bench error, does not count as tried. The same cause counts
    /// for failed units and for bench errors. (`OutcomeWindow` has the same rules.)
    static let judging = """
        CREATE FUNCTION hold(p_order text, p_code text, p_reason text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE work_order SET state = 'held', held_code = p_code, held_reason = p_reason
          WHERE number = p_order AND state IN ('golden', 'open');
          IF NOT FOUND THEN RETURN; END IF;
          PERFORM note('order-held', p_order, NULL, p_code || ': ' || p_reason);
          PERFORM pg_notify('beacon_dfu', 'order ' || p_order);
        END $$;

        -- The number of last results of tried units, and how many of these have failed.
        CREATE FUNCTION last_tried(o work_order, p_most integer, OUT tried bigint, OUT failed bigint) LANGUAGE sql STABLE AS $$
          SELECT count(*), count(*) FILTER (WHERE outcome <> 'passed') FROM (
            SELECT outcome FROM result
            WHERE order_number = o.number AND standing = 'current' AND number > o.judged_from
              AND outcome IN ('passed', 'failed', 'unknown')
            ORDER BY number DESC LIMIT p_most) x $$;

        -- Whether an order is done: it has all expected units, and each is on its firmware. Its row is locked.
        CREATE FUNCTION is_finished(o work_order) RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN
          IF o.state NOT IN ('golden', 'open', 'held') OR o.expected IS NULL AND NOT o.is_listed
            OR o.units < coalesce(o.expected, 1)
            OR EXISTS (SELECT FROM unit WHERE order_number = o.number AND state <> 'verified')
          THEN RETURN false; END IF;
          UPDATE work_order SET state = 'done', held_code = NULL, held_reason = NULL WHERE number = o.number;
          PERFORM note('order-done', o.number, NULL, NULL);
          PERFORM pg_notify('beacon_dfu', 'order ' || o.number);
          RETURN true;
        END $$;

        -- Evaluates an order, whose row is locked, after a current result.
        CREATE FUNCTION judge(p_order text, p_outcome text, p_code text, p_key text) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE o work_order; many integer; span integer; x record; same bigint; passed bigint;
        BEGIN
          SELECT * INTO o FROM work_order WHERE number = p_order;
          IF p_outcome IN ('passed', 'not-needed') THEN
            IF is_finished(o) THEN RETURN; END IF;
          ELSIF o.state = 'done' AND p_outcome IN ('failed', 'unknown') THEN
            -- A verified unit has failed since, under the same claim.
            UPDATE work_order SET state = 'open' WHERE number = p_order;
            o.state := 'open';
          END IF;
          IF o.state = 'golden' THEN
            IF p_outcome IN ('failed', 'unknown') THEN
              PERFORM hold(p_order, 'golden-failed', format('golden unit %s did not pass%s', p_key,
                coalesce(': ' || p_code, '')));
              RETURN;
            END IF;
            SELECT count(*) INTO passed FROM unit WHERE order_number = p_order AND state = 'verified' AND outcome = 'passed';
            IF passed >= o.golden THEN
              PERFORM hold(p_order, 'golden-passed', format('%s golden units have passed: the others wait for a release', passed));
              RETURN;
            END IF;
          END IF;
          IF o.state NOT IN ('golden', 'open') OR p_outcome NOT IN ('failed', 'unknown', 'error') THEN RETURN; END IF;
          many := (o.stop_rule ->> 'consecutive')::integer;
          IF many IS NOT NULL AND p_outcome <> 'error' THEN
            SELECT * INTO x FROM last_tried(o, many);
            IF x.tried >= many AND x.failed = x.tried THEN
              PERFORM hold(p_order, 'consecutive-failures', format('%s units in a row have failed', many));
              RETURN;
            END IF;
          END IF;
          many := (o.stop_rule ->> 'failures')::integer;
          span := (o.stop_rule ->> 'of_last')::integer;
          IF many IS NOT NULL AND p_outcome <> 'error' THEN
            SELECT * INTO x FROM last_tried(o, span);
            IF x.failed >= many THEN
              PERFORM hold(p_order, 'failure-share', format('%s of the last %s units have failed', x.failed, span));
              RETURN;
            END IF;
          END IF;
          many := (o.stop_rule ->> 'same_cause')::integer;
          IF many IS NOT NULL AND p_code IS NOT NULL THEN
            SELECT count(*) INTO same FROM result r
            WHERE r.order_number = p_order AND r.standing = 'current' AND r.number > o.judged_from AND r.code = p_code
              AND r.outcome IN ('failed', 'unknown', 'error');
            IF same >= many THEN
              PERFORM hold(p_order, 'same-cause', format('%s units have ended for the same reason: %s', same, p_code));
            END IF;
          END IF;
        END $$;
        """

    /// The functions that store or refuse each delivered result.
    static let delivering = """
        -- One result of a station; its journal row, order and unit are locked. Refusals are answers, not errors.
        CREATE FUNCTION deliver_one(p_station text, p_incarnation uuid, p_id text, p_sequence bigint, p_order text, p_key text,
          p_epoch bigint, p_outcome text, p_code text, p_body text, p_sha256 text, p_observed_ms bigint,
          OUT answer text, OUT standing text, OUT code text, OUT message text)
        LANGUAGE plpgsql AS $$
        DECLARE known result; u unit; given uuid; digest bytea; tally integer; is_kept boolean; is_failed boolean; told_run text;
        BEGIN
          answer := 'refused';
          code := 'result-unusable';
          IF p_id IS NULL OR p_id !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN
            message := 'its id is not a UUID';
          ELSIF coalesce(p_sequence, 0) < 1 THEN
            message := 'its sequence number is below 1';
          ELSIF p_sha256 IS NULL OR p_sha256 !~ '^[0-9a-f]{64}$' THEN
            message := 'its hash is not a SHA-256';
          ELSIF p_body IS NULL OR octet_length(p_body) > 1048576 THEN
            code := 'result-too-large';
            message := 'its body is missing, or has more than 1048576 bytes';
          ELSIF sha256(convert_to(p_body, 'UTF8')) <> decode(p_sha256, 'hex') THEN
            message := 'its body does not match its hash';
          ELSIF NOT is_object(p_body) THEN
            message := 'its body is not a JSON object';
          ELSIF p_key IS NULL OR octet_length(p_key) > 255 OR octet_length(p_order) > 255 OR octet_length(p_code) > 255 THEN
            message := 'its key, order or code is missing or too long';
          ELSIF p_epoch NOT BETWEEN 0 AND 1000000000 THEN
            message := 'its epoch is out of range';
          ELSIF p_outcome IS NULL OR p_outcome NOT IN ('passed', 'failed', 'error', 'not-needed', 'skipped', 'aborted', 'unknown') THEN
            message := format('its outcome %s is unknown to this work server', p_outcome);
          END IF;
          IF message IS NOT NULL THEN RETURN; END IF;
          given := p_id::uuid;
          digest := decode(p_sha256, 'hex');

          SELECT * INTO known FROM result r WHERE r.id = given;
          IF FOUND THEN
            IF known.sha256 = digest THEN
              answer := 'duplicate';
              standing := known.standing;
              code := NULL;
            ELSE
              code := 'result-id-conflict';
              message := 'a result with this id but other content was stored before';
            END IF;
            RETURN;
          END IF;
          IF EXISTS (SELECT FROM result r WHERE r.incarnation = p_incarnation AND r.sequence = p_sequence) THEN
            code := 'sequence-conflict';
            message := format('another result of this journal has number %s: the journal was copied', p_sequence);
            RETURN;
          END IF;

          SELECT w.* INTO u FROM unit_alias a JOIN unit w ON w.id = a.unit_id
          WHERE a.order_number = p_order AND a.alias = normal_key(p_key);
          standing := CASE
            WHEN u.id IS NULL THEN 'unplanned'
            -- A unit that was never claimed accepts results without a claim.
            WHEN coalesce(p_epoch, 0) = u.epoch AND (u.epoch = 0 OR u.station = p_station) THEN 'current'
            -- A claim that the work server has lost, for example in a failover, counts as the latest, unless a station
            -- has the unit now or another station has reported it: which of the two was later is unknown. A number that
            -- is far higher is not a claim of any work server.
            WHEN p_epoch > u.epoch AND p_epoch - u.epoch <= 1000 AND (u.outcome IS NULL OR u.station = p_station)
              AND (u.state <> 'claimed' OR u.lease_until < clock_timestamp()) THEN 'current'
            ELSE 'late' END;
          INSERT INTO result (id, station, incarnation, sequence, order_number, key, epoch, outcome, code, body, sha256, observed, standing)
          VALUES (given, p_station, p_incarnation, p_sequence, p_order, p_key, p_epoch, p_outcome, p_code, p_body::json, digest,
            moment(p_observed_ms), standing);
          answer := 'stored';
          code := NULL;
          IF standing <> 'current' THEN RETURN; END IF;

          tally := u.failures + (p_outcome IN ('failed', 'unknown'))::integer;
          is_failed := p_outcome IN ('failed', 'unknown')
            AND tally >= (SELECT w.attempts FROM work_order w WHERE w.number = p_order);
          -- A bench error does not change a unit that had ended.
          is_kept := p_outcome IN ('error', 'aborted', 'skipped') AND u.state IN ('verified', 'failed');
          -- The run, if it has sent the image from the beginning.
          told_run := CASE WHEN told(p_body::json, 'times_sent', false) ~ '^[1-9]' THEN told(p_body::json, 'run', false) END;
          UPDATE unit SET lease_until = NULL, failures = tally, changed = clock_timestamp(),
            has_failed = u.has_failed OR p_outcome IN ('failed', 'unknown'),
            is_repeated = u.is_repeated OR coalesce(told(p_body::json, 'first_pass', false) = 'false', false)
              OR coalesce(told_run <> u.sent_in, false),
            sent_in = coalesce(told_run, u.sent_in),
            is_retried = u.is_retried AND NOT is_failed AND p_outcome NOT IN ('passed', 'not-needed'),
            epoch = greatest(u.epoch, coalesce(p_epoch, 0)), station = CASE WHEN p_epoch > u.epoch THEN p_station ELSE u.station END,
            outcome = CASE WHEN is_kept THEN u.outcome ELSE p_outcome END, code = CASE WHEN is_kept THEN u.code ELSE p_code END,
            state = CASE
              WHEN p_outcome IN ('passed', 'not-needed') THEN 'verified'
              WHEN is_kept THEN u.state
              WHEN is_failed THEN 'failed'
              ELSE 'waiting' END
          WHERE id = u.id;
          DELETE FROM live_alias WHERE unit_id = u.id;
          PERFORM judge(p_order, p_outcome, p_code, u.key);
        END $$;

        -- A row for each result, in their order. Accepts results of every known station, whatever its protocol.
        CREATE FUNCTION deliver(p_station text, p_incarnation uuid, p_ids text[], p_sequences bigint[], p_orders text[],
          p_keys text[], p_epochs bigint[], p_outcomes text[], p_codes text[], p_bodies text[], p_sha256 text[],
          p_observed_ms bigint[])
        RETURNS TABLE (place bigint, answer text, standing text, code text, message text)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        #variable_conflict use_column
        DECLARE r record; a record; reached bigint; top bigint; again bigint[] := '{}';
        BEGIN
          -- Element n of each array belongs to the same result: all have the same length.
          IF p_ids IS NULL OR cardinality(p_ids) > 1000 OR EXISTS (
            SELECT FROM unnest(ARRAY[cardinality(p_sequences), cardinality(p_orders), cardinality(p_keys), cardinality(p_epochs),
              cardinality(p_outcomes), cardinality(p_codes), cardinality(p_bodies), cardinality(p_sha256),
              cardinality(p_observed_ms)]) x(many)
            WHERE x.many IS DISTINCT FROM cardinality(p_ids))
          THEN
            PERFORM refuse('result-unusable', 'the arrays of results differ in length, or have more than 1000 elements',
              'deliver at most 1000 results at a time, each with all its values');
          END IF;
          PERFORM require_station(p_station, p_incarnation);
          PERFORM count_results(p_station, cardinality(p_ids), (SELECT coalesce(sum(octet_length(b)), 0) FROM unnest(p_bodies) b));
          SELECT j.contiguous, j.highest INTO reached, top FROM journal j WHERE j.incarnation = p_incarnation FOR NO KEY UPDATE;
          PERFORM 1 FROM work_order o WHERE o.number = ANY (p_orders) ORDER BY o.number FOR NO KEY UPDATE;
          PERFORM 1 FROM unit u WHERE u.id IN (
            SELECT ua.unit_id FROM unnest(p_orders, p_keys) x(o, k)
            JOIN unit_alias ua ON ua.order_number = x.o AND ua.alias = normal_key(x.k))
          ORDER BY u.id FOR UPDATE;
          FOR r IN
            SELECT * FROM unnest(p_ids, p_sequences, p_orders, p_keys, p_epochs, p_outcomes, p_codes, p_bodies, p_sha256,
              p_observed_ms) WITH ORDINALITY x(id, sequence, o, k, e, outcome, code, body, sha256, observed, n)
            ORDER BY x.n
          LOOP
            BEGIN
              SELECT * INTO a FROM deliver_one(p_station, p_incarnation, r.id, r.sequence, r.o, r.k, r.e, r.outcome, r.code, r.body,
                r.sha256, r.observed) x;
            EXCEPTION
            WHEN unique_violation THEN
              -- The same result has just arrived over another connection.
              SELECT * INTO a FROM deliver_one(p_station, p_incarnation, r.id, r.sequence, r.o, r.k, r.e, r.outcome, r.code, r.body,
                r.sha256, r.observed) x;
            WHEN data_exception OR integrity_constraint_violation OR program_limit_exceeded THEN
              SELECT 'refused' AS answer, NULL::text AS standing, 'result-unusable' AS code, SQLERRM AS message INTO a;
            END;
            IF a.answer = 'refused' AND r.sequence > 0 THEN
              INSERT INTO refused_result (station, incarnation, sequence, id, code, message)
              VALUES (p_station, p_incarnation, r.sequence, left(coalesce(r.id, ''), 64), a.code, left(a.message, 2000))
              ON CONFLICT DO NOTHING;
            END IF;
            top := greatest(top, CASE WHEN a.answer <> 'duplicate' THEN r.sequence END);
            -- A result that was stored under an earlier journal's number is settled as well.
            IF a.answer = 'duplicate' THEN again := again || r.sequence; END IF;
            RETURN QUERY SELECT r.n, a.answer, a.standing, a.code, a.message;
          END LOOP;
          -- Refused results are settled as well: they are not requested again.
          WHILE EXISTS (SELECT FROM result x WHERE x.incarnation = p_incarnation AND x.sequence = reached + 1)
            OR EXISTS (SELECT FROM refused_result x WHERE x.incarnation = p_incarnation AND x.sequence = reached + 1)
            OR reached + 1 = ANY (again)
          LOOP
            reached := reached + 1;
          END LOOP;
          UPDATE journal j SET contiguous = reached, highest = top
          WHERE j.incarnation = p_incarnation AND (j.contiguous, j.highest) IS DISTINCT FROM (reached, top);
          PERFORM pg_notify('beacon_dfu', 'results ' || x.number)
          FROM (SELECT w.number FROM work_order w WHERE w.number = ANY (p_orders)) x;
        END $$;
        """
}
