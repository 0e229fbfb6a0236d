package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/watermark"
)

// Options say how a store is opened. The zero value works.
type Options struct {
	// Watermark is a local file that notes what the server has acknowledged to this host, so that Open
	// can tell that the server has forgotten some of it. "" keeps none.
	Watermark string
	// Unsafe accepts a server that loses acknowledged commits when it crashes, since fsync,
	// full_page_writes or synchronous_commit is off.
	Unsafe bool
	// Exclusive refuses a store that another process has open, and keeps others from opening it. If that
	// has failed in between, Close returns an error.
	Exclusive bool
	// ReadOnly refuses to create a store, or to write: it compares the watermark, if there is one.
	ReadOnly bool
}

// How long an operation keeps trying when the server cannot be reached, and how long a transaction may
// take.
const (
	patience    = 10 * time.Second
	pause       = 50 * time.Millisecond
	transaction = 30 * time.Second
)

// A Store is a [fleet.Store] in a schema of a database. Use Open to get one.
type Store struct {
	config *pgx.ConnConfig
	name   string
	schema string
	opts   Options
	pool   *pgxpool.Pool // for reading
	id     int64         // of the store

	queue   chan *job       // to the writer
	running context.Context // ended by stop, which Close calls
	stop    context.CancelFunc
	ended   chan struct{} // closed when the writer has ended
	hints   chan struct{} // has a value if there are changes to be told to other processes
	full    chan struct{} // has a value if there is much to vacuum

	// Of the writer.
	conn                 *pgx.Conn // nil if there is none
	owner                int64     // this process
	mark                 watermark.Mark
	file                 *watermark.File
	left                 error // of the end
	written, vacuumAfter int   // bytes since the last vacuum, and until the next one

	mu     sync.Mutex
	closed bool
	failed error    // of all further calls
	hinted []string // keys to tell other processes
	count  int      // records, when the server was asked
	asked  time.Time
}

// parse reads a URL.
func parse(url string) (config *pgxpool.Config, schema string, err error) {
	config, err = pgxpool.ParseConfig(url) // whose errors have no password
	if err != nil {
		return nil, "", err
	}
	params := config.ConnConfig.RuntimeParams
	schema = cmp.Or(params["schema"], "scxml")
	delete(params, "schema")
	params["search_path"] = pgx.Identifier{schema}.Sanitize()
	for name, value := range map[string]string{
		"application_name": "scxmlrun", "lock_timeout": "10s", "idle_in_transaction_session_timeout": "30s",
		// The locks of a host that has lost its power are freed after 25 seconds.
		"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3",
	} {
		if _, ok := params[name]; !ok {
			params[name] = value
		}
	}
	return config, schema, nil
}

// Name says which server, database and schema a URL means. It has no secrets.
func Name(url string) string {
	config, schema, err := parse(url)
	if err != nil {
		return "postgres:…"
	}
	return name(config.ConnConfig, schema)
}

func name(config *pgx.ConnConfig, schema string) string {
	host := config.Host
	if !strings.HasPrefix(host, "/") {
		host = net.JoinHostPort(host, fmt.Sprint(config.Port))
	}
	return fmt.Sprintf("database %q on %s, schema %q", config.Database, host, schema)
}

