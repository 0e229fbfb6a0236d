package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/watermark"
)

// The server syncs its disk for each transaction, however small. So one goroutine, the writer, takes all
// changes that wait and sends them as one statement, on a connection of its own. While the server works,
// the next ones gather.

// A job is what one call wants of the writer: changes, or a file.
type job struct {
	changes []fleet.Change
	errs    []error       // for each change, or the one for the file; those that are set are refused already
	done    chan struct{} // closed when errs is final

	isFile bool
	name   string
	data   []byte
}

// creates reports whether the call must not return as long as its transaction can still happen.
func (j *job) creates() bool {
	return slices.ContainsFunc(j.changes, func(c fleet.Change) bool { return c.Old == 0 })
}

// finish ends the calls of jobs. What has no error gets this one.
func finish(jobs []*job, err error) {
	for _, j := range jobs {
		for i := range j.errs {
			if j.errs[i] == nil {
				j.errs[i] = err
			}
		}
		close(j.done)
	}
}

const (
	maxChanges = 1000
	maxBatch   = 32 << 20  // bytes, after which a transaction takes no further job
	maxSize    = 256 << 20 // of a body, log entry or file
)

// Commit implements [fleet.Store].
func (s *Store) Commit(ctx context.Context, changes []fleet.Change) []error {
	j := &job{changes: changes, errs: make([]error, len(changes)), done: make(chan struct{})}
	refused := 0
	for i, c := range changes {
		err := c.Check(c.Old, 0)
		if err == nil && c.New != nil && max(len(c.New.Body), len(c.Log)) > maxSize {
			err = fmt.Errorf("cannot store %q: its body and log entry have at most %d bytes each", c.Key, maxSize)
		}
		if j.errs[i] = err; err != nil {
			refused++
		}
	}
	if refused < len(changes) || len(changes) == 0 {
		s.do(ctx, j)
	}
	return j.errs
}

// PutFile implements [fleet.Store].
func (s *Store) PutFile(ctx context.Context, name string, data []byte) error {
	if len(data) > maxSize {
		return fmt.Errorf("cannot store file %q: it has more than %d bytes", name, maxSize)
	}
	j := &job{errs: make([]error, 1), done: make(chan struct{}), isFile: true, name: name, data: data}
	s.do(ctx, j)
	return j.errs[0]
}

// do gives a job to the writer and waits for it.
func (s *Store) do(ctx context.Context, j *job) {
	err := ctx.Err()
	if err == nil {
		err = s.usable()
	}
	if err == nil && s.opts.ReadOnly {
		err = errors.New("the store is open for reading only")
	}
	if err == nil {
		select {
		case s.queue <- j:
			select {
			case <-j.done:
				return
			case <-s.ended:
			}
			select {
			case <-j.done:
				return
			default:
			}
		case <-s.ended:
		}
		err = fleet.ErrClosed
	}
	finish([]*job{j}, err)
}

// write is the writer.
func (s *Store) write() {
	defer close(s.ended)
	for {
		select {
		case <-s.running.Done():
			s.leave()
			return
		case j := <-s.queue:
			s.carryOut(j)
		}
	}
}

// carryOut carries out a job, and those that have come besides.
func (s *Store) carryOut(j *job) {
	var jobs []*job
	n, size := 0, 0
	for {
		if j.isFile {
			s.putFile(j)
		} else {
			jobs = append(jobs, j)
			n += len(j.changes)
			for _, c := range j.changes {
				if c.New != nil {
					size += len(c.New.Body) + len(c.Log)
				}
			}
		}
		if n >= maxChanges || size >= maxBatch || len(s.queue) == 0 {
			break
		}
		j = <-s.queue
	}
	if len(jobs) > 0 {
		s.swap(jobs)
	}
}

func (s *Store) putFile(j *job) {
	jobs := []*job{j}
	err := s.transact(&jobs, func(ctx context.Context) (int64, bool, error) {
		_, err := s.conn.Exec(ctx, "SELECT put_file($1, $2, $3, $4, $5)", int64(s.mark.Host), int64(s.mark.Commits), []byte(j.name), checksum([]byte(j.name), j.data), j.data)
		return 0, true, err
	})
	finish(jobs, err)
}

