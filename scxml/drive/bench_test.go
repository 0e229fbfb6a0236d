package drive_test

import (
	"io"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

// A wireFront writes records as JSON lines.
type wireFront struct{ *wire.Writer }

func (f wireFront) Tell(r *record.Record) { _ = f.Write(r) }
func (f wireFront) Failed() error         { return f.Err() }

// BenchmarkWire measures an event that arrives as a line and leaves as records.
func BenchmarkWire(b *testing.B) {
	chart := parseChart(b, `<datamodel><data id="n" expr="0"/></datamodel>
<state id="a"><transition event="t" target="b"><assign location="n" expr="n + 1"/></transition></state>
<state id="b"><transition event="t" target="a"><send event="out"><param name="n" expr="n"/></send></transition></state>`)
	d, err := drive.New(drive.Config{
		Chart: chart, Virtual: true, Front: wireFront{wire.NewWriter(io.Discard)},
		Kinds: record.Kinds(record.Hello, record.Stable, record.Idle, record.Send, record.Event, record.Log, record.Error, record.Value, record.Rejected, record.Done),
	})
	if err != nil {
		b.Fatal(err)
	}
	line := wire.Line{Number: 1, Text: []byte(`{"event":{"name":"t","data":{"x":1,"y":"abc"}},"id":7}`)}
	inputs := make(chan drive.Input)
	go func() {
		defer close(inputs)
		for b.Loop() {
			inputs <- func(s drive.Session) error { _, err := s.Do(line.Command()); return err }
		}
	}()
	b.ReportAllocs()
	if _, err := d.Run(b.Context(), inputs); err != nil {
		b.Fatal(err)
	}
}
