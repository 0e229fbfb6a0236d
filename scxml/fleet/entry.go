package fleet

import (
	"encoding/json"
	"errors"
)

// entryVersion begins an entry of a log. Entries of earlier versions of this package are JSON.
const entryVersion = 1

var errEntry = errors.New("an entry of the log is damaged")

// encode returns the entry without its Revision.
func (x *Entry) encode() []byte {
	e := encoder(make([]byte, 0, 128))
	e.uint(entryVersion)
	e.time(x.Time)
	e.uint(uint64(len(x.Steps)))
	for i := range x.Steps {
		s := &x.Steps[i]
		e.string(s.Kind)
		e.string(s.Event)
		e.uint(s.Position)
		e.uint(s.Task)
		e.bool(s.Handled)
		e.string(s.Note)
		for _, list := range [...][]string{s.Exited, s.Entered, s.Sent, s.Errors} {
			e.strings(list)
		}
	}
	e.string(x.Status)
	e.strings(x.Configuration)
	return e
}

// decodeEntry reads what encode has written.
func decodeEntry(b []byte) (x Entry, err error) {
	if len(b) > 0 && b[0] == '{' {
		err = json.Unmarshal(b, &x)
		return x, err
	}
	d := decoder{rest: b}
	d.bad = d.uint() != entryVersion
	x.Time = d.time()
	for range d.count() {
		s := Step{Kind: d.string(), Event: d.string(), Position: d.uint(), Task: d.uint(), Handled: d.bool(), Note: d.string()}
		s.Exited, s.Entered, s.Sent, s.Errors = d.strings(), d.strings(), d.strings(), d.strings()
		x.Steps = append(x.Steps, s)
	}
	x.Status, x.Configuration = d.string(), d.strings()
	if d.bad || len(d.rest) > 0 {
		return Entry{}, errEntry
	}
	return x, nil
}

func (e *encoder) strings(list []string) {
	e.uint(uint64(len(list)))
	for _, s := range list {
		e.string(s)
	}
}

func (d *decoder) strings() (list []string) {
	for range d.count() {
		list = append(list, d.string())
	}
	return list
}
