package history

import (
	"math"
	"math/bits"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A digest is a number for what a step does: two steps that do the same have the same digest, and others
// most probably not. It takes a few nanoseconds for each thing that happens, where a text takes hundreds.
// Positions in the document do not count, so that a chart can be edited without another digest.
type digest uint64

func (d *digest) number(n uint64) {
	hi, lo := bits.Mul64(uint64(*d)^n^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	*d = digest(hi ^ lo)
}

func (d *digest) text(s string) {
	n := uint64(len(s))
	for ; len(s) >= 8; s = s[8:] {
		d.number(uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56)
	}
	for i := range len(s) {
		n = n<<8 | uint64(s[i])
	}
	d.number(n)
}

func (d *digest) texts(all ...string) {
	for _, s := range all {
		d.text(s)
	}
}

func (d *digest) value(v datamodel.Value) {
	switch v := v.(type) {
	case nil:
		d.number(kindUndefined)
	case int64:
		d.number(uint64(v)<<3 | kindInteger) // at most 2⁵³ in magnitude
	case float64:
		d.number(kindNumber)
		d.number(math.Float64bits(v))
	case string:
		d.number(kindString)
		d.text(v)
	case []datamodel.Value:
		d.number(uint64(len(v))<<3 | kindArray)
		for _, item := range v {
			d.value(item)
		}
	case *datamodel.Object:
		d.number(uint64(v.Len())<<3 | kindObject)
		for key, item := range v.All() {
			d.text(key)
			d.value(item)
		}
	default:
		d.number(kindOther)
		d.text(string(datamodel.AppendJSON(nil, v)))
	}
}

// The kinds of values in a digest.
const (
	kindUndefined = iota
	kindInteger
	kindNumber
	kindString
	kindArray
	kindObject
	kindOther
)

// begin is for each thing that happens: what it is, and in which session.
func (d *digest) begin(kind record.Kind, s *scxml.Session) {
	d.number(uint64(kind))
	if s.InvokeID() != "" {
		d.text(s.ID())
	}
}

func (d *digest) transition(t scxml.Transition) {
	d.text(t.Source().Name())
	d.texts(t.Events()...)
}

// trace returns a trace whose functions add to the digest.
func (d *digest) trace() *scxml.Trace {
	event := func(kind record.Kind) func(*scxml.Session, *scxml.Event) {
		return func(s *scxml.Session, ev *scxml.Event) { d.begin(kind, s); d.text(ev.Name) }
	}
	state := func(kind record.Kind) func(*scxml.Session, scxml.State) {
		return func(s *scxml.Session, st scxml.State) { d.begin(kind, s); d.text(st.Name()) }
	}
	invocation := func(kind record.Kind) func(*scxml.Session, string, *scxml.Session) {
		return func(s *scxml.Session, id string, child *scxml.Session) {
			d.begin(kind, s)
			if d.text(id); child != nil {
				d.text(child.ID())
			}
		}
	}
	return &scxml.Trace{
		// Data are counted where they arise: those of other events are inputs, or were sent.
		Event: event(record.Event),
		InternalEvent: func(s *scxml.Session, ev *scxml.Event) {
			d.begin(record.Internal, s)
			d.text(ev.Name)
			d.value(ev.Data)
		},
		Unhandled: event(record.Unhandled),
		Cond: func(s *scxml.Session, t scxml.Transition, ok bool, err error) {
			d.begin(record.Cond, s)
			if d.transition(t); ok {
				d.number(1)
			}
			if err != nil {
				d.text(err.Error())
			}
		},
		Exit:       state(record.Exit),
		Transition: func(s *scxml.Session, t scxml.Transition) { d.begin(record.Transition, s); d.transition(t) },
		Enter:      state(record.Enter),
		Stable:     func(s *scxml.Session) { d.begin(record.Stable, s) },
		Raise:      event(record.Raise),
		Send: func(s *scxml.Session, m scxml.Message) {
			d.begin(record.Send, s)
			d.texts(m.Event.Name, m.Event.SendID, m.Target, m.Type)
			d.number(uint64(m.Delay))
			d.value(m.Event.Data)
		},
		Timer: func(s *scxml.Session, m scxml.Message) {
			d.begin(record.Timer, s)
			d.texts(m.Event.Name, m.Event.SendID)
		},
		Cancel: func(s *scxml.Session, sendID string, n int) {
			d.begin(record.Cancel, s)
			d.text(sendID)
			d.number(uint64(n))
		},
		Invoke:       invocation(record.Invoke),
		CancelInvoke: invocation(record.CancelInvoke),
		Log: func(s *scxml.Session, label string, v datamodel.Value) {
			d.begin(record.Log, s)
			d.text(label)
			d.value(v)
		},
		Error: func(s *scxml.Session, err *scxml.ExecutionError) {
			d.begin(record.Error, s)
			d.texts(err.Event, err.Element, err.SendID)
		},
		Done: func(s *scxml.Session) { d.begin(record.Done, s); d.text(s.FinalState()); d.value(s.DoneData()) },
	}
}
