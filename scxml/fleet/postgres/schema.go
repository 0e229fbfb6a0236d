package postgres

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/jackc/pgx/v5"
)

//go:embed schema.sql
var schema string

// format is the version of the schema.
const format = 1

// errNoStore says that a schema has no store.
var errNoStore = errors.New("it has no store")

// prepare makes the store in the schema of a connection, unless it is there.
func prepare(ctx context.Context, conn *pgx.Conn, name string) error {
	if _, err := readStore(ctx, conn); !errors.Is(err, errNoStore) {
		return err
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		// Processes that start at the same time wait for one another.
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtext($1))", "scxml "+name); err != nil {
			return err
		}
		// First the schema: a lookup alone, such as to_regclass, may answer from a cache that does not know
		// yet what another process has made while this one waited. A user who may not create schemas may not
		// even do so IF NOT EXISTS.
		var exists bool
		if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)", name).Scan(&exists); err != nil {
			return err
		}
		if !exists {
			if _, err := tx.Exec(ctx, "CREATE SCHEMA "+pgx.Identifier{name}.Sanitize()); err != nil {
				return err
			}
		}
		if _, err := readStore(ctx, tx.Conn()); !errors.Is(err, errNoStore) {
			return err
		}
		if _, err := tx.Exec(ctx, schema, pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "INSERT INTO store VALUES ($1, $2, 0, 0)", format, rand.Int64())
		return err
	})
}

// readStore returns the id of the store in the schema of a connection.
func readStore(ctx context.Context, conn *pgx.Conn) (id int64, err error) {
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT to_regclass(current_setting('search_path') || '.store') IS NOT NULL").Scan(&exists); err != nil {
		return 0, err
	}
	if !exists {
		return 0, errNoStore
	}
	var version int
	if err := conn.QueryRow(ctx, "SELECT format, id FROM store").Scan(&version, &id); err != nil {
		return 0, err
	}
	if version != format {
		return 0, fmt.Errorf("the store has format %d, this program reads %d", version, format)
	}
	return id, nil
}
