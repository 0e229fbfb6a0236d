package drive

import (
	"context"
	"errors"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// Config configures a driver. Chart and Front are required.
type Config struct {
	Chart *scxml.Chart
	Front Front
	Kinds record.Set // of the records for Front

	// Options are options of the session. The driver adds a clock, a trace and the seed.
	Options []scxml.Option
	// Saved is the snapshot of a session to continue. It has its own seed.
	Saved []byte
	// Restoring are additional options for a session of Saved.
	Restoring []scxml.RestoreOption
	// Seed is the seed of a new session; nil means a random one.
	Seed *uint64
	// Virtual makes the clock a virtual one instead of the wall clock.
	Virtual bool
	// Hurry allows commands to advance the real clock, which is then ahead of the wall clock.
	Hurry bool

	// Listen returns what listens to the session from its beginning, such as a history, given all
	// options of the session but clock, trace and seed; nil: nothing does.
	Listen func(*scxml.Chart, []scxml.Option) (Listener, error)

	// Attach is called with the session before it is started or continued; nil: nothing is.
	Attach func(*scxml.Session) error

	// File and Version are for the Hello record.
	File, Version string

	// Timeout bounds the chart time since the start; 0 means no bound. If it is nil, a session on a
	// virtual clock is stopped after [DefaultTimeout] without input. On the real clock it also
	// interrupts scripts, see [Overtime].
	Timeout *time.Duration

	// Overslept is called when a delayed event is more than Gap late on the wall clock: the program
	// was stopped, or the machine asleep. The session's time is still that before the gap, and what
	// the input causes is done at that time, so that a game can be paused when it was left. Then the
	// time is the present. nil: a gap is like any other time.
	Overslept Input

	// Reachable says that events can come from elsewhere, so the session does not end when it has
	// nothing left to do.
	Reachable bool

	// Slice bounds the wall-clock time of one call of Next; 0 means no bound.
	Slice time.Duration

	// Save receives a snapshot before the session is stopped, or after it has ended by itself. If
	// Save is set, the session is stopped at the end of input together with everything that is
	// pending.
	Save func(snapshot []byte) error
}

// A Listener listens to a session from its beginning, as a history of package history does.
type Listener interface {
	// Option is an option of the session.
	Option() scxml.Option
	// Attach is called with a session of Saved before it continues.
	Attach(*scxml.Session) error
	// Changed is called when a command has changed the session between two steps: it has called Cancel
	// (a record of kind Cancel) or evaluated an expression (Value).
	Changed(*record.Record)
}

// VirtualStart is the start time of a virtual clock.
var VirtualStart = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// A Driver runs a session in real or virtual time. It owns the session: everything happens on the
// goroutine that calls Run, which waits for inputs, the next delayed event, and work outside.
type Driver struct {
	cfg      Config
	session  *scxml.Session
	recorder *record.Recorder
	listener Listener        // nil for none
	ctx      context.Context // of the run, until its timeout
	cancel   func()          // releases ctx

	start   time.Time     // chart time 0
	present time.Time     // the session's time
	target  time.Time     // the time to reach; on the real clock the present
	ahead   time.Duration // of the wall clock
	busy    bool          // the session may have work now

	later  []func(Session) // of Later
	waking bool            // Overslept is being called
	awake  time.Time       // when it was called last

	deadline time.Time       // zero for none
	answers  []record.Record // to give at rest
	told     int64           // number of records
	written  int             // approximate bytes of the present macrostep
	failure  error           // an exceeded limit of the driver, not of the session
	maps     map[*scxml.Chart]*chartMap

	end       End
	begun     bool // Next was called
	saved     bool // Save was called
	hadInputs bool // there was a channel of inputs

	macrosteps int       // since the last rest, or the time at
	at         time.Time // of a virtual clock
}

// New returns a driver for a new session, or for a saved one. The error is that of [scxml.New],
// [scxml.Restore] or Attach.
func New(cfg Config) (*Driver, error) {
	d := &Driver{cfg: cfg, cancel: func() {}, start: time.Now()}
	if cfg.Virtual {
		d.start = VirtualStart
	}
	if cfg.Timeout != nil && *cfg.Timeout > 0 {
		d.deadline = d.start.Add(*cfg.Timeout)
	}
	d.present, d.target = d.start, d.start
	d.recorder = record.NewRecorder(d.start, cfg.Kinds, d.tell)
	if cfg.Listen != nil {
		var err error
		if d.listener, err = cfg.Listen(cfg.Chart, cfg.Options); err != nil {
			return nil, err
		}
		cfg.Options = append(cfg.Options[:len(cfg.Options):len(cfg.Options)], d.listener.Option())
	}
	options := append(cfg.Options[:len(cfg.Options):len(cfg.Options)],
		scxml.WithClock(func() time.Time { return d.present }), scxml.WithTrace(d.recorder.Trace()))
	if cfg.Seed != nil && cfg.Saved == nil {
		options = append(options, scxml.WithSeed(*cfg.Seed))
	}
	var err error
	if cfg.Saved == nil {
		if d.session, err = scxml.New(cfg.Chart, options...); err != nil {
			return nil, err
		}
		return d, d.attach()
	}
	if d.session, err = scxml.Restore(cfg.Chart, cfg.Saved, append(cfg.Restoring[:len(cfg.Restoring):len(cfg.Restoring)], scxml.Options(options))...); err != nil {
		return nil, err
	}
	if cfg.Virtual { // continue at its time
		left := d.deadline.Sub(d.start)
		d.start = d.session.Now()
		d.present, d.target = d.start, d.start
		if !d.deadline.IsZero() {
			d.deadline = d.start.Add(left)
		}
	}
	return d, d.attach()
}

func (d *Driver) attach() error {
	if d.listener != nil && d.cfg.Saved != nil {
		if err := d.listener.Attach(d.session); err != nil {
			return err
		}
	}
	if d.cfg.Attach == nil {
		return nil
	}
	return d.cfg.Attach(d.session)
}

// Later makes the driver call f when the session is at rest, before other inputs. In f the session
// can be used as in an [Input], which a front end may need that is told something in Tell. Call it
// on the goroutine of the driver.
func (d *Driver) Later(f func(Session)) { d.later = append(d.later, f) }

// An End describes the end of a run.
type End struct {
	Elapsed       time.Duration // chart time since the start
	TimedOut      bool          // Timeout has passed
	Final         string        // the top-level final state that was reached, or ""
	Configuration []string      // the root's last one before it was stopped; nil if it ended by itself
	InputErr      error         // of the Input that failed
	SaveErr       error         // of Save
}

// Run runs the session until it ends, until nothing is pending after the end of input, until ctx is
// done, or until the front has failed. At the end it stops the session. Inputs are taken one after
// the other; a nil channel means that there are none.
//
// The error is a failure of the session: a [*scxml.LimitError] or a limit of the driver. It is nil
// if the session was stopped for any other reason.
func (d *Driver) Run(ctx context.Context, inputs <-chan Input) (End, error) {
	return Run(ctx, d, inputs)
}

// Finish is a [Stepper]'s.
func (d *Driver) Finish() (End, error) {
	d.cancel()
	// Save may evaluate expressions after the context of the run is done.
	d.ctx, d.cancel = context.WithTimeout(context.Background(), Grace)
	defer d.cancel()
	err := d.stop()
	d.save()
	if limit := d.session.Err(); err == nil && limit != nil && !errors.Is(limit, scxml.ErrStopped) {
		err = limit
	}
	d.end.Final, d.end.Elapsed = d.session.FinalState(), d.elapsed()
	return d.end, err
}
