package scxml

import (
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// tree is what a session shares with the sessions that it invokes: they have
// one owner, one clock and one list of timers.
type tree struct {
	*config         // it does not change, and may be shared
	limits  *Limits // likewise; with all defaults
	now     time.Time
	seed    uint64
	pcg     *rand.PCG // nil until it is needed, as is rng
	rng     *rand.Rand

	sessions []*Session // in the order of creation
	timers   timers     // pending
	seq      uint64
	turn     int32 // whose turn it is
	seeded   bool
	serving  bool // the owner is in a function given to Call

	abandoned bool // see Abandon

	mu    sync.Mutex // guards the following, and the external queues
	ready table.Set  // by place in sessions: who may have something to do, see turns.go; nil while there is one session
	busy  bool       // somebody is inside Start, Step, …
	asked bool       // calls or stop may be set
	stop  bool
	news  bool // some session's arrived may not be 0
	// outside is how many things are under way outside that may send an event.
	outside int32
	wake    chan struct{}
	calls   []*call
}

// call is something that the owner is to do between two macrosteps.
type call struct {
	f    func()
	done chan error // gets nil when f has run, ErrEnded if it will not; nil: nobody waits
}

// errBusy is misuse: a second owner.
var errBusy = errors.New("scxml: the session is being driven already: Start, Step, Advance and Run need it for themselves, and cannot be called from its callbacks")

func newTree(chart *Chart, cfg *config) *tree {
	t := new(tree)
	t.init(chart, cfg)
	return t
}

// init gives a tree for sessions of chart its options.
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

// find returns the session that target names for a <send> of from, or nil
// (REC C.1).
func (t *tree) find(from *Session, target string) *Session {
	switch {
	case target == "":
		return from
	case target == "#_parent":
		return from.parent // nil for a session that nobody has invoked
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
