CREATE TABLE experiments (
	id    INTEGER PRIMARY KEY,
	name  TEXT NOT NULL UNIQUE,
	plan  TEXT NOT NULL, -- JSON: the latest plan that was added
	began TEXT NOT NULL  -- UTC, as 2026-11-22T21:55:00.123Z
);

CREATE TABLE instances (
	id     INTEGER PRIMARY KEY,
	sha256 TEXT NOT NULL,
	name   TEXT NOT NULL,
	path   TEXT NOT NULL, -- of the file, where it was named by path; else empty
	kind   TEXT NOT NULL, -- tsp, atsp, qap, ...
	size   INTEGER NOT NULL,
	best   REAL,          -- best known value; NULL: none is known
	ref    TEXT NOT NULL, -- JSON: all that a record says of an instance
	UNIQUE (ref)
);

CREATE TABLE settings ( -- what units have in common that differ in instance and seed only
	id         INTEGER PRIMARY KEY,
	experiment INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE,
	label      TEXT NOT NULL, -- of its rows in tables
	solver     TEXT NOT NULL,
	variant    TEXT NOT NULL,
	revision   INTEGER NOT NULL,
	backend    TEXT NOT NULL, -- cpu or cuda
	preset     TEXT NOT NULL,
	params     TEXT NOT NULL, -- JSON object: all parameters that bear on the result
	varied     TEXT NOT NULL, -- JSON object: those that the plan varies
	schedule   TEXT NOT NULL, -- JSON object: parameters of the schedule that were given
	device     INTEGER NOT NULL,
	budget     TEXT NOT NULL  -- JSON object: n, evaluations, wall, cpu
);
CREATE INDEX settings_of ON settings (experiment);

CREATE TABLE units (
	id         INTEGER PRIMARY KEY,
	experiment INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE,
	number     INTEGER NOT NULL, -- in its experiment, from 1 on
	key        BLOB NOT NULL,    -- SHA-256, 32 bytes
	setting    INTEGER NOT NULL REFERENCES settings,
	instance   INTEGER NOT NULL REFERENCES instances,
	seed       TEXT NOT NULL,    -- decimal; a 64-bit number without sign
	state      TEXT NOT NULL DEFAULT 'waiting', -- waiting, making, done, failed

	best        REAL,    -- NULL: there is none
	iterations  INTEGER,
	evaluations INTEGER, -- 0: not counted
	wall_s      REAL,
	cpu_s       REAL,
	digest      TEXT,    -- 16 hexadecimal digits
	why         TEXT,    -- what ended it early; empty: nothing
	error       TEXT,    -- empty: it did not fail
	optimum     REAL,    -- best known value when it was made
	gap         REAL,    -- percent
	ended       TEXT,    -- UTC
	machine     TEXT,
	device      TEXT,
	UNIQUE (experiment, number)
);
CREATE UNIQUE INDEX units_by_key ON units (experiment, key);
CREATE INDEX units_making ON units (experiment) WHERE state = 'making';

CREATE TABLE trace ( -- the best so far of a unit: first iteration, each new best, last iteration
	unit        INTEGER NOT NULL REFERENCES units ON DELETE CASCADE,
	iteration   INTEGER NOT NULL,
	evaluations INTEGER NOT NULL,
	wall_s      REAL NOT NULL,
	cpu_s       REAL NOT NULL,
	best        REAL NOT NULL,
	PRIMARY KEY (unit, iteration)
) WITHOUT ROWID;

CREATE TABLE solutions ( -- the best solution of a unit
	unit INTEGER PRIMARY KEY REFERENCES units ON DELETE CASCADE,
	kind TEXT NOT NULL, -- perm: numbers from 0 on, of 4 bytes; bits: 1 or -1, of 1 byte; real: of 8 bytes
	data BLOB NOT NULL  -- the numbers one after the other, the least byte first
);

CREATE TABLE journal ( -- what was done to experiments
	experiment INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE,
	at   TEXT NOT NULL, -- UTC, as began
	what TEXT NOT NULL  -- in words, as the plan of a line
);

CREATE VIEW results AS -- one row a unit, for people
SELECT e.name AS experiment, u.number, s.label, s.solver, s.variant, s.revision, s.backend,
	s.params, s.varied, s.budget, i.name AS instance, i.kind, i.size, u.seed, u.state,
	u.best, u.optimum, u.gap, u.iterations, u.evaluations, u.wall_s, u.cpu_s, u.why, u.error,
	u.ended, u.machine, u.device, lower(hex(u.key)) AS key, u.id AS unit
FROM units u
JOIN experiments e ON e.id = u.experiment
JOIN settings s ON s.id = u.setting
JOIN instances i ON i.id = u.instance;
