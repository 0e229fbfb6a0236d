package fleet

import (
	"context"
	"sync"
)

// A cache has the sessions that are in use, and some that were lately. It is allowed to be wrong:
// whatever it says is compared with the store before anything depends on it.
type cache struct {
	mu      sync.Mutex // never held while anything waits
	entries map[string]*entry
	idle    entry // ring of entries without users, the one that was used last after it
	kept    int   // length of the ring
	limit   int
	size    int // of the records in the ring
	most    int // for size; 0: without a bound
}

// An entry is what the cache has of a session. One goroutine at a time has its turn.
type entry struct {
	key   string
	turn  chan struct{} // holds a value while nobody has the turn
	users int           // goroutines that have the turn or wait for it
	rec   *record       // as last loaded or stored, or nil
	live  Live          // the session as rec has it, or nil
	size  int           // of rec, while it is in the ring

	before, after *entry // in the ring
}

func (c *cache) init(limit, most int) {
	c.entries, c.limit, c.most = make(map[string]*entry), limit, most
	c.idle.before, c.idle.after = &c.idle, &c.idle
}

// acquire waits for the turn of a key.
func (c *cache) acquire(ctx context.Context, key string) (*entry, error) {
	c.mu.Lock()
	e := c.entries[key]
	if e == nil {
		e = &entry{key: key, turn: make(chan struct{}, 1)}
		e.turn <- struct{}{}
		c.entries[key] = e
	} else if e.users == 0 {
		c.unlink(e)
	}
	e.users++
	c.mu.Unlock()
	select {
	case <-e.turn:
		return e, nil
	default:
	}
	select {
	case <-e.turn:
		return e, nil
	case <-ctx.Done():
		c.leave(e)
		return nil, context.Cause(ctx)
	}
}

// release ends the turn.
func (c *cache) release(e *entry) {
	e.turn <- struct{}{}
	c.leave(e)
}

func (c *cache) leave(e *entry) {
	var old []*entry
	c.mu.Lock()
	if e.users--; e.users == 0 && e.rec == nil {
		delete(c.entries, e.key)
		old = append(old, e)
	} else if e.users == 0 {
		e.before, e.after = &c.idle, c.idle.after
		e.before.after, e.after.before = e, e
		e.size = e.rec.size
		c.kept++
		for c.size += e.size; c.kept > c.limit || c.most > 0 && c.size > c.most; {
			last := c.idle.before
			c.unlink(last)
			delete(c.entries, last.key)
			old = append(old, last)
		}
	}
	c.mu.Unlock()
	for _, e := range old {
		e.drop()
	}
}

func (c *cache) unlink(e *entry) {
	e.before.after, e.after.before = e.after, e.before
	c.kept--
	c.size -= e.size
}

// running reports whether the cache has a session that runs and that nobody works for now.
func (c *cache) running(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	return e != nil && e.users == 0 && e.rec != nil && e.rec.Status == running
}

// clear drops what is not in use, and from now on what comes out of use.
func (c *cache) clear() {
	var old []*entry
	c.mu.Lock()
	c.limit = 0
	for e := c.idle.after; e != &c.idle; e = c.idle.after {
		c.unlink(e)
		delete(c.entries, e.key)
		old = append(old, e)
	}
	c.mu.Unlock()
	for _, e := range old {
		e.drop()
	}
}

// drop forgets what the entry has.
func (e *entry) drop() {
	e.rec = nil
	e.dropLive()
}

func (e *entry) dropLive() {
	if e.live != nil {
		e.live.Close()
		e.live = nil
	}
}
