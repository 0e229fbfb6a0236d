package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/strict/stricttest"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

func parse(text string) wire.Command { return wire.Line{Number: 7, Text: []byte(text)}.Command() }

// One end reads what the other writes.
func TestCommandRoundTrip(t *testing.T) {
	for _, cmd := range []wire.Command{
		{Verb: wire.Event, Event: scxml.Event{Name: "tap.twice"}},
		{Verb: wire.Event, Event: scxml.Event{Name: "tap", Data: datamodel.NewObject("$x", nil, "y", "\u2028")}, ID: "a b", Session: "child"},
		{Verb: wire.Advance, Advance: 90*time.Minute + time.Nanosecond, ID: int64(3)},
		{Verb: wire.Advance},
		{Verb: wire.Cancel, Text: "id"},
		{Verb: wire.Get, Text: "a + 'b'", ID: 1.5},
		{Verb: wire.Snapshot},
		{Verb: wire.Stop},
	} {
		line := cmd.AppendJSON(nil)
		got := parse(string(line))
		if got.Err != nil || got.Line != 7 {
			t.Errorf("%s: %+v", line, got)
		}
		if again := got.AppendJSON(nil); !bytes.Equal(again, line) || got.Verb != cmd.Verb || got.Advance != cmd.Advance {
			t.Errorf("%s is read as %s", line, again)
		}
	}
}

func FuzzCommand(f *testing.F) {
	f.Add(`{"event":{"name":"tap","data":{"$date":"2026-01-31T12:00:00Z"}},"id":1}`)
	f.Add(`{"advance":"1.5s","session":"x"}`)
	f.Add(`{"get":"x","id":"\u0000"}`)
	f.Fuzz(func(t *testing.T, text string) {
		cmd := parse(text)
		if cmd.Err != nil {
			return
		}
		line := cmd.AppendJSON(nil)
		again := parse(string(line))
		if got := again.AppendJSON(nil); again.Err != nil || !bytes.Equal(got, line) {
			t.Errorf("%q is written as %s and then %s, %v", text, line, got, again.Err)
		}
	})
}

// What a client says is never dropped in silence: a line that is not understood as a whole is rejected.
func TestUnknownFields(t *testing.T) {
	const fields = `"event", "advance", "cancel", "get", "why", "snapshot", "stop"`
	for text, want := range map[string]string{
		`{"event":"e1","data":{"a":1}}`:          `"data" is not a field of the line: write it inside "event", as in {"event":{"name":"tap","data":1}}`,
		`{"evnt":"x","id":"i"}`:                  `unknown field "evnt" (did you mean "event"?)`,
		`{"event":"x","note":1}`:                 `unknown field "note": want ` + fields + `, "session", "id"`,
		`{"Event":"x"}`:                          `unknown field "Event" (did you mean "event"?)`,
		`{"event":"x","ID":1}`:                   `unknown field "ID" (did you mean "id"?)`,
		`{"event":{"name":"x","dat":1}}`:         `"event": unknown field "dat" (did you mean "data"?)`,
		`{"why":{"Name":"x"}}`:                   `"why": unknown field "Name" (did you mean "name"?)`,
		`{"event":{"name":"x","session":"s"}}`:   `"session" is not a field of the event: write it outside, as in {"event":{"name":"tap"},"session":…}`,
		`{"get":"x","session":null}`:             `"session" is null: want a string`,
		`{"event":"x","event":"y"}`:              `bad JSON, column 14: the key "event" is there twice`,
		`{"event":{"name":"x","data":1e400}}`:    `bad JSON, column 29: the number 1e400 is too large: want at most 1.7976931348623157e308`,
		`{"event":{"name":"x","data":"\ud800"}}`: `bad JSON, column 29: half of a surrogate pair in a string: want two escapes, such as \ud83d\ude00`,
		"{\"event\":\"x\xff\"}":                  `not UTF-8: byte 0xff at offset 11`,
		`{}`:                                     `nothing to do: the line has none of the fields ` + strings.Replace(fields, `, "stop"`, ` and "stop"`, 1),
		`{"stop":true,"get":"x"}`:                `"stop" and "get" in one line: write two lines`,
	} {
		if cmd := parse(text); cmd.Err == nil || cmd.Err.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", text, cmd.Err, want)
		}
	}
	if cmd := parse(`{"evnt":"x","id":"i"}`); cmd.ID != "i" {
		t.Errorf("%+v", cmd)
	}
}

