package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	hostFiles = "hosts/"               // names of the hosts' files begin with this
	heartbeat = 700 * time.Millisecond // between two rounds of a host: it writes its file and reads those of the others
	missed    = 5                      // rounds without a change of its file after which a host counts as dead
	forgotten = 900                    // rounds after which the file of a dead host is removed

	// A host that counted as dead and was alive may be slow for longer. It has more time for an hour, so that its
	// sessions do not come and go.
	missedBySlow = 22
	slowRounds   = int(time.Hour / heartbeat)
)

// hosts are those that share a store, as one of them sees them: each session has one host that works for
// it, and all hosts that see the same members agree on which. Nothing depends on that but speed: if two
// hosts work for a session, one of them loses each swap.
//
// No host compares its clock with another's: it counts the rounds in which another's file has stayed the
// same. So a host that stood still finds nobody dead when it continues.
type hosts struct {
	f    *Fleet
	self string
	run  uint64 // tells apart processes with the same name

	// Of the goroutine that does the rounds.
	rounds uint64 // that were completed
	seen   map[string]*sighting
	wrote  []byte

	mu      sync.Mutex // never held while anything waits
	members []member   // that are alive; empty until this host has joined
	mixed   bool       // they know different charts
}

// A sighting is what a host knows of another's file.
type sighting struct {
	text []byte
	run  uint64
	same int // rounds since it changed
	slow int // rounds for which it has more time
}

// see notes what the file says in a round.
func (s *sighting) see(text []byte) {
	s.slow = max(0, s.slow-1)
	if string(s.text) == string(text) {
		s.same++
		return
	}
	var file hostFile
	_ = json.Unmarshal(text, &file)
	if s.dead() && file.Run == s.run {
		s.slow = slowRounds
	}
	s.text, s.run, s.same = text, file.Run, 0
}

func (s *sighting) dead() bool {
	return s.same >= missed && (s.slow == 0 || s.same >= missedBySlow)
}

// A member is a host that is alive.
type member struct {
	name   string
	seed   uint64
	charts map[uint32]bool // that it knows
}

// A hostFile is what a host says of itself.
type hostFile struct {
	Run    uint64   `json:"run"`
	Round  uint64   `json:"round"`
	Charts []uint32 `json:"charts"` // checksums of what it can run
}

func newHosts(f *Fleet) *hosts {
	return &hosts{f: f, self: f.cfg.Host, run: rand.Uint64(), seen: make(map[string]*sighting)}
}

// checkHost reports whether a text can be the name of a host.
func checkHost(name string) error {
	if name != "" && (checkKey(name) != nil || len(name) > 100) {
		return fmt.Errorf("%.120q is not the name of a host: want at most 100 letters, digits and . _ : @ -, the first of them a letter or digit", name)
	}
	return nil
}

// round tells the others of this host, and looks for them. It reports whether the members have changed,
// and whether one of them has died. If it fails, all remains as it was.
func (c *hosts) round(ctx context.Context) (changed, died bool, err error) {
	charts := c.f.checksums()
	text, err := json.Marshal(hostFile{c.run, c.rounds, slices.Sorted(maps.Keys(charts))})
	if err != nil {
		return false, false, err
	}
	names, err := c.f.store.Files(ctx, hostFiles)
	if err != nil {
		return false, false, err
	}
	found := make(map[string][]byte)
	for _, name := range names {
		data, err := c.f.store.File(ctx, name)
		switch {
		case err == nil:
			found[strings.TrimPrefix(name, hostFiles)] = data
		case !errors.Is(err, ErrNotFound):
			return false, false, err
		}
	}
	if old := found[c.self]; c.wrote != nil && old != nil && string(old) != string(c.wrote) {
		var other hostFile
		if json.Unmarshal(old, &other) == nil && other.Run != c.run {
			c.f.cfg.Logger.Error("another process has the name of this host", "host", c.self)
		}
	}
	if err := c.f.store.PutFile(ctx, hostFiles+c.self, text); err != nil {
		return false, false, err
	}
	c.wrote = text
	c.rounds++
	delete(found, c.self)

	members := []member{{c.self, hashOf(c.self), charts}}
	maps.DeleteFunc(c.seen, func(name string, _ *sighting) bool { return found[name] == nil })
	for name, text := range found {
		s := c.seen[name]
		if s == nil {
			s = new(sighting)
			c.seen[name] = s
		}
		s.see(text)
		switch {
		case !s.dead():
			members = append(members, newMember(name, text))
		case s.same >= forgotten:
			_ = c.f.store.PutFile(ctx, hostFiles+name, nil) // or in the next round
		}
	}
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return c.set(members)
}

// set replaces the members. A host that finds others joins in its second round, when they have seen it.
func (c *hosts) set(members []member) (changed, died bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rounds == 1 && len(members) > 1 {
		return false, false, nil
	}
	same := func(a, b member) bool { return a.name == b.name && maps.Equal(a.charts, b.charts) }
	if slices.EqualFunc(c.members, members, same) {
		return false, false, nil
	}
	for _, m := range c.members {
		died = died || c.seen[m.name] != nil && c.seen[m.name].dead()
	}
	c.members = members
	c.mixed = slices.ContainsFunc(members, func(m member) bool { return !maps.Equal(m.charts, members[0].charts) })
	return true, died, nil
}

