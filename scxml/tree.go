package scxml

import (
	"errors"
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
	pcg     *rand.PCG // nil until needed, like rng
	rng     *rand.Rand

	sessions []*Session // in the order of creation
	timers   timers     // pending
	seq      uint64
	turn     int32 // whose turn it is
	seeded   bool
	serving  bool // the owner is inside a function given to Call

	abandoned bool // see Abandon

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

// errBusy reports a second owner.
var errBusy = errors.New("scxml: the session is already being driven: do not call Start, Step, Advance or Run from its callbacks or from two goroutines")

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

func (t *tree) random() *rand.Rand {
	if t.rng == nil {
		if !t.seeded {
			t.seed = rand.Uint64()
		}
		t.pcg = rand.NewPCG(t.seed, 0)
		t.rng = rand.New(t.pcg)
	}
	return t.rng
}

// find returns the session that target names in a <send> of from, or nil (REC C.1).
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
		if t.directory != nil {
			return t.directory.session(strings.TrimPrefix(target, scxmlAddress))
		}
	}
	return nil
}

func (t *tree) enter() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy {
		return errBusy
	}
	t.busy = true
	return nil
}

func (t *tree) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.leaveLocked()
}

// leaveLocked is leave for a caller that holds mu.
func (t *tree) leaveLocked() {
	t.serving = false // a call may have panicked
	t.busy = false
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
