extension WorkServerSchema {
    /// The tables of files by their hash, and of the catalogues that contain them.
    static let files = """
        CREATE TABLE blob (
          sha256 bytea PRIMARY KEY CHECK (sha256 = sha256(body)),
          body bytea NOT NULL CHECK (octet_length(body) <= 16777216),
          added timestamptz NOT NULL DEFAULT clock_timestamp()
        );
        -- Firmware is already compressed.
        ALTER TABLE blob ALTER COLUMN body SET STORAGE EXTERNAL;

        CREATE TABLE catalogue_version (
          version bigint PRIMARY KEY,
          published timestamptz NOT NULL DEFAULT clock_timestamp(),
          published_by name NOT NULL DEFAULT session_user,
          -- The number of its seal, 0 without a seal; and a hash of all other files.
          seal_number bigint NOT NULL DEFAULT 0,
          content bytea,
          recall text,
          recalled timestamptz
        );
        CREATE TABLE catalogue_file (
          version bigint NOT NULL REFERENCES catalogue_version,
          path text NOT NULL CHECK (path <> '' AND octet_length(path) <= 1024 AND path !~ '(^|/)([.]{0,2})(/|$)' AND path !~ '[\\\\]'),
          sha256 bytea NOT NULL REFERENCES blob,
          PRIMARY KEY (version, path)
        );
        CREATE TABLE recalled_file (
          sha256 bytea PRIMARY KEY CHECK (octet_length(sha256) = 32),
          why text NOT NULL,
          recalled timestamptz NOT NULL DEFAULT clock_timestamp(),
          recalled_by name NOT NULL DEFAULT session_user
        );

        -- The bytes of a hash in hexadecimal.
        CREATE FUNCTION hash(p_hex text) RETURNS bytea LANGUAGE plpgsql IMMUTABLE AS $$
        BEGIN
          IF p_hex IS NULL THEN RETURN NULL; END IF;
          IF p_hex !~ '^[0-9a-fA-F]{64}$' THEN PERFORM refuse('hash-unusable', 'a SHA-256 has 64 hexadecimal digits'); END IF;
          RETURN decode(p_hex, 'hex');
        END $$;

        CREATE FUNCTION is_object(p_text text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
        BEGIN
          RETURN json_typeof(p_text::json) = 'object';
        EXCEPTION WHEN data_exception OR program_limit_exceeded THEN RETURN false;
        END $$;
        """

