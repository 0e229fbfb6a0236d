package drive

import (
	"fmt"
	"math"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

const (
	// Patience is how many macrosteps a session may run without a rest (on a virtual clock: at one
	// moment) before inputs are taken in between, so that a chart that keeps itself busy can still
	// be stopped. Until then inputs wait for rest, so that on a virtual clock the result does not
	// depend on their timing.
	Patience = 10_000

	// Standstill is how many macrosteps a session may run at one moment of a virtual clock before
	// it is stopped. The time does not advance while it is busy, so nothing else would end it.
	Standstill = 1_000_000

	// DefaultTimeout is how long, in chart time after the last input, a session on a virtual clock
	// continues by itself.
	DefaultTimeout = 24 * time.Hour

	// Grace is how long the handlers of a session that is stopped may run.
	Grace = 500 * time.Millisecond

	// Overtime is how long a macrostep may continue after Timeout on the real clock, before it is
	// interrupted.
	Overtime = 100 * time.Millisecond

	// Gap is how late a delayed event may be before Overslept is called, see [Config].
	Gap = 5 * time.Second

	// MaxReport is how many bytes of records, approximately, a macrostep may cause; data counts as
	// in [datamodel.Size]. The engine bounds logs and errors itself, but a <foreach> can send the
	// same megabytes any number of times.
	MaxReport = 256 << 20
)

var (
	errStandstill = fmt.Errorf("limit of %d macrosteps without a rest exceeded: the chart keeps sending itself events without a delay, so the virtual clock cannot advance", Standstill)
	errReport     = fmt.Errorf("limit of %d bytes of output in one macrostep exceeded: the chart sends too much, or enters too many states", MaxReport)
)

// exceed notes the limit for which the session is stopped.
func (d *Driver) exceed(limit error) {
	d.failure, d.recorder.Limit = limit, limit
}

// tell numbers a record and passes it to the front, unless the macrostep has reported too much.
func (d *Driver) tell(r *record.Record) {
	switch r.Kind {
	case record.Send, record.Raise, record.Cancel, record.Enter, record.Exit, record.Transition:
		if d.written > MaxReport {
			return
		}
		const rest = 128 // what is written around them
		size, _ := datamodel.Size(r.Event.Data, MaxReport, math.MaxInt)
		d.written += rest + size + len(r.Event.Name) + len(r.Event.SendID) + len(r.Target) + len(r.Processor) + len(r.State) + len(r.Cond)
		if d.written > MaxReport {
			d.exceed(errReport)
			d.session.Stop()
			return
		}
	}
	d.told++
	r.Seq, r.Time = d.told, d.elapsed()
	d.cfg.Front.Tell(r)
}