// Open opens the store in the database that a URL of libpq names, and creates it there unless there is
// one. What the URL leaves out is taken from the environment and the files of libpq. Its parameter
// "schema" names the schema, which is "scxml" by default. The error is [fleet.ErrLost] if the server has
// lost acknowledged commits, and [fleet.ErrUnavailable] if it does not answer, starts, ends, has no place for one
// more client or is a replica, or if another process uses the store alone.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	config, schema, err := parse(url)
	if err != nil {
		return nil, fmt.Errorf("cannot open store: %w", err)
	}
	s := &Store{
		config: config.ConnConfig, name: name(config.ConnConfig, schema), schema: schema, opts: o, owner: rand.Int64(),
		queue: make(chan *job, 1000), ended: make(chan struct{}), hints: make(chan struct{}, 1), full: make(chan struct{}, 1),
		vacuumAfter: vacuumAfter,
	}
	s.running, s.stop = context.WithCancel(context.Background())
	if err := s.open(ctx, config); err != nil {
		s.stop()
		if later(err) {
			err = fmt.Errorf("%w: %w", fleet.ErrUnavailable, err)
		}
		return nil, fmt.Errorf("cannot open store in %s: %w", s.name, err)
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, config *pgxpool.Config) (err error) {
	if s.opts.Watermark != "" {
		if s.mark, err = watermark.Read(s.opts.Watermark, fleet.ErrCorrupt); err != nil {
			return err
		}
	}
	conn, err := s.dial(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			conn.Close(ctx)
		}
	}()
	if err = s.checkServer(ctx, conn); err == nil && !s.opts.ReadOnly {
		err = prepare(ctx, conn, s.schema)
	}
	if err == nil {
		s.id, err = readStore(ctx, conn)
	}
	switch {
	case err != nil:
		return err
	case s.mark.Host == 0:
		s.mark = watermark.Mark{Store: uint64(s.id), Host: rand.Uint64() | 1}
	case s.mark.Store != uint64(s.id):
		return fmt.Errorf("the watermark %q belongs to another store; if this one is right, delete the file", s.opts.Watermark)
	}
	if _, err := s.enter(ctx, conn, true); err != nil {
		return err
	}
	if s.opts.Watermark != "" && !s.opts.ReadOnly {
		if s.file, err = watermark.Create(s.opts.Watermark, s.mark); err != nil {
			return err
		}
	}
	config.AfterConnect = s.check
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return errors.Join(err, s.file.Close())
	}
	go s.write()
	go s.tell()
	go s.vacuum()
	return nil
}

// check refuses a connection to a server that does not have this store, or cannot keep it.
func (s *Store) check(ctx context.Context, conn *pgx.Conn) error {
	if err := s.checkServer(ctx, conn); err != nil {
		return err
	}
	id, err := readStore(ctx, conn)
	if err == nil && id != s.id {
		err = errors.New("it has another store")
	}
	return err
}

// checkServer refuses a server that cannot keep a store.
func (s *Store) checkServer(ctx context.Context, conn *pgx.Conn) error {
	var replica bool
	settings := []string{"fsync", "full_page_writes", "synchronous_commit"}
	values := make([]string, len(settings))
	err := conn.QueryRow(ctx, "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on', current_setting($1), current_setting($2), current_setting($3)", settings[0], settings[1], settings[2]).
		Scan(&replica, &values[0], &values[1], &values[2])
	if err != nil {
		return err
	}
	if replica {
		return fmt.Errorf("%w: the server at %s is a read-only replica: want the primary", fleet.ErrUnavailable, conn.PgConn().Conn().RemoteAddr())
	}
	for i, value := range values {
		if value == "off" && !s.opts.Unsafe {
			return fmt.Errorf("the server has %s off, and would lose acknowledged events in a crash: want it on", settings[i])
		}
	}
	return nil
}

// lost reports whether an error is that of a connection, and not the server's answer.
func lost(err error) bool {
	if answer := (*pgconn.PgError)(nil); errors.As(err, &answer) {
		return strings.HasPrefix(answer.Code, "08") || strings.HasPrefix(answer.Code, "57P") // the server ends or starts
	}
	var network net.Error
	var connecting *pgconn.ConnectError
	return errors.As(err, &network) || errors.As(err, &connecting) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// later reports whether opening a store has failed for a reason that may go away by itself. What a server says, or
// its certificate, decides before what the network says.
func later(err error) bool {
	if answer := (*pgconn.PgError)(nil); errors.As(err, &answer) {
		return lost(err) || answer.Code == "53300" // too many connections
	}
	var network net.Error
	var op *net.OpError
	alert := errors.As(err, &op) && op.Op == "remote error" // of TLS
	return !errors.Is(err, fleet.ErrUnavailable) && !alert &&
		(errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF))
}

