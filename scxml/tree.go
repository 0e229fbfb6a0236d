package scxml

import (
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// tree is what a session shares with the sessions it invokes: one owner, one clock and one list of
// timers.
type tree struct {
	*config         // immutable, and may be shared
	limits  *Limits // likewise; with all defaults
	now     time.Time
	seed    uint64
	random  *random // nil until needed

	collector *collector // of Do; nil before its first call

	sessions []*Session // in the order of creation
	timers   timers     // pending
	seq      uint64
	turn     int32 // whose turn it is
	seeded   bool
	serving  bool // the owner is inside a function given to Call

	abandoned bool // see Abandon
	told      bool // the host knows that there is work, see WithWake; guarded by mu

	mu    sync.Mutex // guards the following, and the external queues
	ready table.Set  // by place in sessions: which may have work, see turns.go; nil while there is one session
	busy  bool       // Start, Step or another driver is running
	asked bool       // calls or stop may be set
	stop  bool
	news  bool // arrived of some session may not be 0
	// outside counts the work in progress outside that may send an event.
	outside int32
	wake    chan struct{}
	calls   []*call
}

// call is work for the owner between two macrosteps.
type call struct {
	f    func()
	done chan error // gets nil when f has run, ErrEnded if it will not; nil if nobody waits
}

func newTree(chart *Chart, cfg *config) *tree {
	t := new(tree)
	t.init(chart, cfg)
	return t
}

// init sets the options of a tree for sessions of chart.
func (t *tree) init(chart *Chart, cfg *config) {
	t.config, t.seed, t.seeded = cfg, cfg.seed, cfg.seeded
	t.limits = &chart.limits
	if cfg.limits != nil {
		limits := cfg.limits.withDefaults()
		t.limits = &limits
	}
}

// random is where the random numbers of a tree come from.
type random struct {
	pcg rand.PCG
	*rand.Rand
}

func newRandom() *random {
	r := new(random)
	r.Rand = rand.New(&r.pcg)
	return r
}

func (t *tree) rand() *rand.Rand {
	if t.random == nil {
		if !t.seeded {
			t.seed = rand.Uint64()
		}
		t.random = newRandom()
		t.random.pcg.Seed(t.seed, 0)
	}
	return t.random.Rand
}

// find returns the session of the tree that target names in a <send> of from, or nil (REC C.1).
func (t *tree) find(from *Session, target string) *Session {
	switch {
	case target == "":
		return from
	case target == "#_parent":
		return from.parent // nil for the root
	case strings.HasPrefix(target, scxmlAddress):
		for _, s := range t.sessions {
			if s.address() == target {
				return s
			}
		}
	}
	return nil
}

// enter makes the caller the owner. A driver does all the work there is: what it
// leaves undone is news to the host, see unlock.
func (t *tree) enter(driver bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy {
		return ErrDriven
	}
	t.busy = true
	if driver {
		t.told = false
	}
	return nil
}

func (t *tree) leave() {
	t.mu.Lock()
	t.leaveLocked()
	t.unlock()
}

// leaveLocked is leave for a caller that holds mu.
func (t *tree) leaveLocked() {
	t.serving = false // a call may have panicked
	t.busy = false
}

// unlock releases mu, and then calls the function of [WithWake] if there is work that no driver is at
// and that has not been reported to the host.
func (t *tree) unlock() {
	wake := t.onWake != nil && !t.busy && !t.told && t.hasWork()
	if wake {
		t.told = true
	}
	root := t.sessions[0]
	t.mu.Unlock()
	if wake {
		t.onWake(root)
	}
}

// wakeUp makes Run look for work. The caller holds t.mu.
func (t *tree) wakeUp() {
	if t.wake != nil {
		select {
		case t.wake <- struct{}{}:
		default:
		}
	}
}
