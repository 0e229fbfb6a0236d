package drive

import (
	"fmt"
	"math"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

const (
	// Patience is how many macrosteps a session may take without coming to rest (on
	// a virtual clock: at one moment) before inputs are taken in between, so that a
	// chart that keeps itself busy can still be stopped. Up to then inputs wait for
	// rest, which makes what happens on a virtual clock independent of how fast they come.
	Patience = 10_000

	// Standstill is how many macrosteps a session may take at one moment of a
	// virtual clock. Beyond it the session is stopped: as long as it is busy the
	// time does not move, so nothing else would ever end it.
	Standstill = 1_000_000

	// DefaultTimeout bounds, in chart time after the last input, how long a session
	// on a virtual clock continues by itself.
	DefaultTimeout = 24 * time.Hour

	// Grace is how long the handlers of a session that is stopped may take.
	Grace = 3 * time.Second

	// MaxReport is how many bytes of records a macrostep may cause, about: data
	// counts as [datamodel.Size] says. The engine bounds logs and errors itself, but
	// a <foreach> can send the same megabytes any number of times.
	MaxReport = 256 << 20
)

var (
	errStandstill = fmt.Errorf("limit of %d macrosteps without coming to rest exceeded: the chart keeps sending itself events without a delay, so that the virtual clock cannot move on", Standstill)
	errReport     = fmt.Errorf("limit of %d bytes of output in one macrostep exceeded: the chart sends too much, or enters too many states", MaxReport)
)

// exceed says which limit is why the session is about to be stopped.
func (d *Driver) exceed(limit error) {
	d.failure, d.recorder.Limit = limit, limit
}

// tell numbers a record and tells it to the front, unless the macrostep has told
// too much already.
func (d *Driver) tell(r *record.Record) {
	switch r.Kind {
	case record.Send, record.Raise, record.Cancel, record.Enter, record.Exit, record.Transition:
		if d.written > MaxReport {
			return
		}
		const rest = 128 // what stands around them
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
