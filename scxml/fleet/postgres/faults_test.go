package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/pgtest"
)

func commit(s *Store, c fleet.Change) error {
	return s.Commit(context.Background(), []fleet.Change{c})[0]
}

// create creates records and returns the last revision.
func create(t *testing.T, s *Store, keys ...string) (revision uint64) {
	t.Helper()
	for _, key := range keys {
		rec := &fleet.Record{Key: key, Accepted: 1, Body: []byte("body of " + key)}
		if err := commit(s, fleet.Change{Key: key, New: rec, Log: []byte("log of " + key)}); err != nil {
			t.Fatal(err)
		}
		revision = rec.Revision
	}
	return revision
}

func refused(t *testing.T, url string, o Options, want string) error {
	t.Helper()
	s, err := Open(t.Context(), url, o)
	if err == nil {
		s.Close()
	}
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Open returns %v, want %q", err, want)
	}
	return err
}

// A server that would lose acknowledged events, or that cannot write, is refused by name.
func TestServerIsRefused(t *testing.T) {
	server := pgtest.Start(t)
	url := fresh(server)
	refused(t, url, Options{ReadOnly: true}, "it has no store")
	for name, want := range map[string]string{
		"synchronous_commit=off":           "the server has synchronous_commit off",
		"default_transaction_read_only=on": "is a read-only replica: want the primary",
	} {
		refused(t, url+"&"+name, Options{}, want)
	}
	mustOpen(t, url, Options{}).Close()
	server.SQL("ALTER SYSTEM SET fsync = off")
	server.SQL("SELECT pg_reload_conf()")
	for server.SQL("SHOW fsync") != "off" {
	}
	refused(t, url, Options{}, "the server has fsync off")
	mustOpen(t, url, Options{Unsafe: true}).Close()
	server.SQL("ALTER SYSTEM RESET fsync")

	server.Stop()
	if err := os.WriteFile(filepath.Join(server.Dir(), "data", "standby.signal"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	server.Restart()
	if err := refused(t, url, Options{}, "is a read-only replica: want the primary"); !errors.Is(err, fleet.ErrUnavailable) {
		t.Errorf("Open returns %v, want ErrUnavailable", err)
	}
}

// What may go away by itself is told from what will not.
func TestUnavailable(t *testing.T) {
	server := shareServer(t)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free.Close()
	at := func(address string) string { return "postgres://postgres@" + address + "/postgres" }
	for url, want := range map[string]bool{
		at(free.Addr().String()):                               true,
		at("no-such-host.invalid"):                             true,
		"postgres:///postgres?host=/no/such/folder":            true, // its socket appears when the server runs
		at(server.Address()) + "?sslmode=require":              false,
		strings.Replace(server.URL(), "/postgres", "/none", 1): false,
		server.URL() + "&no_such_setting=1":                    false,
	} {
		s, err := Open(t.Context(), url, Options{})
		if err == nil {
			s.Close()
		}
		if err == nil || errors.Is(err, fleet.ErrUnavailable) != want {
			t.Errorf("%s: Open returns %v, want ErrUnavailable: %v", url, err, want)
		}
	}
}

// A store that is in use can be neither copied nor opened by the one who copies.
func TestExclusive(t *testing.T) {
	url := fresh(shareServer(t))
	s := mustOpen(t, url, Options{})
	refused(t, url, Options{Exclusive: true}, "another process uses the store")
	s.Close()
	s = mustOpen(t, url, Options{Exclusive: true, ReadOnly: true})
	refused(t, url, Options{}, "another process uses the store alone, to copy it")
	if err := commit(s, fleet.Change{Key: "k", New: &fleet.Record{Key: "k"}}); err == nil {
		t.Error("a store for reading writes")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// When the database is replaced by an older one, a host whose events are missing says so: when it starts,
// and when it connects again.
func TestOldBackup(t *testing.T) {
	server := pgtest.Start(t)
	url, o := fresh(server), Options{Watermark: filepath.Join(t.TempDir(), "mark")}
	s := mustOpen(t, url, o)
	create(t, s, "a")
	data, backup := filepath.Join(server.Dir(), "data"), filepath.Join(server.Dir(), "backup")
	replace := func(from, to string) {
		t.Helper()
		server.Stop()
		if err := os.RemoveAll(to); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
			t.Fatalf("cp: %v\n%s", err, out)
		}
		server.Restart()
	}
	replace(data, backup)
	create(t, s, "b", "c") // over a new connection
	replace(backup, data)
	const want = "store lost 2 acknowledged events"
	if _, err := s.Load(t.Context(), "a"); err != nil { // what it has can be read until the next commit
		t.Error(err)
	}
	if err := commit(s, fleet.Change{Key: "d", New: &fleet.Record{Key: "d"}}); !errors.Is(err, fleet.ErrLost) || !strings.Contains(err.Error(), want) {
		t.Errorf("Commit returns %v, want %q", err, want)
	}
	if _, err := s.Load(t.Context(), "a"); !errors.Is(err, fleet.ErrLost) {
		t.Errorf("after that Load returns %v, want ErrLost", err)
	}
	s.Close()
	for range 3 { // each time
		if err := refused(t, url, o, want); !errors.Is(err, fleet.ErrLost) {
			t.Errorf("Open returns %v, want ErrLost", err)
		}
	}
	refused(t, url, Options{Watermark: o.Watermark, ReadOnly: true}, want)
	refused(t, fresh(server), o, "belongs to another store")
	if err := os.Remove(o.Watermark); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, url, o)
	defer s.Close()
	create(t, s, "b")
}

// A process that opens the store with the watermark of another one takes its place.
func TestSameWatermark(t *testing.T) {
	url, o := fresh(shareServer(t)), Options{Watermark: filepath.Join(t.TempDir(), "mark")}
	old := mustOpen(t, url, o)
	defer old.Close()
	create(t, old, "a")
	s := mustOpen(t, url, o)
	defer s.Close()
	create(t, s, "b")
	if err := commit(old, fleet.Change{Key: "c", New: &fleet.Record{Key: "c"}}); !errors.Is(err, errTaken) {
		t.Errorf("the old process commits with %v, want %v", err, errTaken)
	}
	create(t, s, "c")
}

// What was changed behind the store's back is named.
func TestDamage(t *testing.T) {
	server := pgtest.Start(t)
	url := fresh(server)
	s := mustOpen(t, url, Options{})
	defer s.Close()
	create(t, s, "a", "b")
	if err := s.PutFile(t.Context(), "f", []byte("file")); err != nil {
		t.Fatal(err)
	}
	schema := url[strings.LastIndex(url, "=")+1:]
	server.SQL(fmt.Sprintf("SET search_path = %s; UPDATE sessions SET body = 'bodi of a' WHERE key = 'a'; UPDATE log SET body = 'lok' WHERE key = 'a'; UPDATE files SET body = 'fill'", schema))
	_, load := s.Load(t.Context(), "a")
	_, log := s.Log(t.Context(), "a", 0, 0)
	_, file := s.File(t.Context(), "f")
	for want, err := range map[string]error{`record of "a": checksum`: load, `log entry`: log, `file "f": checksum`: file} {
		if !errors.Is(err, fleet.ErrCorrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want ErrCorrupt and %q", err, want)
		}
	}
	if _, err := s.Load(t.Context(), "b"); err != nil {
		t.Error(err)
	}
}

// A store that writes much vacuums its tables.
func TestVacuum(t *testing.T) {
	server := pgtest.Start(t)
	s := mustOpen(t, fresh(server), Options{})
	defer s.Close()
	s.vacuumAfter = 1 << 20
	revision := uint64(0)
	for range 9 {
		rec := &fleet.Record{Key: "k", Body: make([]byte, 128<<10)}
		if err := commit(s, fleet.Change{Key: "k", Old: revision, New: rec}); err != nil {
			t.Fatal(err)
		}
		revision = rec.Revision
	}
	for server.SQL("SELECT sum(vacuum_count) FROM pg_stat_user_tables WHERE relname = 'sessions'") == "0" {
		<-time.After(50 * time.Millisecond)
	}
}

// A process hears of what another one stores.
func TestWatch(t *testing.T) {
	url := fresh(shareServer(t))
	a, b := mustOpen(t, url, Options{}), mustOpen(t, url, Options{})
	defer a.Close()
	defer b.Close()
	heard := make(chan string, 100)
	ended := make(chan error)
	go func() { ended <- a.Watch(context.Background(), func(key string) { heard <- key }) }()
	if key := <-heard; key != "" {
		t.Errorf("first heard of %q, want the gap before", key)
	}
	for _, rec := range []*fleet.Record{
		{Key: "idle"}, {Key: "pending \xff\x01", Pending: true}, {Key: "due", Wake: time.Unix(1, 0)},
	} {
		for s, mine := range map[*Store]string{a: "a ", b: "b "} {
			mineRec := *rec
			mineRec.Key = mine + rec.Key
			if err := commit(s, fleet.Change{Key: mineRec.Key, New: &mineRec}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, want := range []string{"b pending \xff\x01", "b due"} {
		if key := <-heard; key != want {
			t.Errorf("heard of %q, want %q", key, want)
		}
	}
	a.Close()
	if err := <-ended; !errors.Is(err, fleet.ErrClosed) {
		t.Errorf("after Close Watch returns %v, want ErrClosed", err)
	}
}

// A relay stands between a store and a server. When it holds, what the store sends on the connections
// that are there is kept, and those end for the store; the server gets it later.
type relay struct {
	net.Listener
	to string

	mu    sync.Mutex
	hold  bool // for the next message that has this text
	text  string
	held  chan struct{} // closed when a message is held
	later chan struct{} // closed when it may arrive
}

func (r *relay) run() {
	for {
		client, err := r.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", r.to)
		if err != nil {
			client.Close()
			continue
		}
		answered := make(chan struct{})
		go func() {
			defer close(answered)
			_, _ = io.Copy(client, server)
			client.Close()
		}()
		go r.forward(client, server, answered)
	}
}

func (r *relay) forward(client, server net.Conn, answered <-chan struct{}) {
	defer server.Close()
	b := make([]byte, 1<<20)
	for {
		n, err := client.Read(b)
		r.mu.Lock()
		hold := r.hold && strings.Contains(string(b[:n]), r.text)
		if hold {
			r.hold = false
		}
		r.mu.Unlock()
		if hold {
			client.Close()
			close(r.held)
			<-r.later
		}
		if _, werr := server.Write(b[:n]); err != nil || werr != nil {
			return
		}
		if hold {
			<-answered // to a client that is gone
			return
		}
	}
}

// A transaction that was sent over a connection that is lost, and that arrives late, does not create a
// session after Commit has returned.
func TestLateCreation(t *testing.T) {
	server := pgtest.Start(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	r := &relay{Listener: l, to: server.Address(), text: "the late body", held: make(chan struct{}), later: make(chan struct{})}
	go r.run()
	s := mustOpen(t, fmt.Sprintf("postgres://postgres@%s/postgres?sslmode=disable", l.Addr()), Options{})
	defer s.Close()
	create(t, s, "before") // the statement is prepared
	r.mu.Lock()
	r.hold = true
	r.mu.Unlock()
	rec := &fleet.Record{Key: "k", Body: []byte(r.text), Accepted: 1}
	if err := commit(s, fleet.Change{Key: "k", New: rec}); err != nil {
		t.Fatalf("a transaction that has not arrived is sent again, but: %v", err)
	}
	<-r.held
	if err := commit(s, fleet.Change{Key: "k", Old: rec.Revision}); err != nil {
		t.Fatal(err)
	}
	backends := func() string {
		return server.SQL("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'scxmlrun'")
	}
	before := backends()
	close(r.later)
	for backends() == before { // until the one with the late transaction has ended
		<-time.After(10 * time.Millisecond)
	}
	if rec, err := s.Load(t.Context(), "k"); !errors.Is(err, fleet.ErrNotFound) {
		t.Errorf("after its deletion the session is there again: %+v, %v", rec, err)
	}
	create(t, s, "after")
}

// A user who may not create schemas in the database needs no more than one of their own.
func TestUserWithOwnSchema(t *testing.T) {
	server := pgtest.Start(t)
	server.SQL("CREATE ROLE tenant LOGIN; CREATE SCHEMA theirs AUTHORIZATION tenant")
	url := strings.Replace(server.URL(), "user=postgres", "user=tenant", 1)
	s := mustOpen(t, url+"&schema=theirs", Options{})
	if err := commit(s, fleet.Change{Key: "k", New: &fleet.Record{Key: "k"}}); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Open(t.Context(), url+"&schema=other", Options{}); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("Open of a schema that may not be created returns %v", err)
	}
}