// swap carries out the changes of jobs in one transaction.
func (s *Store) swap(jobs []*job) {
	type item struct {
		fleet.Change
		err *error
	}
	var items []item
	for _, j := range jobs {
		for i, c := range j.changes {
			if j.errs[i] == nil {
				items = append(items, item{c, &j.errs[i]})
			}
		}
	}
	bytes := 0
	slices.SortStableFunc(items, func(a, b item) int { return strings.Compare(a.Key, b.Key) })
	var (
		keys, charts, hashes, statuses, bodies, logs [][]byte
		olds, accepted                               []int64
		wakes                                        []*int64
		removes, pending                             []bool
		sums, logSums                                []int32
		keep                                         []int
	)
	for _, c := range items {
		rec := c.New
		if rec == nil {
			rec = &fleet.Record{Key: c.Key}
		}
		var wake *int64
		if at := index.Nanos(rec.Wake); at != index.Never {
			wake = &at
		}
		key := []byte(c.Key)
		keys, olds, removes = append(keys, key), append(olds, int64(c.Old)), append(removes, c.New == nil)
		accepted, wakes, pending = append(accepted, int64(rec.Accepted)), append(wakes, wake), append(pending, rec.Pending)
		charts, hashes, statuses = append(charts, []byte(rec.Chart)), append(hashes, []byte(rec.Hash)), append(statuses, []byte(rec.Status))
		body := rec.Body
		if body == nil {
			body = []byte{} // not NULL
		}
		sums, bodies = append(sums, recordSum(rec)), append(bodies, body)
		bytes += len(body) + len(c.Log) + 200 // of the row and its indexes
		logs, logSums, keep = append(logs, c.Log), append(logSums, checksum(key, c.Log)), append(keep, c.KeepLog)
	}
	var results []int64
	var hints []bool
	var count *int
	err := s.transact(&jobs, func(ctx context.Context) (gained int64, changed bool, err error) {
		err = s.conn.QueryRow(ctx, "SELECT results, hints, gained, count FROM swap($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
			int64(s.mark.Host), int64(s.mark.Commits), keys, olds, removes, accepted, wakes, pending, charts, hashes, statuses, sums, bodies, logs, logSums, keep).
			Scan(&results, &hints, &gained, &count)
		return gained, slices.ContainsFunc(results, func(r int64) bool { return r > 0 }), err
	})
	if err == nil {
		if count != nil {
			s.counted(*count)
		}
		var told []string
		for i, c := range items {
			switch r := results[i]; {
			case r == 0:
				*c.err = fleet.ErrConflict
			case r < 0:
				*c.err = c.Check(c.Old, uint64(-r))
			case c.New != nil:
				c.New.Revision = uint64(r)
			}
			if hints[i] || c.New == nil && results[i] > 0 {
				told = append(told, c.Key)
			}
		}
		s.hint(told)
		s.wrote(bytes)
	}
	finish(jobs, err)
}

var (
	errHappened = errors.New("the connection was lost during the transaction, which has happened")
	errTaken    = errors.New("another process has taken the place of this one: it has the same watermark")
)

// transact calls send, which sends one transaction, until that is known to have happened, or not to
// happen any more. Send returns the number of events that it has accepted, and whether it has written.
// While the server cannot be reached for long, jobs that do not have to wait are finished, and removed.
func (s *Store) transact(jobs *[]*job, send func(context.Context) (int64, bool, error)) error {
	sent, gaveUp := false, false // of this transaction
	for deadline := time.Now().Add(patience); ; {
		happened, err := s.reconnect()
		switch {
		case errors.Is(err, fleet.ErrLost) || errors.Is(err, errTaken):
			s.fail(err)
			return err
		case err != nil:
			err = fmt.Errorf("cannot reach the store: %w", err)
			if time.Now().After(deadline) {
				gaveUp = true
				s.giveUp(jobs, sent, err)
				if len(*jobs) == 0 {
					return err
				}
			}
			select {
			case <-s.running.Done():
				return err
			case <-time.After(pause):
			}
			continue
		case sent && happened:
			return errHappened
		case gaveUp: // the slices of jobs that have ended are their callers' again
			return errors.New("the connection was lost, and the transaction has not happened")
		}
		sent = true
		ctx, cancel := context.WithTimeout(context.Background(), transaction)
		gained, changed, err := send(ctx)
		cancel()
		if err == nil {
			if !changed {
				return nil
			}
			s.mark.Commits++
			s.mark.Accepted += uint64(gained)
			return s.file.Note(s.mark)
		}
		if s.conn.IsClosed() {
			s.conn = nil
			continue
		}
		var answer *pgconn.PgError
		switch {
		case !errors.As(err, &answer): // not from the server: what it did is not known
			s.conn.Close(context.Background())
			s.conn = nil
		case answer.Code == "SX001":
			s.fail(errTaken)
			return errTaken
		case strings.HasPrefix(answer.Code, "40") && time.Now().Before(deadline): // it was in another one's way
			sent = false
		default:
			return err
		}
	}
}

// giveUp finishes the jobs that need not wait for the server, and those in the queue, which has nothing
// of them.
func (s *Store) giveUp(jobs *[]*job, sent bool, err error) {
	var wait []*job
	for _, j := range *jobs {
		if sent && j.creates() {
			wait = append(wait, j)
		} else {
			finish([]*job{j}, err)
		}
	}
	*jobs = wait
	for len(s.queue) > 0 {
		finish([]*job{<-s.queue}, err)
	}
}

