// Package postgres keeps the sessions of a fleet in a database of PostgreSQL 12 or newer. It is the
// store for many machines, and for those who operate PostgreSQL already.
//
//	store, err := postgres.Open(ctx, "postgres://fleet@db.example.com/orders", postgres.Options{Watermark: "watermark"})
//	…
//	defer store.Close()
//	f, err := fleet.New(store, fleet.Config{}, …)
//
// Any number of processes may have a store open. It has a schema of its own, "scxml" unless the URL has
// a parameter "schema". The first Open creates it, for which the user needs the right to create schemas
// in the database, or a schema that is the user's own. All processes connect to the primary, and need a
// session each: a pooler such as PgBouncer must pool sessions, not transactions.
//
// The URL is that of libpq. The password is best left out of it: like libpq, the package takes it from
// PGPASSWORD or ~/.pgpass, other settings from PGHOST and its kind, and a service from
// ~/.pg_service.conf. With sslmode=verify-full and sslrootcert the server proves who it is.
//
// # Durability
//
// A change is durable when Commit returns: its transaction is, by the server's settings. Open refuses a
// server on which fsync, full_page_writes or synchronous_commit is off. The loss of the server's disk is
// survived if there is a synchronous replica (synchronous_standby_names). With an asynchronous one, a
// failover loses the last commits.
//
// Such a loss, or that of a backup put in place of a newer database, is noticed by each host that keeps a
// watermark (Options): a local file with the number of commits that it has made, which the database
// counts too. When the host connects and the database has fewer, every call fails with [fleet.ErrLost].
// A host notices the loss of its own commits only, and only with its file. To continue without what is
// missing, delete the file.
//
// Records, log entries and files have checksums, since those of PostgreSQL are off in most databases.
// What is damaged fails with [fleet.ErrCorrupt] when it is read.
//
// # Lost connections
//
// While the server cannot be reached, calls try again for ten seconds. If a connection is lost during a
// transaction, the store connects again and makes sure that the transaction has happened, or never will,
// before anything else: each one adds 1 to a count in the database, which must be as it was. One that
// has not happened is sent again. So a restart of the server delays commits, and most of the time no
// caller gets an error. A call that creates a session, and whose transaction was lost, returns when the
// server is back, and not before.
//
// # Speed
//
// Changes that wait are sent together, as one statement in one transaction, on one connection. Lists are
// read from indexes. With REPEATABLE READ or SERIALIZABLE as the default of the database nothing is
// gained: each record changes by compare and swap.
package postgres
