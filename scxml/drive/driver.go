package drive

import (
	"context"
	"errors"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// Config says what a driver drives, and how. Chart and Front are needed, all else is optional.
type Config struct {
	Chart   *scxml.Chart
	Front   Front
	Kinds   record.Set     // of the records that Front is told
	Options []scxml.Option // of the session; the driver sets clock, trace and, if Seed is not nil, seed
	Saved   []byte         // a snapshot of the session that is to continue
	Seed    *uint64
	Virtual bool // the clock is a virtual one

	Restoring []scxml.RestoreOption // besides Options, for a session of Saved
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
	end      End
	saved    bool // Save was called
	maps     map[*scxml.Chart]*chartMap

	hadInputs bool
}

// New returns a driver for a new session, or for one that was saved. The error is
// that of [scxml.New] or [scxml.Restore].
func New(cfg Config) (*Driver, error) {
	d := &Driver{cfg: cfg, start: time.Now()}
	if d.cfg.Virtual {
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
	if d.cfg.Virtual { // it goes on where it was
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
// more inputs, or until ctx is done. Inputs are taken one after the other; nil
// stands for nobody who has anything to say. The session is stopped at the end.
//
// The error is that of the session, such as a [*scxml.LimitError], or of the front.
// It is nil when the session was stopped, also because ctx is done, or has timed out.
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
