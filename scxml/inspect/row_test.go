package inspect

import (
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A row keeps neither the records of its macrostep nor large data: an answer has many rows.
func TestRowKeepsLittle(t *testing.T) {
	records := make([]record.Record, 1000)
	data := []any{strings.Repeat("x", 1<<20)}
	kept := weak.Make(&data[0])
	records[0] = record.Record{Kind: record.Event, Event: scxml.Event{Name: "e", Data: data}}
	all := weak.Make(&records[0])
	r := new(row)
	r.take(&records[0])
	records, data = nil, nil
	runtime.GC()
	if all.Value() != nil || kept.Value() != nil {
		t.Error("the row keeps the records or the data")
	}
	if *r.Event != "e" || len(r.Data) > maxLine {
		t.Errorf("the row has event %q with %d bytes of data", *r.Event, len(r.Data))
	}
}