// A line with one key renamed, repeated, or moved up or down a level is rejected.
func TestChangedKeysAreRejected(t *testing.T) {
	for _, valid := range []string{
		`{"event":{"name":"tap","data":1},"session":"s","id":1}`, `{"why":{"name":"tap","data":1}}`, `{"advance":"1s","id":"a"}`,
		`{"cancel":"c","session":"s"}`, `{"get":"x","id":2}`, `{"snapshot":true}`, `{"stop":true}`,
	} {
		if cmd := parse(valid); cmd.Err != nil {
			t.Fatal(valid, cmd.Err)
		}
		for _, text := range stricttest.Changes(valid) {
			if parse(text).Err == nil {
				t.Errorf("%s is accepted", text)
			}
		}
	}
}

// Lines are bounded, and the line after one that is too long can still be read.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", wire.MaxLine)
	input := "\uFEFFa\r\n\n" + long + "\n" + long + "x\n" + "last"
	broken := errors.New("broken pipe")
	var got []string
	for line := range wire.Lines(io.MultiReader(strings.NewReader(input), iotest.ErrReader(broken))) {
		text := string(line.Text)
		if len(text) > 10 {
			text = fmt.Sprint(len(text))
		}
		got = append(got, fmt.Sprintf("%d %s %v %v", line.Number, text, line.TooLong, line.Err))
	}
	want := []string{"1 a false <nil>", "2  false <nil>", fmt.Sprintf("3 %d false <nil>", wire.MaxLine), "4  true <nil>", "5 last false <nil>", "6  false broken pipe"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// A client reads records. It skips unknown ones, and can continue after a bad line.
func TestReader(t *testing.T) {
	var out bytes.Buffer
	w := wire.NewWriter(&out)
	for _, r := range []record.Record{{Kind: record.Enter, Seq: 1, State: "a"}, {Kind: record.Stop, Seq: 2}} {
		if err := w.Write(&r); err != nil {
			t.Fatal(err)
		}
	}
	deep := `{"type":"log","value":` + strings.Repeat("[", datamodel.MaxDepth+2) + strings.Repeat("]", datamodel.MaxDepth+2) + "}\n"
	r := wire.NewReader(strings.NewReader(out.String() + `{"type":"of the future","seq":"x"}` + "\n{\n" + deep + `{"type":"done","reason":"final"}`))
	var got []string
	for {
		rec, err := r.Read()
		if err == io.EOF {
			break
		}
		var bad *wire.LineError
		switch {
		case errors.As(err, &bad):
			got = append(got, fmt.Sprint("bad line ", bad.Line))
		case err != nil:
			t.Fatal(err)
		default:
			got = append(got, rec.String())
		}
	}
	want := []string{"#1 enter a", "#2 stop", "bad line 4", "bad line 5", "done final"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// After a failed write nothing more is written, so that no record is torn.
func TestWriterStops(t *testing.T) {
	full := &failing{left: 1}
	w := wire.NewWriter(full)
	for range 3 {
		_ = w.Write(&record.Record{Kind: record.Stop})
	}
	if w.Err() == nil || full.writes != 2 {
		t.Errorf("%d writes, %v", full.writes, w.Err())
	}
}

type failing struct{ left, writes int }

func (f *failing) Write(p []byte) (int, error) {
	f.writes++
	if f.left--; f.left < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

func TestParseTime(t *testing.T) {
	for text, want := range map[string]time.Duration{"0": 0, "1.5s": 1500 * time.Millisecond, "876000h": wire.MaxTime, "+2m": 2 * time.Minute} {
		if got, err := wire.ParseTime(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "5", "-1s", "876001h", "9999999h", "1s ", "1e3s"} {
		if got, err := wire.ParseTime(text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}