// leave tells the others that this host does not work any more.
func (c *hosts) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), heartbeat)
	defer cancel()
	if err := c.f.store.PutFile(ctx, hostFiles+c.self, nil); err != nil {
		c.f.cfg.Logger.Warn("cannot tell other hosts that this one ends", "host", c.self, "error", err)
	}
}

// joined reports whether this host takes part.
func (c *hosts) joined() bool {
	if c == nil {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.members) > 0
}

// names returns the names of the members.
func (c *hosts) names() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	names := make([]string, len(c.members))
	for i, m := range c.members {
		names[i] = m.name
	}
	return names
}

// owner returns the host that works for a session: of those that know its version of its chart, the one
// with the highest score for its key. When a host comes or goes, only its sessions move. If v is the zero
// version, and it matters, sure is false.
func (c *hosts) owner(key string, v version) (name string, sure bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mixed && v == (version{}) {
		return "", false
	}
	chart, hash := v.checksum(), hashOf(key)
	var best uint64
	known := false // best is the score of a host that knows the chart
	for _, m := range c.members {
		knows := c.mixed && m.charts[chart]
		if score := mix(hash ^ m.seed); name == "" || knows && !known || knows == known && score > best {
			name, best, known = m.name, score, knows
		}
	}
	return name, true
}

// mine reports whether this host works for a session. Without its version it may be wrong to say so.
func (c *hosts) mine(key string, v version) bool {
	if c == nil {
		return true
	}
	name, sure := c.owner(key, v)
	return name == c.self || !sure
}

func newMember(name string, text []byte) member {
	var file hostFile
	_ = json.Unmarshal(text, &file) // by a later version of this package, perhaps: a host all the same
	m := member{name, hashOf(name), make(map[uint32]bool)}
	for _, sum := range file.Charts {
		m.charts[sum] = true
	}
	return m
}

// checksums returns those of the charts that the fleet knows.
func (f *Fleet) checksums() map[uint32]bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	sums := make(map[uint32]bool, len(f.charts))
	for v := range f.charts {
		sums[v.checksum()] = true
	}
	return sums
}

func (v version) checksum() uint32 { return uint32(hashOf(v.name + "\x00" + v.hash)) }

func hashOf(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // never fails
	return mix(h.Sum64())
}

// mix changes half of the bits for each bit of n that changes. It is the end of MurmurHash3.
func mix(n uint64) uint64 {
	n = (n ^ n>>33) * 0xff51afd7ed558ccd
	n = (n ^ n>>33) * 0xc4ceb9fe1a85ec53
	return n ^ n>>33
}

// Hosts returns the names of the hosts that work for the sessions of the store, this one included, as the
// Run in progress sees them. There are none before it has joined the others, and without [Config].Host.
func (f *Fleet) Hosts() []string {
	if r := f.hub.runner(); r != nil && r.hosts != nil {
		return r.hosts.names()
	}
	return nil
}

// join takes part in the work until ctx is done.
func (r *runner) join() {
	ticker := time.NewTicker(heartbeat)
	defer ticker.Stop()
	log := r.f.cfg.Logger.With("host", r.hosts.self)
	failed := false
	for r.ctx.Err() == nil {
		ctx, cancel := context.WithTimeout(r.ctx, missed*heartbeat)
		changed, died, err := r.hosts.round(ctx)
		cancel()
		if err != nil && !failed && r.ctx.Err() == nil {
			log.Error("cannot tell other hosts of this one, or look for them", "error", err)
		}
		failed = err != nil
		if changed {
			names := r.hosts.names()
			log.Info("this host works for its share of the sessions", "hosts", names, "share", fmt.Sprintf("1/%d", len(names)), "died", died)
			r.reshare(died)
		}
		select {
		case <-r.ctx.Done():
		case <-ticker.C:
		}
	}
}

// reshare begins to work for other sessions, and ends to work for some.
func (r *runner) reshare(died bool) {
	r.mu.Lock()
	if died { // it may have been the fault of a session
		r.since, r.room = r.f.cfg.Now(), firstTrials
		clear(r.noted)
	}
	for key := range r.retries {
		if !r.hosts.mine(key, version{}) {
			delete(r.retries, key)
		}
	}
	for _, ex := range r.executions {
		if ex.cancel != nil && !r.hosts.mine(ex.key, ex.version) {
			ex.cancel()
		}
	}
	r.mu.Unlock()
	r.lookAgain()
}

// hinted hears from the store that another process has changed a record.
func (r *runner) hinted(key string) {
	r.f.hub.tell(key)
	if key == "" {
		r.lookAgain()
	} else {
		r.ready(key)
	}
}

// watch passes on the hints of the store until ctx is done.
func (r *runner) watch(store Watcher) {
	for n := 1; r.ctx.Err() == nil; n++ {
		began := time.Now()
		err := store.Watch(r.ctx, r.hinted)
		if r.ctx.Err() != nil {
			return
		}
		r.f.cfg.Logger.Warn("the store does not tell of changes; trying again", "error", err)
		if time.Since(began) > time.Minute {
			n = 1
		}
		if r.pause(r.ctx, backoff(n), err, nil) {
			r.lookAgain()
		}
	}
}
