package fleet

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

func fullRecord() *record {
	at := time.Date(2026, 1, 5, 12, 0, 0, 7, time.UTC)
	r := &record{
		Record:      Record{Key: "k", Chart: "c", Hash: "h", Status: "running", Accepted: 9},
		incarnation: 1, nonce: 1 << 63, steps: 3, consumed: 8,
		inbox: []letter{{at, "id", "k~x", true, encodeEvent(scxml.Event{Name: "e", Origin: "o", Data: datamodel.NewObject("a", int64(1))})}},
		ids:   []answer{{"id", 7, true}}, marks: []mark{{"feed", 0, 5}, {"s", 6, 7}},
		tasks: []task{{id: 1, kind: scxml.TaskInvoke, step: 2, since: at, attempts: 4, next: at}, {id: 2, target: "#_scxml_b", since: at}},
		due:   at, suspended: true,
		failure:  &Failure{What: "event e", Message: "m", Position: 9, Task: 1, Attempts: 2, At: at, Next: at},
		snapshot: []byte("{}"),
	}
	r.encode()
	return r
}

func TestRecordSurvivesEncoding(t *testing.T) {
	r := fullRecord()
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

// Whatever decode accepts, encode writes again.
func FuzzRecord(f *testing.F) {
	f.Add(fullRecord().Body)
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
