package compiled

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// A driver runs a machine in real time, as [drive.Run] wants it. All but what services call happens
// on the goroutine of Run.
type driver struct {
	cfg      drive.Config
	machine  *Machine
	invokers map[string]scxml.Invoker

	start, present time.Time
	waking         bool      // Overslept is being called
	awake          time.Time // when it was called last
	later          []func(drive.Session)
	known          map[*js.Object]datamodel.Value // see sent

	wake chan struct{}

	mu      sync.Mutex
	queue   []machine.Event // that the machine has not had yet
	working int             // services
}

// NewDriver is for [game.Game.Use]. Of the configuration it takes Chart, which must be the one that the
// code was generated from, Front, Saved, Save, Overslept and, of the Options, data and invokers. The Kinds
// of records are those that a game hears. An input can send events, and get the value of a data item and of
// "saved()".
func NewDriver(cfg drive.Config) (game.Driver, error) {
	settings, err := scxml.SettingsOf(nil, scxml.Options(cfg.Options))
	if err != nil {
		return nil, err
	}
	for _, used := range settings.Used {
		if !slices.Contains([]string{"WithData", "WithInvoker", "WithMissing"}, used) {
			return nil, fmt.Errorf("sudoku: %s is not an option for the compiled chart", used)
		}
	}
	if cfg.Virtual || cfg.Timeout != nil || cfg.Listen != nil || cfg.Attach != nil {
		return nil, errors.New("sudoku: the compiled chart runs in real time, without a timeout and a listener")
	}
	if machineChart.Hash != cfg.Chart.Hash() {
		return nil, fmt.Errorf("sudoku: the code was generated from another version of %s", cfg.Chart.File())
	}
	now := time.Now()
	d := &driver{cfg: cfg, machine: New(Hooks{}), invokers: settings.Invokers, start: now, present: now, wake: make(chan struct{}, 1), known: map[*js.Object]datamodel.Value{}}
	o := machine.Options{Invoker: d.invoke, Hooks: machine.Hooks{Sent: func(m machine.Message) {
		d.tell(record.Record{Kind: record.Send, Event: scxml.Event{Name: m.Event.Name, Data: d.sent(m.Event.Data)}})
	}}}
	for _, data := range settings.Data {
		o.Data = append(o.Data, machine.Field{Name: data.ID, Value: data.Value})
	}
	d.machine.SetUp(o)
	if cfg.Saved != nil {
		err = d.machine.Restore(cfg.Saved)
	}
	return d, err
}

func (d *driver) Run(ctx context.Context, inputs <-chan drive.Input) (drive.End, error) {
	return drive.Run(ctx, d, inputs)
}

func (d *driver) Later(f func(drive.Session)) { d.later = append(d.later, f) }

// Next is a [drive.Stepper]'s.
func (d *driver) Next(ctx context.Context, open bool) (drive.Wait, error) {
	if core, _, _ := d.machine.Node().Machine(); core.Flags&machine.Started == 0 {
		if err := d.machine.Start(d.present); err != nil {
			return drive.Wait{}, err
		}
		d.tellState(record.Stable)
	}
	for {
		select {
		case <-d.wake: // what it is for is done now
		default:
		}
		d.Settle()
		if !d.machine.Running() || ctx.Err() != nil || d.cfg.Front.Failed() != nil {
			return drive.Wait{Over: true}, d.machine.Err()
		}
		busy := d.busy()
		if !busy {
			d.tellState(record.Rest)
		}
		if len(d.later) > 0 {
			f := d.later[0]
			d.later = d.later[1:]
			f(d)
			continue
		}
		due, _ := d.machine.NextDue()
		return drive.Wait{Over: !open && !busy, Until: due}, nil
	}
}

// Wake is a [drive.Stepper]'s.
func (d *driver) Wake() <-chan struct{} { return d.wake }

// Take is a [drive.Stepper]'s.
func (d *driver) Take(input drive.Input) error {
	if d.readClock(); d.isDue() {
		d.Settle() // what is due comes before an input that arrives now
	}
	return input(d)
}

