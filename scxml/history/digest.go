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

// factor spreads what is counted over all bits.
const factor = 0xd6e8feb86659fd93

func (d digest) number(n uint64) digest {
	hi, lo := bits.Mul64(uint64(d)^n^0x9e3779b97f4a7c15, factor)
	return digest(hi ^ lo)
}

func (d digest) text(s string) digest {
	n := uint64(len(s))
	for ; len(s) >= 8; s = s[8:] {
		d = d.number(uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56)
	}
	for i := range len(s) {
		n = n<<8 | uint64(s[i])
	}
	return d.number(n)
}

func (d digest) value(v datamodel.Value) digest {
	switch v := v.(type) {
	case nil:
		return d.number(kindUndefined)
	case int64:
		return d.number(uint64(v)<<3 | kindInteger) // at most 2⁵³ in magnitude
	case float64:
		return d.number(kindNumber).number(math.Float64bits(v))
	case string:
		return d.number(kindString).text(v)
	case []datamodel.Value:
		// A sum of each array, so that the processor can work at several of them at once.
		sum := uint64(len(v))
		for _, item := range v {
			n, ok := item.(int64)
			if !ok {
				n = int64(digest(0).value(item))
			}
			sum = sum*factor + uint64(n)
		}
		return d.number(kindArray).number(sum)
	case *datamodel.Object:
		d = d.number(uint64(v.Len())<<3 | kindObject)
		for key, item := range v.All() {
			d = d.text(key).value(item)
		}
		return d
	}
	return d.number(kindOther).text(string(datamodel.AppendJSON(nil, v)))
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
func (d digest) begin(kind record.Kind, s *scxml.Session) digest {
	d = d.number(uint64(kind))
	if s.InvokeID() != "" {
		d = d.text(s.ID())
	}
	return d
}

func (d digest) transition(t scxml.Transition) digest {
	d = d.text(t.Source().Name())
	for _, descriptor := range t.Events() {
		d = d.text(descriptor)
	}
	return d
}

// trace returns a trace whose functions add to the digest.
func (d *digest) trace() *scxml.Trace {
	event := func(kind record.Kind) func(*scxml.Session, *scxml.Event) {
		return func(s *scxml.Session, ev *scxml.Event) { *d = d.begin(kind, s).text(ev.Name) }
	}
	state := func(kind record.Kind) func(*scxml.Session, scxml.State) {
		return func(s *scxml.Session, st scxml.State) { *d = d.begin(kind, s).text(st.Name()) }
	}
	invocation := func(kind record.Kind) func(*scxml.Session, string, *scxml.Session) {
		return func(s *scxml.Session, id string, child *scxml.Session) {
			*d = d.begin(kind, s).text(id)
			if child != nil {
				*d = d.text(child.ID())
			}
		}
	}
	return &scxml.Trace{
		// Data are counted where they arise: those of other events are inputs, or were sent.
		Event: event(record.Event),
		InternalEvent: func(s *scxml.Session, ev *scxml.Event) {
			*d = d.begin(record.Internal, s).text(ev.Name).value(ev.Data)
		},
		Unhandled: event(record.Unhandled),
		Cond: func(s *scxml.Session, t scxml.Transition, ok bool, err error) {
			sum := d.begin(record.Cond, s).transition(t)
			if ok {
				sum = sum.number(1)
			}
			if err != nil {
				sum = sum.text(err.Error())
			}
			*d = sum
		},
		Exit:       state(record.Exit),
		Transition: func(s *scxml.Session, t scxml.Transition) { *d = d.begin(record.Transition, s).transition(t) },
		Enter:      state(record.Enter),
		Stable:     func(s *scxml.Session) { *d = d.begin(record.Stable, s) },
		Raise:      event(record.Raise),
		Send: func(s *scxml.Session, m scxml.Message) {
			*d = d.begin(record.Send, s).text(m.Event.Name).text(m.Event.SendID).text(m.Target).text(m.Type).
				number(uint64(m.Delay)).value(m.Event.Data)
		},
		Timer: func(s *scxml.Session, m scxml.Message) {
			*d = d.begin(record.Timer, s).text(m.Event.Name).text(m.Event.SendID)
		},
		Cancel: func(s *scxml.Session, sendID string, n int) {
			*d = d.begin(record.Cancel, s).text(sendID).number(uint64(n))
		},
		Invoke:       invocation(record.Invoke),
		CancelInvoke: invocation(record.CancelInvoke),
		Log: func(s *scxml.Session, label string, v datamodel.Value) {
			*d = d.begin(record.Log, s).text(label).value(v)
		},
		Error: func(s *scxml.Session, err *scxml.ExecutionError) {
			*d = d.begin(record.Error, s).text(err.Event).text(err.Element).text(err.SendID)
		},
		Done: func(s *scxml.Session) {
			*d = d.begin(record.Done, s).text(s.FinalState()).value(s.DoneData())
		},
	}
}