// read calls f, which reads, and calls it again if the connection is lost.
func (s *Store) read(ctx context.Context, f func(context.Context, *pgxpool.Pool) error) error {
	for deadline := time.Now().Add(patience); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.usable(); err != nil {
			return err
		}
		bounded, cancel := context.WithTimeout(ctx, transaction)
		err := f(bounded, s.pool)
		cancel()
		if err == nil || !lost(err) || ctx.Err() != nil || time.Now().After(deadline) {
			if closed := s.usable(); err != nil && closed != nil {
				return closed
			}
			return err
		}
		select {
		case <-ctx.Done():
		case <-s.running.Done():
		case <-time.After(pause):
		}
	}
}

// usable returns the error of all further calls, if there is one.
func (s *Store) usable() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fleet.ErrClosed
	}
	return s.failed
}

// columns are those of a record, in the order of scan.
const columns = "key, revision, accepted, wake, pending, chart, hash, status"

// scan returns the record in a row, with further columns into more.
func scan(row pgx.CollectableRow, more ...any) (*fleet.Record, error) {
	var key, chart, hash, status []byte
	var revision, accepted int64
	var wake *int64
	rec := new(fleet.Record)
	if err := row.Scan(append([]any{&key, &revision, &accepted, &wake, &rec.Pending, &chart, &hash, &status}, more...)...); err != nil {
		return nil, err
	}
	rec.Key, rec.Chart, rec.Hash, rec.Status = string(key), string(chart), string(hash), string(status)
	rec.Revision, rec.Accepted = uint64(revision), uint64(accepted)
	if wake != nil {
		rec.Wake = index.Time(*wake)
	}
	return rec, nil
}

// scanWhole returns the record in a row with its body and checksum.
func scanWhole(row pgx.CollectableRow) (*fleet.Record, error) {
	var body []byte
	var sum int32
	rec, err := scan(row, &body, &sum)
	if err == nil {
		rec.Body = body
		if recordSum(rec) != sum {
			err = damaged("record of %q", rec.Key)
		}
	}
	return rec, err
}

// Load implements [fleet.Store].
func (s *Store) Load(ctx context.Context, key string) (rec *fleet.Record, err error) {
	err = s.read(ctx, func(ctx context.Context, db *pgxpool.Pool) error {
		rows, err := db.Query(ctx, "SELECT "+columns+", body, sum FROM sessions WHERE key = $1", []byte(key))
		if err == nil {
			rec, err = pgx.CollectExactlyOneRow(rows, scanWhole)
		}
		return found(err)
	})
	if err != nil {
		return nil, err
	}
	return rec, nil
}

func found(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return fleet.ErrNotFound
	}
	return err
}

// limit is n as the LIMIT of a query: NULL is without bound.
func limit(n int) *int {
	if n <= 0 {
		return nil
	}
	return &n
}

// Due implements [fleet.Store].
func (s *Store) Due(ctx context.Context, now time.Time, n int) (keys []string, next time.Time, err error) {
	err = s.read(ctx, func(ctx context.Context, db *pgxpool.Pool) error {
		keys, next = nil, time.Time{}
		more := n
		if n > 0 {
			more++
		}
		rows, err := db.Query(ctx, `
			(SELECT key, wake FROM sessions WHERE wake <= $1 ORDER BY wake, key LIMIT $2)
			UNION ALL (SELECT key, wake FROM sessions WHERE wake > $1 ORDER BY wake, key LIMIT 1)`, now.UnixNano(), limit(more))
		if err != nil {
			return err
		}
		var key []byte
		var wake int64
		_, err = pgx.ForEachRow(rows, []any{&key, &wake}, func() error {
			if wake <= now.UnixNano() && (n <= 0 || len(keys) < n) {
				keys = append(keys, string(key))
			} else if next.IsZero() {
				next = index.Time(wake)
			}
			return nil
		})
		return err
	})
	return keys, next, err
}

// names returns what a query for bytes returns.
func (s *Store) names(ctx context.Context, query string, args ...any) (names []string, err error) {
	err = s.read(ctx, func(ctx context.Context, db *pgxpool.Pool) error {
		rows, err := db.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		names, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
			var name []byte
			err := row.Scan(&name)
			return string(name), err
		})
		return err
	})
	return names, err
}

