package record_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// texts can be misread.
var texts = []string{
	"a", "tap.twice", "a b", "", " ", "true", "-1", "{", `"`, "->", "to", "in 5s", "x=1", "(2)", "#3", "[k]", "k]", "k)", "+1s",
	"line\nbreak", "\u2028", "größer", ": <e>: m", "message=", "label value 1", "as id", "\\", "-", "chart.scxml:1:2", "internal event",
}

var values = []string{
	`{"$undefined":true}`, "null", "true", "1", "-1.5", `"a b"`, `"\""`, `"\\"`, "[]", "{}", `{"a b":[1,{"c":"}"}]}`, `{"$number":"NaN"}`,
	`{"$date":"2026-01-31T12:00:00Z"}`, `{"$xml":"<a b=\"c d\"/>"}`, `{"$$x":"]"}`,
}

func random[T any](rng *rand.Rand, of []T) T { return of[rng.IntN(len(of))] }

// randomRecord makes a record with every field of its kind.
func randomRecord(t testing.TB, rng *rand.Rand) record.Record {
	text := func() string { return random(rng, texts) }
	list := func() (all []string) {
		for range rng.IntN(3) {
			all = append(all, random(rng, texts[:2]), text()+"x")
		}
		return all
	}
	value := func() datamodel.Value {
		v, err := datamodel.ParseJSON([]byte(random(rng, values)))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	span := func() time.Duration { return time.Duration(rng.Int64N(1e12)) * time.Microsecond }
	ev := scxml.Event{Name: text(), Data: value(), Type: datamodel.EventType(rng.IntN(3)), SendID: text(), Origin: text(), OriginType: text(), InvokeID: text()}
	r := record.Record{Kind: record.Kind(1 + rng.IntN(int(record.Rest))), Seq: rng.Int64N(100), Time: span(), Session: text(), InvokeID: text()}
	resting := func() {
		r.Configuration, r.Atomic, r.Delayed = list(), list(), rng.IntN(2) == 0
		if r.Delayed {
			r.Due = span()
		}
	}
	answers := func() {
		if rng.IntN(2) == 0 {
			r.ID = random(rng, []datamodel.Value{"a b", "", int64(3), 1.5})
		} else {
			r.Line = rng.IntN(3)
		}
	}
	switch r.Kind {
	case record.Hello:
		r.Hello = &record.Greeting{Protocol: 1, Chart: text(), Clock: text(), File: text(), Datamodel: text(), Seed: rng.Uint64(), Version: text(), Restored: rng.IntN(2) == 0}
	case record.Clock:
		r.Now = time.Unix(rng.Int64N(1e10), rng.Int64N(1e9)).UTC()
	case record.Arrive:
		r.Event = ev
		r.Event.Raw = text()
	case record.Event:
		r.Event = ev
	case record.Raise, record.Internal:
		r.Event = ev
		r.Event.Origin, r.Event.OriginType, r.Event.InvokeID = "", "", ""
	case record.Microstep:
		r.Event.Name, r.Count = text(), rng.IntN(3)
	case record.Enter, record.Exit:
		r.State = text()
	case record.Transition, record.Cond:
		r.State, r.Events, r.Cond, r.Targets, r.At = text(), list(), text(), list(), text()
		if r.Kind == record.Cond {
			r.Value, r.Message = rng.IntN(2) == 0, text()
		}
	case record.Unhandled:
		r.Event.Name = text()
	case record.Stable:
		r.Configuration, r.Atomic = list(), list()
	case record.Send, record.Timer:
		r.Event.Name, r.Event.Data, r.Event.SendID, r.Target = text(), value(), text(), text()
		if r.Kind == record.Send {
			r.Processor, r.Delay = text(), span()
		}
	case record.Cancel:
		r.Event.SendID, r.Count = text(), rng.IntN(3)
		answers()
	case record.Invoke, record.CancelInvoke:
		r.Event.InvokeID, r.Child, r.Chart = text(), text(), text()
	case record.Log:
		r.Label, r.Value = text(), value()
	case record.Error, record.Outcome:
		r.Event.Name, r.Event.SendID = text(), random(rng, []string{"", text()})
		r.Message, r.Element, r.At = text(), text(), text()
		if r.Kind == record.Outcome {
			r.Event.InvokeID = random(rng, []string{"", text()})
		}
		if rng.IntN(2) == 0 {
			r.Stack = []record.Frame{{Func: text(), At: text()}, {}}
		}
	case record.Done:
		r.Reason, r.State, r.Value = text(), text(), value()
	case record.Value:
		answers()
		r.Label, r.Value = text(), value()
	case record.Rejected:
		answers()
		r.Line, r.Message = 1+rng.IntN(3), text()
	case record.Idle:
		answers()
		resting()
	case record.Rest:
		resting()
	}
	return r
}

// TestRoundTrip: both forms of a record can be read back.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		r := randomRecord(t, rng)
		text, json := r.String(), string(r.AppendJSON(nil))
		for _, line := range []string{text, json} {
			if strings.ContainsAny(line, "\n\r\u2028") {
				t.Fatalf("more than a line: %q", line)
			}
		}
		fromText, err := record.ParseText(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, json)
		}
		if got := string(fromText.AppendJSON(nil)); got != json || fromText.String() != text {
			t.Fatalf("%s\nis read as  %s\nand was     %s", text, got, json)
		}
		fromJSON, err := record.ParseJSON([]byte(json))
		if err != nil {
			t.Fatalf("%v\n%s", err, json)
		}
		if got := fromJSON.String(); got != text || string(fromJSON.AppendJSON(nil)) != json {
			t.Fatalf("%s\nis read as  %s\nand was     %s", json, got, text)
		}
		if !reflect.DeepEqual(fromText.Hello, fromJSON.Hello) || fromText.Input() != r.Input() || fromJSON.Input() != r.Input() {
			t.Fatalf("%s\n%+v\n%+v", text, fromText, fromJSON)
		}
	}
}

// What can be read can be written and read again with the same result.
func FuzzParse(f *testing.F) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		r := randomRecord(f, rng)
		f.Add(r.String())
		f.Add(string(r.AppendJSON(nil)))
	}
	f.Fuzz(func(t *testing.T, line string) {
		for _, parse := range []func(string) (record.Record, error){
			record.ParseText,
			func(s string) (record.Record, error) { return record.ParseJSON([]byte(s)) },
		} {
			r, err := parse(line)
			if err != nil || r.Kind == record.Unknown {
				continue
			}
			text := r.String()
			again, err := record.ParseText(text)
			if err != nil || again.String() != text {
				t.Errorf("%q\nis written as %q\nwhich is %q, %v", line, text, again.String(), err)
			}
			json := string(r.AppendJSON(nil))
			again, err = record.ParseJSON([]byte(json))
			if got := string(again.AppendJSON(nil)); err != nil || got != json {
				t.Errorf("%q\nis written as %s\nwhich is %s, %v", line, json, got, err)
			}
		}
	})
}
