package copies

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/inspect"
)

// Config configures [Copies]. Fleet is required.
type Config struct {
	Fleet *fleet.Fleet

	// Options are further options of the sessions that are copies. They follow those of [fleet.Define]:
	// the last function or action with a name counts.
	Options []scxml.Option

	Copies   int           // at the same time; 0 means 8
	Bytes    int           // of the history of a copy, and of each of its up to 8 branches; 0 means 4 MB
	Idle     time.Duration // after which a copy that nobody uses is closed; 0 means 10 minutes
	StepTime time.Duration // of a request of the page; 0 means 10 s
}

const (
	maxBranches = 8 // of a copy
	// left is how long a copy outlives its last page, which may be loading again.
	left = time.Minute
	// host is the name of the inspector in its requests, see [Copies.Handler].
	host = "copy"
)

// Copies are copies of sessions. They are for the Copies of a rest.Config. All methods are safe for
// concurrent use.
type Copies struct {
	cfg Config

	mu   sync.Mutex
	open map[string]*opened // by id
}

// An opened copy is one that can be looked at.
type opened struct {
	inspector *inspect.Inspector
	used      time.Time
	pages     int         // that are open
	closing   *time.Timer // closes the copy unless it is used
}

// New returns an empty set of copies.
func New(cfg Config) *Copies {
	cfg.Copies = cmp.Or(max(0, cfg.Copies), 8)
	cfg.Bytes = cmp.Or(max(0, cfg.Bytes), 4<<20)
	cfg.Idle = cmp.Or(max(0, cfg.Idle), 10*time.Minute)
	cfg.StepTime = cmp.Or(max(0, cfg.StepTime), 10*time.Second)
	return &Copies{cfg: cfg, open: map[string]*opened{}}
}

// Open copies a session and returns the id of the copy. The error is [fleet.ErrNoCopy] if the session is
// not one in this process, and otherwise one of [fleet.Fleet.Copy] or [scxml.Restore].
func (c *Copies) Open(ctx context.Context, key string) (id string, err error) {
	all, err := c.sessions(ctx, key)
	if err != nil {
		return "", err
	}
	o := &opened{used: time.Now(), inspector: inspect.New(inspect.Config{
		Access: func(*http.Request) inspect.Access { return inspect.Full }, Remote: true, AllowHosts: []string{host},
		MaxBranches: maxBranches, MaxStreams: 4, MaxRequests: 8, Timeout: c.cfg.StepTime,
	})}
	for _, s := range all {
		o.inspector.Add(s)
	}
	id = strings.ToLower(rand.Text())
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.open) >= c.cfg.Copies {
		c.drop(c.oldest())
	}
	c.open[id] = o
	o.closing = time.AfterFunc(min(left, c.cfg.Idle), func() { c.expire(id) })
	return id, nil
}

// Close closes a copy, and reports whether there was one with the id.
func (c *Copies) Close(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.drop(id)
}

// Handler returns the handler for the requests of a copy's page, which PROTOCOL.md of package inspect
// describes, or nil if there is no copy with the id. Whoever calls it has checked where a request comes
// from and who sends it: the inspector gets it as a request that may do everything.
func (c *Copies) Handler(id string) http.Handler {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.open[id]
	if o == nil {
		return nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := r.URL.Path == "/api/events"
		c.use(o, page, 1)
		defer c.use(o, page, -1)
		own := r.Clone(r.Context())
		own.Host, own.Header = host, http.Header{"Content-Type": r.Header["Content-Type"]}
		o.inspector.ServeHTTP(w, own)
	})
}

// use notes that a request, which may be an open page, begins or ends.
func (c *Copies) use(o *opened, page bool, by int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o.used = time.Now()
	if page {
		o.pages += by
	}
	o.closing.Reset(c.patience(o))
}

// patience is how long a copy may stay unused. The caller holds mu.
func (c *Copies) patience(o *opened) time.Duration {
	if o.pages > 0 {
		return c.cfg.Idle
	}
	return min(left, c.cfg.Idle)
}

// expire closes a copy that was not used for too long.
func (c *Copies) expire(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if o := c.open[id]; o != nil && time.Since(o.used) >= c.patience(o) { // it may have been used meanwhile
		c.drop(id)
	}
}

// oldest returns the id of the copy that was not used for longest. The caller holds mu.
func (c *Copies) oldest() (id string) {
	for other, o := range c.open {
		if id == "" || o.used.Before(c.open[id].used) {
			id = other
		}
	}
	return id
}

// drop ends the pages of a copy and forgets it. The caller holds mu.
func (c *Copies) drop(id string) bool {
	o := c.open[id]
	if o == nil {
		return false
	}
	delete(c.open, id)
	o.closing.Stop()
	o.inspector.Close()
	return true
}
