package drive_test

import (
	"errors"
	"io"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// A front end that fails at any record ends the run, although more inputs could come. One that
// panics does so in the goroutine of Run's caller, who can recover and finish.
func TestFaultyFront(t *testing.T) {
	chart := parseChart(t, `<datamodel><data id="n" expr="0"/></datamodel>
<state id="a"><onentry><log expr="n"/><send event="late" delay="1s"/></onentry><transition event="e" target="b"/><onexit><raise event="x"/></onexit></state>
<state id="b"><invoke id="i"><content><scxml version="1.0"><state/></scxml></content></invoke><transition event="late" target="c"><assign location="nowhere.x" expr="1"/></transition></state>
<final id="c"/>`)
	full := errors.New("full disk")
	for _, panics := range []bool{false, true} {
		for at := 0; ; at++ {
			n, saved := 0, false
			d, f := newDriver(t, chart, func(cfg *drive.Config) {
				cfg.Kinds = ^record.Set(0)
				cfg.Save = func([]byte) error { saved = true; return nil }
			})
			f.hears = func(*record.Record) {
				if n++; n-1 == at && panics {
					panic(full)
				} else if n-1 == at {
					f.err = full
				}
			}
			inputs := make(chan drive.Input, 2)
			for _, cmd := range []wire.Command{{Verb: wire.Event, Event: scxml.Event{Name: "e"}}, {Verb: wire.Advance, Advance: 2e9}} {
				inputs <- func(s drive.Session) error { _, _ = s.Do(cmd); return nil }
			}
			end, err := func() (end drive.End, err error) {
				defer func() {
					if x := recover(); x != nil {
						end, err = d.Finish()
						if x != full {
							t.Errorf("panic at record %d: %v", at, x)
						}
					}
				}()
				return d.Run(t.Context(), inputs) // which stay open
			}()
			started := !panics || at > 1 // the first records come before the start
			if err != nil || saved != started || end.SaveErr != nil {
				t.Errorf("fault at record %d (panics: %v): %+v, %v, saved: %v", at, panics, end, err, saved)
			}
			if n <= at {
				if end.Final != "c" || at < 20 {
					t.Errorf("only %d records, in %+v", at, end)
				}
				break
			}
		}
	}
}

// A limitedWriter fails after some writes.
type limitedWriter struct{ left int }

func (w *limitedWriter) Write(p []byte) (int, error) {
	if w.left--; w.left < 0 {
		return len(p) / 2, io.ErrShortWrite
	}
	return len(p), nil
}

// A writer that fails at any write keeps its error, and gets no more.
func TestFaultyWriter(t *testing.T) {
	for at := range 5 {
		w := &limitedWriter{at}
		out := wire.NewWriter(w)
		for i := range 10 {
			if err := out.Write(&record.Record{Kind: record.Log, Seq: int64(i)}); (err != nil) != (i >= at) {
				t.Errorf("write %d of a writer that fails at %d: %v", i, at, err)
			}
		}
		if !errors.Is(out.Err(), io.ErrShortWrite) || w.left != -1 {
			t.Errorf("failed at %d: %v, %d writes afterwards", at, out.Err(), -1-w.left)
		}
	}
}