// Finish is a [drive.Stepper]'s.
func (d *driver) Finish() (end drive.End, err error) {
	if d.cfg.Save != nil {
		snapshot, err := d.machine.Snapshot()
		if err == nil {
			err = d.cfg.Save(snapshot)
		}
		end.SaveErr = err
	}
	if d.machine.Running() {
		end.Configuration = d.configuration()
		d.machine.Stop()
	}
	end.Elapsed = d.present.Sub(d.start)
	return end, nil
}

// Do sends an event, or returns the value of a data item or of saved().
func (d *driver) Do(cmd wire.Command) (datamodel.Value, error) {
	switch {
	case cmd.Err != nil:
		return nil, cmd.Err
	case cmd.Verb == wire.Event:
		return nil, d.post(machine.Event{Name: cmd.Event.Name, Data: cmd.Event.Data}, nil, false)
	case cmd.Verb == wire.Get && cmd.Text == "saved()":
		return d.savedGame()
	case cmd.Verb == wire.Get:
		if item, ok := d.machine.Item(cmd.Text); ok {
			return value(item), nil
		}
	}
	return nil, fmt.Errorf("the compiled chart cannot %q %s", cmd.Verb, cmd.Text)
}

// savedGame calls the function saved of sudoku.js, which is a Go function here.
func (d *driver) savedGame() (game datamodel.Value, err error) {
	var failed string
	func() {
		defer js.Catch(&failed)
		game = converter{}.valueOf((*machineNode)(d.machine).f_saved())
	}()
	if failed != "" {
		return nil, errors.New(failed)
	}
	return game, nil
}

// Look returns nothing: a game does not ask.
func (d *driver) Look() []drive.View { return nil }

// Settle does the work that is due now.
func (d *driver) Settle() {
	for d.step() {
	}
}

// step fires what is due, gives the machine an event, and reports whether there may be more to do.
func (d *driver) step() (more bool) {
	d.readClock()
	due := d.isDue()
	d.machine.Advance(d.present)
	ev, more := d.next()
	if more {
		// post has checked the data. A machine that has ended is seen in Next.
		_, _ = machine.Send(d.machine.Node(), ev)
	}
	if due || more {
		d.tellState(record.Stable)
	}
	return more
}

func (d *driver) isDue() bool {
	due, ok := d.machine.NextDue()
	return ok && !due.After(d.present)
}

// readClock reads the clock. After a gap, Overslept comes first.
func (d *driver) readClock() {
	if d.waking {
		return
	}
	now := time.Now()
	if due, ok := d.machine.NextDue(); ok && d.cfg.Overslept != nil {
		if d.awake.After(due) {
			due = d.awake
		}
		// Round removes the monotonic clock, which may stand still while the machine is asleep.
		if now.Round(0).Sub(due.Round(0)) > drive.Gap {
			d.waking, d.awake = true, now
			// It fails if the machine has ended, which Next sees.
			_ = d.cfg.Overslept(d)
			d.Settle()
			d.waking = false
		}
	}
	d.present = now
}

// post puts an event into the queue. It is that of a service, if that is not nil, and the last one of it.
func (d *driver) post(ev machine.Event, from *service, last bool) (err error) {
	if ev.Data, err = d.machine.Node().Accept(ev.Data); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if from != nil && from.over {
		return scxml.ErrEnded
	}
	if last {
		from.end()
	}
	d.queue = append(d.queue, ev)
	select {
	case d.wake <- struct{}{}:
	default:
	}
	return nil
}

func (d *driver) next() (ev machine.Event, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.queue) == 0 {
		return ev, false
	}
	ev = d.queue[0]
	d.queue = d.queue[1:]
	return ev, true
}

// busy reports whether a service works.
func (d *driver) busy() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.working > 0
}

func (d *driver) tellState(kind record.Kind) {
	d.tell(record.Record{Kind: kind, Configuration: d.configuration()})
}

func (d *driver) tell(r record.Record) { d.cfg.Front.Tell(&r) }

func (d *driver) configuration() []string { return machine.Configuration(d.machine.Node()) }