    static let publishing = """
        CREATE FUNCTION put_file(p_body bytea) RETURNS text
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        BEGIN
          IF p_body IS NULL OR octet_length(p_body) > 16777216 THEN
            PERFORM refuse('file-too-large', 'a file may have at most 16 MiB');
          END IF;
          INSERT INTO blob (sha256, body) VALUES (sha256(p_body), p_body) ON CONFLICT DO NOTHING;
          RETURN encode(sha256(p_body), 'hex');
        END $$;

        -- A catalogue whose seal number is lower than a published one's is refused unless p_older.
        CREATE FUNCTION publish_catalogue(p_paths text[], p_sha256 text[], p_older boolean DEFAULT false) RETURNS bigint
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        DECLARE v bigint; n bigint; c bytea; latest catalogue_version;
        BEGIN
          IF coalesce(cardinality(p_paths), 0) = 0 OR cardinality(p_paths) IS DISTINCT FROM cardinality(p_sha256) THEN
            PERFORM refuse('catalogue-unusable', 'a catalogue needs at least one file, and a hash for each');
          END IF;
          -- Versions have no gaps: only one transaction publishes at a time.
          LOCK TABLE catalogue_version IN SHARE ROW EXCLUSIVE MODE;
          SELECT coalesce(max(version), 0) + 1 INTO v FROM catalogue_version;
          SELECT substring(encode(b.body, 'escape') from '(?n)^counter: ([0-9]{1,18})$')::bigint INTO n
          FROM unnest(p_paths, p_sha256) f(path, sha256) JOIN blob b ON b.sha256 = hash(f.sha256) WHERE f.path = 'catalogue.seal';
          n := coalesce(n, 0);
          SELECT sha256(convert_to(string_agg(f.path || ' ' || lower(f.sha256), E'\\n' ORDER BY f.path COLLATE "C"), 'UTF8')) INTO c
          FROM unnest(p_paths, p_sha256) f(path, sha256) WHERE f.path <> 'catalogue.seal';
          SELECT * INTO latest FROM catalogue_version w ORDER BY w.seal_number DESC, w.version DESC LIMIT 1;
          IF NOT coalesce(p_older, false) AND latest.seal_number > n THEN
            PERFORM refuse('catalogue-rolled-back', format(
              'the seal of the catalogue has number %s, but that of version %s has %s', n, latest.version, latest.seal_number));
          ELSIF NOT coalesce(p_older, false) AND n > 0 AND latest.seal_number = n AND latest.content IS DISTINCT FROM c THEN
            PERFORM refuse('catalogue-number-reused', format(
              'the seal of the catalogue has number %s like that of version %s, but the files differ', n, latest.version));
          END IF;
          INSERT INTO catalogue_version (version, seal_number, content) VALUES (v, n, c);
          BEGIN
            INSERT INTO catalogue_file SELECT v, f.path, hash(f.sha256) FROM unnest(p_paths, p_sha256) f(path, sha256);
          EXCEPTION
            WHEN foreign_key_violation THEN PERFORM refuse('file-unknown', 'the work server does not have all files of the catalogue');
            WHEN check_violation OR unique_violation OR not_null_violation THEN
              PERFORM refuse('catalogue-unusable', 'the paths of a catalogue must be relative, inside its folder, and unique');
          END;
          PERFORM note('catalogue-published', NULL, NULL, v::text);
          PERFORM pg_notify('beacon_dfu', 'catalogue ' || v);
          RETURN v;
        END $$;

        CREATE FUNCTION withdraw_catalogue(p_version bigint, p_why text) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        BEGIN
          UPDATE catalogue_version SET recall = coalesce(nullif(p_why, ''), 'no reason given'), recalled = clock_timestamp()
          WHERE version = p_version;
          IF NOT FOUND THEN PERFORM refuse('catalogue-unknown', format('there is no version %s of the catalogue', p_version)); END IF;
          PERFORM note('catalogue-withdrawn', NULL, NULL, format('%s: %s', p_version, p_why));
          PERFORM pg_notify('beacon_dfu', 'catalogue ' || p_version);
        END $$;

        CREATE FUNCTION recall_file(p_sha256 text, p_why text) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        BEGIN
          INSERT INTO recalled_file (sha256, why) VALUES (hash(p_sha256), coalesce(nullif(p_why, ''), 'no reason given'))
          ON CONFLICT (sha256) DO UPDATE SET why = excluded.why;
          PERFORM note('file-recalled', NULL, NULL, format('%s: %s', lower(p_sha256), p_why));
          PERFORM pg_notify('beacon_dfu', 'recall ' || lower(p_sha256));
        END $$;

        -- The latest catalogue, or that of a version: its row, its files, and every recalled file. No rows if there is
        -- none.
        CREATE FUNCTION catalogue(p_version bigint DEFAULT NULL)
        RETURNS TABLE (kind text, version bigint, path text, sha256 text, why text)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        #variable_conflict use_column
        DECLARE v catalogue_version;
        BEGIN
          IF p_version IS NULL THEN
            SELECT * INTO v FROM catalogue_version c ORDER BY c.version DESC LIMIT 1;
          ELSE
            SELECT * INTO v FROM catalogue_version c WHERE c.version = p_version;
            IF NOT FOUND THEN PERFORM refuse('catalogue-unknown', format('there is no version %s of the catalogue', p_version)); END IF;
          END IF;
          IF v.version IS NULL THEN RETURN; END IF;
          RETURN QUERY
            SELECT 'catalogue', v.version, NULL::text, NULL::text, v.recall
            UNION ALL
            (SELECT 'file', v.version, f.path, encode(f.sha256, 'hex'), NULL FROM catalogue_file f
             WHERE f.version = v.version ORDER BY f.path COLLATE "C")
            UNION ALL
            SELECT 'recalled', v.version, NULL, encode(r.sha256, 'hex'), r.why FROM recalled_file r;
        END $$;

        CREATE FUNCTION file(p_sha256 text) RETURNS bytea
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = beacon_dfu, pg_temp AS $$
        DECLARE b bytea;
        BEGIN
          SELECT body INTO b FROM blob WHERE sha256 = hash(p_sha256);
          IF NOT FOUND THEN PERFORM refuse('file-unknown', format('the work server has no file %s', p_sha256)); END IF;
          RETURN b;
        END $$;
        """
}