// Pending implements [fleet.Store].
func (s *Store) Pending(ctx context.Context, after string, n int) ([]string, error) {
	return s.names(ctx, "SELECT key FROM sessions WHERE pending AND key > $1 ORDER BY key LIMIT $2", []byte(after), limit(n))
}

// List implements [fleet.Store].
func (s *Store) List(ctx context.Context, after string, n int) (list []*fleet.Record, err error) {
	err = s.read(ctx, func(ctx context.Context, db *pgxpool.Pool) error {
		rows, err := db.Query(ctx, "SELECT "+columns+" FROM sessions WHERE key > $1 ORDER BY key LIMIT $2", []byte(after), limit(n))
		if err == nil {
			list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*fleet.Record, error) { return scan(row) })
		}
		return err
	})
	return list, err
}

// Log implements [fleet.Store].
func (s *Store) Log(ctx context.Context, key string, after uint64, n int) (entries []fleet.LogEntry, err error) {
	err = s.read(ctx, func(ctx context.Context, db *pgxpool.Pool) error {
		entries = nil
		// One query, so that it sees one moment; a session without entries has a row of NULLs.
		rows, err := db.Query(ctx, `SELECT l.revision, l.sum, l.body FROM sessions s LEFT JOIN LATERAL
			(SELECT * FROM log WHERE key = s.key AND revision > $2 ORDER BY revision LIMIT $3) l ON true
			WHERE s.key = $1 ORDER BY l.revision`, []byte(key), int64(min(after, math.MaxInt64)), limit(n))
		if err != nil {
			return err
		}
		exists := false
		var revision *int64
		var sum *int32
		var body []byte
		_, err = pgx.ForEachRow(rows, []any{&revision, &sum, &body}, func() error {
			exists = true
			if revision == nil {
				return nil
			}
			e := fleet.LogEntry{Revision: uint64(*revision), Body: body}
			if checksum([]byte(key), body) != *sum {
				return damaged("log entry %d of %q", *revision, key)
			}
			entries, body = append(entries, e), nil
			return nil
		})
		if err == nil && !exists {
			err = fleet.ErrNotFound
		}
		return err
	})
	return entries, err
}

// Len implements [fleet.Counter]. It asks the server at most once a second.
func (s *Store) Len(ctx context.Context) (n int, err error) {
	if err := s.usable(); err != nil {
		return 0, err
	}
	s.mu.Lock()
	n, asked := s.count, s.asked
	s.mu.Unlock()
	if time.Since(asked) < time.Second {
		return n, ctx.Err()
	}
	err = s.read(ctx, func(ctx context.Context, db *pgxpool.Pool) error {
		return db.QueryRow(ctx, "SELECT counted()").Scan(&n)
	})
	if err == nil {
		s.counted(n)
	}
	return n, err
}

// counted notes the number of records.
func (s *Store) counted(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count, s.asked = n, time.Now()
}

// File implements [fleet.Store].
func (s *Store) File(ctx context.Context, name string) (data []byte, err error) {
	err = s.read(ctx, func(ctx context.Context, db *pgxpool.Pool) error {
		var sum int32
		if err := db.QueryRow(ctx, "SELECT body, sum FROM files WHERE name = $1", []byte(name)).Scan(&data, &sum); err != nil {
			return found(err)
		}
		if checksum([]byte(name), data) != sum {
			return damaged("file %q", name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Files implements [fleet.Store].
func (s *Store) Files(ctx context.Context, prefix string) ([]string, error) {
	return s.names(ctx, "SELECT name FROM files WHERE name >= $1 AND substr(name, 1, length($1)) = $1 ORDER BY name", []byte(prefix))
}

// Close waits for the transaction that is under way, and closes the store.
func (s *Store) Close() error {
	s.mu.Lock()
	closed := s.closed
	s.closed = true
	s.mu.Unlock()
	if closed {
		return fleet.ErrClosed
	}
	s.stop()
	<-s.ended
	s.pool.Close()
	return errors.Join(s.left, s.file.Close())
}