// fail makes all further calls fail.
func (s *Store) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = err
}

// dial returns a connection for the writer.
func (s *Store) dial(ctx context.Context) (*pgx.Conn, error) {
	config := s.config.Copy()
	if _, ok := config.RuntimeParams["statement_timeout"]; !ok {
		config.RuntimeParams["statement_timeout"] = fmt.Sprint(transaction.Milliseconds())
	}
	return pgx.ConnectConfig(ctx, config)
}

// reconnect connects the writer, unless it is connected. It makes sure that the transaction that an
// earlier connection has sent either has happened, which it reports, or never will.
func (s *Store) reconnect() (happened bool, err error) {
	if s.conn != nil {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := s.dial(ctx)
	if err != nil {
		return false, err
	}
	if err = s.check(ctx, conn); err == nil {
		happened, err = s.enter(ctx, conn, false)
	}
	if err != nil {
		conn.Close(ctx)
	}
	return happened, err
}

// enter makes a connection that of the writer, for the first time or again.
func (s *Store) enter(ctx context.Context, conn *pgx.Conn, first bool) (happened bool, err error) {
	if err := s.lock(ctx, conn); err != nil {
		return false, err
	}
	has := s.mark
	if s.opts.ReadOnly {
		err := conn.QueryRow(ctx, "SELECT commits, accepted FROM hosts WHERE id = $1", int64(s.mark.Host)).Scan(&has.Commits, &has.Accepted)
		if errors.Is(err, pgx.ErrNoRows) {
			has.Commits, has.Accepted, err = 0, 0, nil
		}
		if err == nil {
			err = s.compare(has)
		}
		s.conn = conn
		return false, err
	}
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		var owner, commits, accepted int64
		// This waits for a transaction that is under way.
		err := tx.QueryRow(ctx, "SELECT owner, commits, accepted FROM hosts WHERE id = $1 FOR UPDATE", int64(s.mark.Host)).Scan(&owner, &commits, &accepted)
		switch {
		case errors.Is(err, pgx.ErrNoRows) && first && s.mark.Commits == 0:
			_, err := tx.Exec(ctx, "INSERT INTO hosts VALUES ($1, $2, 1, 0, 0, now())", int64(s.mark.Host), s.owner)
			return err
		case errors.Is(err, pgx.ErrNoRows):
		case err != nil:
			return err
		case owner != s.owner && !first:
			return errTaken
		}
		has.Commits, has.Accepted = uint64(commits), uint64(accepted)
		if err := s.compare(has); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE hosts SET owner = $2, commits = commits + 1, used = now() WHERE id = $1", int64(s.mark.Host), s.owner)
		return err
	})
	if err != nil {
		return false, err
	}
	happened = has.Commits > s.mark.Commits
	s.conn, s.mark = conn, watermark.Mark{Store: s.mark.Store, Host: s.mark.Host, Commits: has.Commits + 1, Accepted: has.Accepted}
	return happened, s.file.Note(s.mark)
}

// compare returns [fleet.ErrLost] if the database is behind the watermark.
func (s *Store) compare(has watermark.Mark) error {
	if err := s.mark.Lost(has, s.opts.Watermark); err != nil {
		return fmt.Errorf("%w: %w", err, fleet.ErrLost)
	}
	return nil
}

// lock notes with the server, for as long as a connection lives, that this process uses the store.
func (s *Store) lock(ctx context.Context, conn *pgx.Conn) error {
	function, message := "pg_try_advisory_lock_shared", "another process uses the store alone, to copy it"
	if s.opts.Exclusive {
		function, message = "pg_try_advisory_lock", "another process uses the store"
	}
	// A process that has just ended may still have it.
	for deadline := time.Now().Add(2 * time.Second); ; {
		var locked bool
		err := conn.QueryRow(ctx, "SELECT "+function+"($1)", s.id).Scan(&locked)
		if err != nil || locked {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%w: %s", fleet.ErrUnavailable, message)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// leave closes the writer's connection. Without a watermark nobody asks for the row of this host again.
func (s *Store) leave() {
	if s.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	switch {
	case s.opts.ReadOnly && s.opts.Exclusive:
		if err := s.conn.Ping(ctx); err != nil {
			s.left = fmt.Errorf("the connection that kept other processes out was lost: %w", err)
		}
	case s.opts.Watermark == "":
		_, _ = s.conn.Exec(ctx, `WITH gone AS (DELETE FROM hosts WHERE id = $1 AND owner = $2 RETURNING accepted, sessions)
			UPDATE store SET accepted = store.accepted + gone.accepted, sessions = store.sessions + gone.sessions FROM gone`, int64(s.mark.Host), s.owner) // a row that remains does no harm
	}
	s.conn.Close(ctx)
}
