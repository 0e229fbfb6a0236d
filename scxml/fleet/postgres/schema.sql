-- The tables of a store, in a schema of their own. Keys, names and texts are bytes: they are compared
-- as such, whatever the collation of the database is.

CREATE TABLE store (
	format   integer NOT NULL,
	id       bigint  NOT NULL, -- random: tells this store from any other
	accepted bigint  NOT NULL, -- events, by hosts that have left
	sessions bigint  NOT NULL  -- that they have created, less those that they have deleted
);

CREATE SEQUENCE revision;

CREATE TABLE sessions (
	key      bytea   PRIMARY KEY,
	revision bigint  NOT NULL, -- 0 while the transaction that creates the record continues
	accepted bigint  NOT NULL DEFAULT 0,
	wake     bigint, -- Unix time in nanoseconds; NULL is never
	pending  boolean NOT NULL DEFAULT false,
	chart    bytea   NOT NULL DEFAULT '',
	hash     bytea   NOT NULL DEFAULT '',
	status   bytea   NOT NULL DEFAULT '',
	entries  integer NOT NULL DEFAULT 0, -- of the log
	sum      integer NOT NULL DEFAULT 0, -- CRC-32C of the record
	body     bytea   NOT NULL DEFAULT ''
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE sessions ALTER body SET STORAGE EXTERNAL;
CREATE INDEX sessions_wake ON sessions (wake, key) WHERE wake IS NOT NULL;
CREATE INDEX sessions_pending ON sessions (key) WHERE pending;

CREATE TABLE log (
	key      bytea   NOT NULL,
	revision bigint  NOT NULL,
	sum      integer NOT NULL,
	body     bytea   NOT NULL,
	PRIMARY KEY (key, revision)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE log ALTER body SET STORAGE EXTERNAL;

CREATE TABLE files (
	name bytea   PRIMARY KEY,
	sum  integer NOT NULL,
	body bytea   NOT NULL
);

-- A host is a process that writes, or a series of them with the same watermark. Each transaction that
-- writes counts in the row of its host. So the row tells, after a connection was lost, whether its last
-- transaction has happened; and a process that adds to commits makes sure that it no longer will.
CREATE TABLE hosts (
	id       bigint PRIMARY KEY,
	owner    bigint NOT NULL, -- random: the process
	commits  bigint NOT NULL,
	accepted bigint NOT NULL, -- events
	sessions bigint NOT NULL, -- created, less those deleted
	used     timestamptz NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 1000);

-- counted returns the number of sessions.
CREATE FUNCTION counted() RETURNS bigint LANGUAGE sql STABLE AS $$
	SELECT store.sessions + (SELECT coalesce(sum(hosts.sessions), 0) FROM hosts)::bigint FROM store
$$;

-- wrote counts a transaction of a host that has made so many commits before.
CREATE FUNCTION wrote(_host bigint, _commits bigint, _accepted bigint, _sessions bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	UPDATE hosts SET commits = commits + 1, accepted = accepted + _accepted, sessions = sessions + _sessions, used = now()
		WHERE id = _host AND commits = _commits;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'another process has taken the place of this one' USING ERRCODE = 'SX001';
	END IF;
END $$;

-- swap carries out changes, which are in the order of their keys: transactions that lock the same
-- records do so in the same order. For each it returns the new revision (1 for a deletion), 0 if another
-- revision is stored, or the negative number of events that have been accepted if that is too high; and
-- whether the session has something to do now, or sooner than before. Count is the number of all sessions
-- if it has changed.
CREATE FUNCTION swap(
	_host bigint, _commits bigint,
	_keys bytea[], _olds bigint[], _removes boolean[], _accepted bigint[], _wakes bigint[], _pending boolean[],
	_charts bytea[], _hashes bytea[], _statuses bytea[], _sums integer[], _bodies bytea[],
	_logs bytea[], _logsums integer[], _keep integer[],
	OUT results bigint[], OUT hints boolean[], OUT gained bigint, OUT count bigint
) LANGUAGE plpgsql AS $$
DECLARE
	c record; -- a change
	r record; -- what it replaces
	result bigint;
	hint boolean;
	remain integer; -- entries of the log
	changed boolean := false;
	born bigint := 0; -- sessions that are created, less those that are deleted
BEGIN
	gained := 0;
	FOR c IN SELECT * FROM unnest(_keys, _olds, _removes, _accepted, _wakes, _pending, _charts, _hashes, _statuses, _sums, _bodies, _logs, _logsums, _keep)
		AS c(key, old, remove, accepted, wake, pending, chart, hash, status, sum, body, log, logsum, keep)
	LOOP
		result := 0;
		hint := false;
		IF c.old = 0 THEN
			INSERT INTO sessions (key, revision) VALUES (c.key, 0) ON CONFLICT DO NOTHING;
			IF NOT FOUND THEN -- the revision 0 of another transaction cannot be seen
				results := results || result;
				hints := hints || hint;
				CONTINUE;
			END IF;
		END IF;
		SELECT accepted, wake, entries INTO r FROM sessions WHERE key = c.key AND revision = c.old;
		IF NOT FOUND THEN
			NULL;
		ELSIF c.remove THEN
			DELETE FROM sessions WHERE key = c.key AND revision = c.old;
			IF FOUND THEN
				DELETE FROM log WHERE key = c.key;
				result := 1;
				born := born - 1;
			END IF;
		ELSIF c.accepted < r.accepted THEN
			result := -r.accepted;
		ELSE
			remain := r.entries;
			IF c.log IS NOT NULL THEN
				remain := CASE WHEN c.keep > 0 THEN least(r.entries + 1, c.keep) ELSE r.entries + 1 END;
			END IF;
			-- The revision comes from the sequence after the record is known to have the one before, or
			-- is ours alone: so it is above it, and above those of records that were deleted.
			UPDATE sessions SET revision = nextval('revision'), accepted = c.accepted, wake = c.wake, pending = c.pending,
					chart = c.chart, hash = c.hash, status = c.status, entries = remain, sum = c.sum, body = c.body
				WHERE key = c.key AND revision = c.old RETURNING revision INTO result;
			IF NOT FOUND THEN
				result := 0;
			ELSE
				gained := gained + c.accepted - r.accepted;
				IF c.old = 0 THEN
					born := born + 1;
				END IF;
				hint := c.pending OR c.wake IS NOT NULL AND (r.wake IS NULL OR c.wake < r.wake);
				IF c.log IS NOT NULL THEN
					INSERT INTO log VALUES (c.key, result, c.logsum, c.log);
					IF remain <= r.entries THEN
						DELETE FROM log WHERE key = c.key AND revision IN
							(SELECT revision FROM log WHERE key = c.key ORDER BY revision LIMIT r.entries + 1 - remain);
					END IF;
				END IF;
			END IF;
		END IF;
		changed := changed OR result > 0;
		results := results || result;
		hints := hints || hint;
	END LOOP;
	IF changed THEN
		PERFORM wrote(_host, _commits, gained, born);
	END IF;
	IF born <> 0 THEN
		count := counted();
	END IF;
END $$;

-- put_file stores a file, or removes it if the body is NULL.
CREATE FUNCTION put_file(_host bigint, _commits bigint, _name bytea, _sum integer, _body bytea) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	IF _body IS NULL THEN
		DELETE FROM files WHERE name = _name;
	ELSE
		INSERT INTO files VALUES (_name, _sum, _body) ON CONFLICT (name) DO UPDATE SET sum = excluded.sum, body = excluded.body;
	END IF;
	PERFORM wrote(_host, _commits, 0, 0);
END $$;
