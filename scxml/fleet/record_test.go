package fleet

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

func fullRecord() *record { return fullRecordWith("") }

// fullRecordWith returns a record whose events, tasks and timers have a trace.
func fullRecordWith(trace string) *record {
	at := time.Date(2026, 1, 5, 12, 0, 0, 7, time.UTC)
	r := &record{
		Record:      Record{Key: "k", Chart: "c", Hash: "h", Status: "running", Accepted: 9},
		incarnation: 1, nonce: 1 << 63, steps: 3, consumed: 8,
		inbox: []inboxEvent{{at, "id", "k~x", true, encodeEvent(scxml.Event{Name: "e", Origin: "o", Data: datamodel.NewObject("a", int64(1))}), trace}},
		ids:   []answer{{id: "id", position: 7, handled: true}}, marks: []mark{{"feed", 0, 5}, {"s", 6, 7}},
		tasks: []task{{id: 1, kind: scxml.TaskInvoke, step: 2, since: at, attempts: 4, next: at, failed: trace, trace: trace}, {id: 2, target: "#_scxml_b", since: at}},
		due:   at, suspended: true,
		failure:  &Failure{What: "event e", Message: "m", Position: 9, Task: 1, Attempts: 2, At: at, Next: at},
		snapshot: []byte("{}"),
	}
	if trace != "" {
		r.timers = []timer{{at, "e", trace}}
	}
	r.encode()
	return r
}

// digested returns a record that knows more of an event with an id.
func digested() *record {
	r := fullRecord()
	r.ids[0].digest, r.ids[0].at = 1<<63, r.due
	r.encode()
	return r
}

func TestRecordSurvivesEncoding(t *testing.T) {
	for _, r := range []*record{fullRecord(), fullRecordWith("00-1-2-01"), digested()} {
		survives(t, r)
	}
}

// An event whose id was stored by an earlier version of this package is a duplicate, as it was then.
func TestEventsOfOldRecordsAreNotCompared(t *testing.T) {
	for _, c := range []struct {
		stored *record
		want   error
	}{{fullRecord(), nil}, {digested(), ErrReused}} {
		r, err := decode(&c.stored.Record)
		if err != nil {
			t.Fatal(err)
		}
		receipt, found, err := (&turn{record: *r}).accepted(&request{id: "id", digest: 5})
		if !errors.Is(err, c.want) || err == nil && (!found || receipt != Receipt{7, true}) {
			t.Errorf("%+v, %v, want %v", receipt, err, c.want)
		}
	}
}

// Stores have records and entries in this form.
func TestStoredFormIsTheSame(t *testing.T) {
	const begin = "\x01\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\x03\b\x01\x8e\x80\xec\xbd\xcf\xfb\xe9\x871\x02id\x03k~x\x01\x0f\x01e\x00\x01o\x00\x00\x00{\"a\":1}\x01\x02id\a\x01\x02\x04feed\x00\x05\x01s\x06\a\x02" +
		"\x01\x01\x00\x02\x8e\x80\xec\xbd\xcf\xfb\xe9\x871\x04\x8e\x80\xec\xbd\xcf\xfb\xe9\x871\x02\x00\t#_scxml_b\x00\x8e\x80\xec\xbd\xcf\xfb\xe9\x871\x00\x00\x8e\x80\xec\xbd\xcf\xfb\xe9\x871" +
		"\arunning\x01\x01\aevent e\x01m\t\x01\x02\x8e\x80\xec\xbd\xcf\xfb\xe9\x871\x8e\x80\xec\xbd\xcf\xfb\xe9\x871\x02{}"
	for got, want := range map[string]string{
		string(fullRecord().Body):                "\x01" + begin,
		string(fullRecordWith("00-1-2-01").Body): "\x02" + begin + "\t00-1-2-01\t00-1-2-01\t00-1-2-01\x00\x00\x01\x8e\x80\xec\xbd\xcf\xfb\xe9\x871\x01e\t00-1-2-01",
		string(digested().Body):                  "\x03" + begin + "\x00\x00\x00\x00\x00\x00\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\x8e\x80\xec\xbd\xcf\xfb\xe9\x871",
		string(fullEntry().encode()): "\x01\x8e\x80\xec\xbd\xcf\xfb\xe9\x871\x02\x05timer\x00\x00\x00\x00\x00\x00\x00\x00\x00\x05event\x01e\x01\x02\x01\x01n\x03\x01a\x00\x03b c\x01\x01a" +
			"\x03\x01a\x00\x03b c\x03\x01a\x00\x03b c\tsuspended\x03\x01a\x00\x03b c",
	} {
		if got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

func survives(t *testing.T, r *record) {
	got, err := decode(&r.Record)
	if err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, r)
	}
	ev, err := decodeEvent(got.inbox[0].ev)
	if err != nil || ev.Name != "e" || ev.Origin != "o" || datamodel.Text(ev.Data) != `{"a":1}` {
		t.Errorf("%+v, %v", ev, err)
	}
	for n := range r.Body {
		if _, err := decode(&Record{Body: r.Body[:n]}); err == nil {
			t.Errorf("decode accepts the first %d bytes of %d", n, len(r.Body))
		}
	}
}

func fullEntry() *Entry {
	all := []string{"a", "", "b c"}
	return &Entry{
		Time: time.Date(2026, 1, 5, 12, 0, 0, 7, time.UTC), Status: "suspended", Configuration: all,
		Steps: []Step{{Kind: "timer"}, {Kind: "event", Event: "e", Position: 1, Task: 2, Handled: true, Exited: all, Entered: all[:1], Sent: all, Errors: all, Note: "n"}},
	}
}

// An entry is the same after it was stored, also one that was stored as JSON.
func TestEntrySurvivesEncoding(t *testing.T) {
	want := fullEntry()
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	for _, stored := range [][]byte{want.encode(), text} {
		if got, err := decodeEntry(stored); err != nil || !reflect.DeepEqual(&got, want) {
			t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
		}
		for n := range stored {
			if _, err := decodeEntry(stored[:n]); err == nil {
				t.Errorf("decodeEntry accepts the first %d bytes of %q", n, stored)
			}
		}
	}
}

// Whatever decode accepts, encode writes again.
func FuzzRecord(f *testing.F) {
	f.Add(fullRecord().Body)
	f.Add(fullRecordWith("00-1-2-01").Body)
	f.Add(digested().Body)
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := decode(&Record{Body: bytes.Clone(body)})
		if err != nil {
			return
		}
		r.encode()
		again, err := decode(&r.Record)
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("%+v becomes %+v, %v", r, again, err)
		}
	})
}
