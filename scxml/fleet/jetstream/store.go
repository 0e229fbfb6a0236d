package jetstream

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
)

type lists = index.Lists

// A Store is a [fleet.Store] in NATS JetStream. Use Open to get one. It is also a [fleet.Watcher] and a [fleet.Counter].
type Store struct {
	lists  // Due, Pending and Len
	cfg    config
	opts   Options
	nc     *nats.Conn
	js     js.JetStream
	shards []*shard
	files  *shard

	id     string // begins the id of each message that this Store writes
	writes atomic.Uint64

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	work   sync.WaitGroup // goroutines

	mu        sync.Mutex // never held while anything waits
	calls     sync.WaitGroup
	closed    bool
	failed    error // a stream is not the one that it was
	noted     bool  // by the goroutine that writes marks: the servers have a note of that
	index     index.Index
	about     map[string]about
	texts     map[string]string // those of about, each once
	names     map[string]bool   // of files
	histories histories
	watchers  map[*watcher]bool
}

// A shard is a stream: one with records, or that of the files.
type shard struct {
	s      *Store
	name   string // of the stream
	prefix string // of its subjects
	ttl    bool   // messages may say how long they are kept
	ready  chan struct{}
	sender
	follow

	stored atomic.Uint64 // the last sequence that this process knows to be stored
	marked mark          // in the stream of the files, as far as this process knows
}

// Options say how a store is opened. The zero value works.
type Options struct {
	// Watermark is a local file that notes once a second what the servers have acknowledged to this
	// process, so that the next Open can tell that they have forgotten some of it. "" keeps none.
	Watermark string
	// ReadOnly refuses to create a store, and to write.
	ReadOnly bool
	// NATS are options for the connections, besides those of the URL.
	NATS []nats.Option
}

// Open connects to servers and opens a store in them, and creates it unless there is one. The URL is
//
//	nats://USER:PASSWORD@HOST:PORT,HOST:PORT/NAME?SETTING=VALUE&…
//
// with tls instead of nats for servers that want TLS. NAME begins the names of the streams. The settings:
//
//	replicas=N         servers that have a copy of each record: 1, 3 or 5; default 3
//	shards=N           streams over which the sessions are spread; default 4, fixed when the store is created
//	sync=unchecked     do not ask the servers whether they sync each write
//	creds=FILE         credentials of NATS
//	tls-ca=FILE        certificates to trust, tls-cert=FILE and tls-key=FILE those of the client
//
// What the URL does not have is taken from the environment: NATS_USER, NATS_PASSWORD, NATS_TOKEN and
// NATS_CREDS, a file. Open reads the headers of all records.
//
// The servers must sync each write. Open asks them as a user of the system account, whom the variable
// NATS_SYSTEM names, as USER:PASSWORD or a file of credentials. If there is none, the URL must say
// sync=unchecked.
//
// The error is [fleet.ErrLost] if a stream is missing, or has less than was acknowledged. What looks like that
// while servers fail or elect a leader is read again for 20 seconds. The error is [fleet.ErrUnavailable] if
// no server answers, or they elect a leader: try again later.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	c, err := parse(url)
	if err != nil {
		return nil, fmt.Errorf("cannot open store: %w", err)
	}
	c.options = append(c.options, o.NATS...)
	s, err := open(ctx, c, o)
	if later(err) {
		err = fmt.Errorf("%w: %w", fleet.ErrUnavailable, err)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot open store %s: %w", c.place(), err)
	}
	return s, nil
}

func open(ctx context.Context, c config, o Options) (*Store, error) {
	s := &Store{
		cfg: c, opts: o, id: nuid.Next(), about: map[string]about{}, texts: map[string]string{}, names: map[string]bool{}, watchers: map[*watcher]bool{},
	}
	s.lists = index.NewLists(s.withIndex)
	var err error
	if s.nc, err = c.connect(nats.ReconnectHandler(func(*nats.Conn) { s.gap() })); err != nil {
		return nil, err
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if err = c.checkSync(ctx); err == nil {
		err = s.openStreams(ctx)
	}
	for _, sh := range append(slices.Clone(s.shards), s.files) {
		if err == nil {
			err = sh.begin()
		}
	}
	for _, sh := range append(slices.Clone(s.shards), s.files) {
		if err == nil {
			select {
			case <-sh.ready:
			case <-ctx.Done():
				err = context.Cause(ctx)
			}
		}
	}
	if err == nil {
		err = s.compareSums(ctx)
	}
	if err != nil {
		s.opts.ReadOnly = true // it has nothing to note
		s.stop()
		return nil, err
	}
	if !o.ReadOnly {
		s.work.Go(s.mark)
	}
	return s, nil
}

// Close waits for the calls that are under way, which end soon, and closes the connection.
func (s *Store) Close() error {
	s.mu.Lock()
	closed := s.closed
	s.closed = true
	s.mu.Unlock()
	if closed {
		return fleet.ErrClosed
	}
	s.stop()
	return nil
}

func (s *Store) stop() {
	s.cancel()
	s.calls.Wait()
	if !s.opts.ReadOnly {
		s.catchUp(time.Second)
	}
	for _, sh := range append(slices.Clone(s.shards), s.files) {
		if sh != nil {
			sh.end()
		}
	}
	s.work.Wait()
	if !s.opts.ReadOnly {
		s.writeMarks()
	}
	s.nc.Close()
}

// begin begins a call. If it returns nil, the caller calls s.calls.Done at its end.
func (s *Store) begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fleet.ErrClosed
	}
	if s.failed != nil {
		return s.failed
	}
	s.calls.Add(1)
	return nil
}

// errReadOnly refuses writes.
var errReadOnly = errors.New("the store is open for reading only")

// write begins a call that writes, as begin does.
func (s *Store) write(ctx context.Context) error {
	if s.opts.ReadOnly {
		return errReadOnly
	}
	return s.begin(ctx)
}

// pause waits between two attempts. It ends early when the store is closed, or ctx is done.
func (s *Store) pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-s.ctx.Done():
		return fleet.ErrClosed
	}
}

// nextID returns an id for a message.
func (s *Store) nextID() string { return s.id + strconv.FormatUint(s.writes.Add(1), 36) }

// own reports whether this Store has written a message.
func (s *Store) own(id string) bool { return strings.HasPrefix(id, s.id) }

// shard returns the shard of a key. The number of shards never changes.
func (s *Store) shard(key string) *shard {
	h := fnv.New32a()
	h.Write([]byte(key))
	return s.shards[h.Sum32()%uint32(len(s.shards))]
}

func (sh *shard) subject(key string) string {
	if sh == sh.s.files {
		return sh.prefix + ".f." + "_" + escape(key) // which may be empty
	}
	return sh.prefix + ".r." + escape(key)
}

// histories are the logs of sessions that were used lately.
type histories struct {
	all  map[string]known
	size int
}

type known struct {
	revision uint64
	trail    []step
	history
}

const historiesSize = 64 << 20

func (k known) bytes() int { return k.size() + 250 }

// remember notes the history of a record. The caller has the lock.
func (h *histories) remember(key string, k known) {
	if h.all == nil {
		h.all = map[string]known{}
	}
	h.forget(key)
	h.all[key] = k
	h.size += k.bytes()
	for other := range h.all { // any
		if h.size <= historiesSize || other == key {
			break
		}
		h.forget(other)
	}
}

func (h *histories) forget(key string) {
	if k, ok := h.all[key]; ok {
		h.size -= k.bytes()
		delete(h.all, key)
	}
}
