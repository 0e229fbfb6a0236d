package drive

import (
	"context"
	"errors"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// Config says what a driver drives, and how. Chart and Front are needed, all else
// is optional.
type Config struct {
	Chart *scxml.Chart
	Front Front
	Kinds record.Set // of the records that Front is told

	// Options are of the session. The driver adds a clock, a trace and the seed.
	Options []scxml.Option
	// Saved is a snapshot of the session that is to continue. It has its own seed.
	Saved []byte
	// Restoring is what only a session of Saved takes, besides Options.
	Restoring []scxml.RestoreOption
	// Seed is that of a new session; nil is a random one.
	Seed *uint64
	// Virtual says that the clock is a virtual one, and not that of the wall.
	Virtual bool

	// File and Version are for the Hello record.
	File, Version string

	// Timeout bounds the chart time since the start; 0 is no bound. If it is nil
	// a virtual clock is stopped after [DefaultTimeout] without input.
	Timeout *time.Duration

	// Reachable says that events can come from elsewhere, so that the session does
	// not end when it has nothing left to do.
	Reachable bool

	// Save is given a snapshot before the session is stopped, or after it has
	// ended by itself. With it the session is stopped when there are no more
	// inputs, with everything that is pending.
	Save func(snapshot []byte) error
}

// VirtualStart is when a virtual clock starts.
var VirtualStart = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// A Driver runs a session in real or virtual time. It owns the session:
// everything happens on the goroutine that calls Run, which waits for inputs, for the
// time of the next delayed event, and for what is under way elsewhere.
type Driver struct {
	cfg      Config
	session  *scxml.Session
	recorder *record.Recorder
	ctx      context.Context // of the run

	start   time.Time // chart time 0
	present time.Time // what the session's clock says
	target  time.Time // the time that is to be reached; the wall clock's on the real clock
	busy    bool      // the session may have something to do now

	deadline time.Time       // zero: none
	answers  []record.Record // the answers to give at rest
	told     int64           // records
	written  int             // bytes, about, by the present macrostep
	failure  error           // a limit of the driver, not of the session, was exceeded
	maps     map[*scxml.Chart]*chartMap

	end       End
	saved     bool // Save was called
	hadInputs bool // there was somebody who could say something
}

// New returns a driver for a new session, or for one that was saved. The error is
// that of [scxml.New] or [scxml.Restore].
func New(cfg Config) (*Driver, error) {
	d := &Driver{cfg: cfg, start: time.Now()}
	if cfg.Virtual {
		d.start = VirtualStart
	}
	if cfg.Timeout != nil && *cfg.Timeout > 0 {
		d.deadline = d.start.Add(*cfg.Timeout)
	}
	d.present, d.target = d.start, d.start
	d.recorder = record.NewRecorder(d.start, cfg.Kinds, d.tell)
	options := append(cfg.Options[:len(cfg.Options):len(cfg.Options)],
		scxml.WithClock(func() time.Time { return d.present }), scxml.WithTrace(d.recorder.Trace()))
	if cfg.Seed != nil && cfg.Saved == nil {
		options = append(options, scxml.WithSeed(*cfg.Seed))
	}
	var err error
	if cfg.Saved == nil {
		d.session, err = scxml.New(cfg.Chart, options...)
		return d, err
	}
	if d.session, err = scxml.Restore(cfg.Chart, cfg.Saved, append(cfg.Restoring[:len(cfg.Restoring):len(cfg.Restoring)], scxml.Options(options))...); err != nil {
		return nil, err
	}
	if cfg.Virtual { // it continues where it was
		left := d.deadline.Sub(d.start)
		d.start = d.session.Now()
		d.present, d.target = d.start, d.start
		if !d.deadline.IsZero() {
			d.deadline = d.start.Add(left)
		}
	}
	return d, nil
}

// An End says how a run has ended.
type End struct {
	Elapsed       time.Duration // chart time since the start
	TimedOut      bool          // Timeout has passed
	Final         string        // the top-level final state that was reached, or ""
	Configuration []string      // the last one of the root before it was stopped; nil if it has ended by itself
	InputErr      error         // of the Input that failed
	SaveErr       error         // of Save
}

// Run runs the session until it ends, until nothing is pending and there are no
// more inputs, or until ctx is done or the front has failed. Inputs are taken one
// after the other; without anyone who has something to say the channel is nil. The
// session is stopped at the end.
//
// The error says what has gone wrong with the session, a [*scxml.LimitError] or a
// limit of the driver. It is nil when the session was stopped for any other reason.
func (d *Driver) Run(ctx context.Context, inputs <-chan Input) (End, error) {
	d.ctx, d.hadInputs = ctx, inputs != nil
	d.hello()
	err := d.loop(ctx, inputs)
	if stopErr := d.stop(); err == nil {
		err = stopErr
	}
	d.save()
	if limit := d.session.Err(); err == nil && limit != nil && !errors.Is(limit, scxml.ErrStopped) {
		err = limit
	}
	d.end.Final, d.end.Elapsed = d.session.FinalState(), d.elapsed()
	return d.end, err
}
