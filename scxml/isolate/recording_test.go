package isolate_test

import (
	"bytes"
	"testing"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A front end that does nothing.
type silent struct{}

func (silent) Failed() error       { return nil }
func (silent) Tell(*record.Record) {}

// A driver in a child records its session, a new one or one that was saved, with the files of its charts.
func TestRecordingCrosses(t *testing.T) {
	source := document(`<script src="two.js"/><datamodel><data id="n" expr="1"/></datamodel>
<state id="a"><onentry><send event="tick" delay="1s"/></onentry>
  <transition event="tick" cond="n &lt; 100" target="a"><assign location="n" expr="n * two"/></transition>
  <transition event="tick" target="b"/></state>
<state id="b"><invoke src="kid.scxml"/><transition event="done.invoke" target="c"/></state>
<final id="c"/>`)
	files := fstest.MapFS{
		"two.js":    {Data: []byte("var two = 2;")},
		"kid.scxml": {Data: document(`<final id="f"/>`)},
	}
	pool := newPool(t, isolate.Config{Spare: 1})
	run := func(saved []byte) (*history.Recording, *history.History, []byte) {
		tenant, err := pool.Tenant(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer tenant.Close()
		var file bytes.Buffer
		spec := isolate.Spec{
			Name: "charts/a.scxml", Source: source, Options: []scxml.ChartOption{scxml.WithLoader(files)},
			Recording: &file, Note: history.Note{File: "charts/a.scxml"},
		}
		cfg := drive.Config{Front: silent{}, Virtual: true, Saved: saved, Save: func(text []byte) error { saved = text; return nil }}
		d, err := tenant.Drive(t.Context(), spec, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if end, err := d.Run(t.Context(), nil); err != nil || end.Final != "c" {
			t.Fatalf("the session ends in %q, %v", end.Final, err)
		}
		rec, err := history.Open(&file)
		if err != nil {
			t.Fatal(err)
		}
		folder := fstest.MapFS{}
		for name, text := range rec.Files {
			folder[name] = &fstest.MapFile{Data: []byte(text)}
		}
		chart, err := scxml.Load(folder, "a.scxml")
		if err != nil {
			t.Fatal(err)
		}
		h, err := rec.Replay(t.Context(), history.Config{Chart: chart}, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		return rec, h, saved
	}
	rec, h, _ := run(nil)
	if rec.Marked(0) || len(rec.Files) != 3 || h.Len() < 9 {
		t.Errorf("%d files, %d positions", len(rec.Files), h.Len())
	}
	then, err := h.Seek(t.Context(), 4)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := then.Eval(t.Context(), "n"); v != int64(16) || err != nil {
		t.Errorf("n is %v, %v", v, err)
	}
	saved, err := then.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if rec, h, _ := run(saved); !rec.Marked(0) || h.Len() < 5 {
		t.Errorf("from a snapshot: %d positions", h.Len())
	}
}
