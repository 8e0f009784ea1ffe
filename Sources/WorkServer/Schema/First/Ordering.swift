extension WorkServerSchema {
    static let ordering = """
        CREATE FUNCTION order_to_change(p_number text, p_states text[]) RETURNS work_order LANGUAGE plpgsql AS $$
        DECLARE o work_order;
        BEGIN
          SELECT * INTO o FROM work_order WHERE number = p_number FOR UPDATE;
          IF NOT FOUND THEN PERFORM refuse('order-unknown', format('there is no order %s', p_number)); END IF;
          IF o.state <> ALL (p_states) THEN
            PERFORM refuse('order-state', format('order %s is %s: this requires an order that is %s', p_number, o.state,
              array_to_string(p_states, ' or ')));
          END IF;
          RETURN o;
        END $$;

        CREATE FUNCTION stop_rule(p_text text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
        DECLARE rule jsonb; member record;
        BEGIN
          IF NOT is_object(coalesce(p_text, '{}')) THEN PERFORM refuse('stop-rule-unusable', 'a stop rule is a JSON object'); END IF;
          rule := coalesce(p_text, '{}')::jsonb;
          FOR member IN SELECT * FROM jsonb_each(rule) LOOP
            IF member.key NOT IN ('consecutive', 'failures', 'of_last', 'same_cause') OR member.value::text !~ '^[1-9][0-9]{0,4}$' THEN
              PERFORM refuse('stop-rule-unusable', format('a stop rule cannot have %s %s', member.key, left(member.value::text, 40)),
                'its members are consecutive, failures with of_last, and same_cause; each is a number from 1');
            END IF;
          END LOOP;
          IF (rule ? 'failures') <> (rule ? 'of_last') OR (rule ->> 'failures')::integer > (rule ->> 'of_last')::integer THEN
            PERFORM refuse('stop-rule-unusable', 'failures and of_last must be given together, and failures must not exceed of_last');
          END IF;
          RETURN rule;
        END $$;

        CREATE FUNCTION create_order(p_number text, p_file_name text, p_file_sha256 text, p_catalogue_version bigint,
          p_with_beta boolean, p_expected integer, p_is_listed boolean, p_golden integer, p_attempts integer, p_stop_rule text)
        RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        DECLARE o work_order;
        BEGIN
          BEGIN
            INSERT INTO work_order (number, file_name, file_sha256, catalogue_version, with_beta, expected, is_listed, golden, attempts,
              stop_rule)
            VALUES (p_number, p_file_name, hash(p_file_sha256), p_catalogue_version, coalesce(p_with_beta, false), p_expected, p_is_listed,
              coalesce(p_golden, 0), coalesce(p_attempts, 1), stop_rule(p_stop_rule))
            RETURNING * INTO o;
          EXCEPTION
            WHEN unique_violation THEN PERFORM refuse('order-exists', format('order %s already exists', p_number));
            WHEN foreign_key_violation THEN
              PERFORM refuse(CASE WHEN p_file_sha256 IS NULL THEN 'catalogue-unknown' ELSE 'file-unknown' END,
                'the work server does not have the firmware of the order', 'upload the file or publish the catalogue first');
            WHEN check_violation OR not_null_violation THEN
              PERFORM refuse('order-unusable', format('order %s is invalid: %s', left(p_number, 255), SQLERRM));
          END;
          PERFORM require_not_recalled(o);
          PERFORM note('order-created', p_number, NULL, NULL);
        END $$;

        -- p_keys and p_of as in claim; selectors and slots have one element per unit.
        CREATE FUNCTION add_units(p_number text, p_keys text[], p_of integer[], p_selectors text[], p_slots text[]) RETURNS integer
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        DECLARE o work_order; b record; added integer := 0; unit_id bigint;
        BEGIN
          o := order_to_change(p_number, '{draft,golden,open,held}');
          FOR b IN
            SELECT x.unit, array_agg(normal_key(x.given) ORDER BY x.n) AS keys
            FROM unnest(p_keys, p_of) WITH ORDINALITY x(given, unit, n) GROUP BY x.unit ORDER BY x.unit
          LOOP
            BEGIN
              INSERT INTO unit (order_number, key, selector, slot)
              VALUES (p_number, b.keys[1], coalesce(p_selectors[b.unit + 1], b.keys[1]), p_slots[b.unit + 1])
              RETURNING id INTO unit_id;
              INSERT INTO unit_alias SELECT DISTINCT p_number, k, unit_id FROM unnest(b.keys) k ORDER BY 2;
            EXCEPTION
              WHEN unique_violation THEN
                PERFORM refuse('unit-exists', format('order %s already has a unit %s', p_number, b.keys[1]));
              WHEN check_violation OR not_null_violation OR program_limit_exceeded THEN
                PERFORM refuse('unit-unusable', format('%s is not a valid unit key', left(b.keys[1], 255)));
            END;
            added := added + 1;
          END LOOP;
          UPDATE work_order SET units = units + added WHERE number = p_number;
          IF o.units + added > o.expected THEN
            PERFORM refuse('order-full', format('order %s expects only %s units', p_number, o.expected));
          END IF;
          PERFORM note('units-added', p_number, NULL, added || ' units');
          PERFORM pg_notify('beacon_dfu', 'order ' || p_number);
          RETURN added;
        END $$;

        -- Removes units that no station works on: a neighbour's beacon that was claimed by mistake, or a unit whose
        -- bench has failed. Their results stay.
        CREATE FUNCTION remove_units(p_number text, p_keys text[], p_by text) RETURNS integer
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        DECLARE o work_order; removed integer;
        BEGIN
          o := order_to_change(p_number, '{draft,golden,open,held}');
          DELETE FROM unit WHERE order_number = p_number AND key = ANY (ARRAY (SELECT normal_key(k) FROM unnest(p_keys) k))
            AND (state IN ('waiting', 'failed') OR state = 'claimed' AND lease_until < clock_timestamp());
          GET DIAGNOSTICS removed = ROW_COUNT;
          UPDATE work_order SET units = units - removed WHERE number = p_number RETURNING * INTO o;
          PERFORM note('units-removed', p_number, p_by, removed || ' units');
          PERFORM pg_notify('beacon_dfu', 'order ' || p_number);
          PERFORM is_finished(o);
          RETURN removed;
        END $$;

        -- The expected number of units: fewer if some are missing permanently, more if the order grows.
        CREATE FUNCTION set_expected(p_number text, p_expected integer, p_by text) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        DECLARE o work_order;
        BEGIN
          o := order_to_change(p_number, '{draft,golden,open,held}');
          IF p_expected IS NULL OR p_expected < greatest(o.units, 1) THEN
            PERFORM refuse('expected-too-few', format('order %s has %s units and cannot expect %s', p_number, o.units,
              coalesce(p_expected::text, 'none')), 'remove units first: order remove');
          END IF;
          UPDATE work_order SET expected = p_expected WHERE number = p_number RETURNING * INTO o;
          PERFORM note('order-expects', p_number, p_by, p_expected || ' units');
          PERFORM pg_notify('beacon_dfu', 'order ' || p_number);
          PERFORM is_finished(o);
        END $$;

        -- Lets work begin or continue: with the golden units until enough of them have passed.
        CREATE FUNCTION release_order(p_number text, p_by text) RETURNS text
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        DECLARE o work_order; reached text;
        BEGIN
          o := order_to_change(p_number, '{draft,held}');
          IF coalesce(p_by, '') = '' THEN PERFORM refuse('person-missing', 'the name of the person who releases the order is missing'); END IF;
          IF o.is_listed AND o.units = 0 THEN
            PERFORM refuse('order-empty', format('order %s has no units', p_number), 'add its units first');
          END IF;
          PERFORM require_not_recalled(o);
          reached := CASE WHEN o.golden > (SELECT count(*) FROM unit WHERE order_number = p_number AND state = 'verified'
            AND outcome = 'passed') THEN 'golden' ELSE 'open' END;
          UPDATE work_order SET state = reached, held_code = NULL, held_reason = NULL, released_at = clock_timestamp(),
            released_by = left(p_by, 200),
            judged_from = coalesce((SELECT max(r.number) FROM result r WHERE r.order_number = p_number), 0)
          WHERE number = p_number;
          PERFORM note('order-released', p_number, p_by, nullif(o.held_code, '') || ': ' || o.held_reason);
          PERFORM pg_notify('beacon_dfu', 'order ' || p_number);
          RETURN reached;
        END $$;

        CREATE FUNCTION hold_order(p_number text, p_reason text, p_by text) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        BEGIN
          PERFORM order_to_change(p_number, '{golden,open}');
          PERFORM hold(p_number, 'asked', coalesce(nullif(p_reason, ''), 'no reason given'));
          PERFORM note('order-hold-asked', p_number, p_by, p_reason);
        END $$;

        CREATE FUNCTION cancel_order(p_number text, p_reason text, p_by text) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        BEGIN
          PERFORM order_to_change(p_number, '{draft,golden,open,held}');
          UPDATE work_order SET state = 'cancelled', held_code = NULL, held_reason = NULL WHERE number = p_number;
          PERFORM note('order-cancelled', p_number, p_by, p_reason);
          PERFORM pg_notify('beacon_dfu', 'order ' || p_number);
        END $$;

        -- Allows another attempt at failed units: those of p_keys, or all. Returns their number.
        CREATE FUNCTION retry_units(p_number text, p_keys text[], p_by text) RETURNS integer
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        DECLARE retried integer;
        BEGIN
          PERFORM order_to_change(p_number, '{golden,open,held}');
          UPDATE unit SET state = 'waiting', failures = 0, is_retried = true, changed = clock_timestamp()
          WHERE order_number = p_number AND state = 'failed'
            AND (p_keys IS NULL OR key = ANY (ARRAY (SELECT normal_key(k) FROM unnest(p_keys) k)));
          GET DIAGNOSTICS retried = ROW_COUNT;
          PERFORM note('units-retried', p_number, p_by, retried || ' units');
          PERFORM pg_notify('beacon_dfu', 'order ' || p_number);
          RETURN retried;
        END $$;
        """
}
