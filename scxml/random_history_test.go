package scxml_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/synctest"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/internal/randomchart"
	recs "github.com/scxmlrun/scxmlrun/scxml/record"
)

var historyCharts = flag.Int("random.histories", 60, "number of random charts whose histories are compared with what happened")

// A moment is a position of a session that a history listens to.
type moment struct {
	snapshot []byte
	err      error
	records  int // until then
}

// TestHistoryOfRandomCharts: at each position of the history of a random chart, a copy has the state
// that the session had there, and the records between two positions are those of the session. Copies
// use none of the services and processors.
func TestHistoryOfRandomCharts(t *testing.T) {
	// Where time stands still a history takes few snapshots, so that most copies are the result of
	// a replay.
	synctest.Test(t, historyOfRandomCharts)
}

func historyOfRandomCharts(t *testing.T) {
	positions, unsaved := 0, 0
	for n := range int64(*historyCharts) {
		trial := randomTrialOf(*randomSeed, n, 30)
		chart, err := scxml.Parse("chart.scxml", []byte(trial.Chart.String()), scxml.WithLoader(trial.FS()))
		if err != nil {
			continue
		}
		h, moments, records, written := recordHistory(t, trial, chart, rand.New(rand.NewPCG(*randomSeed, uint64(n))), beginOf(chart, n))
		fail := func(at int, err error) {
			t.Fatalf("chart %d of seed %d, position %d of %d: %v\n%s", n, *randomSeed, at, len(moments)-1, err, trial.Chart)
		}
		rec, err := history.Open(bytes.NewReader(written))
		if err != nil {
			fail(0, err)
		}
		if n%2 == 0 { // the recording in place of the history
			if h, err = rec.Replay(context.Background(), h.Config(), false, nil); err != nil {
				fail(h.Len()-1, err)
			}
		}
		if h.Len() != len(moments) {
			fail(0, fmt.Errorf("the history has %d positions", h.Len()))
		}
		positions += len(moments)
		err = h.Walk(context.Background(), 0, len(moments)-1, recs.All, func(at history.Position) error {
			m, from := moments[at.N], 0
			if at.N > 0 {
				from = moments[at.N-1].records
			}
			if err := compareRecords(at.Records, records[from:m.records]); err != nil {
				fail(at.N, err)
			}
			return nil
		})
		if err != nil {
			fail(0, err)
		}
		for i, m := range moments {
			s, err := h.Seek(context.Background(), i)
			if err != nil {
				fail(i, err)
			}
			got, err := s.Snapshot()
			if m.err != nil || err != nil {
				unsaved++
				if (m.err == nil) != (err == nil) {
					fail(i, fmt.Errorf("a snapshot fails with %v, and that of the session with %v", err, m.err))
				}
				continue
			}
			if err := compareSnapshots(got, m.snapshot); err != nil {
				fail(i, err)
			}
		}
	}
	t.Logf("%d positions, %d of which cannot be saved", positions, unsaved)
	if positions == 0 || unsaved*2 > positions {
		t.Error("the charts have too little to compare")
	}
}

// recordHistory runs a trial with a history, which is recorded too.
func recordHistory(t *testing.T, trial *randomchart.Trial, chart *scxml.Chart, rng *rand.Rand, begin scxml.Option) (*history.History, []moment, []recs.Record, []byte) {
	f := forbidden{t}
	var written bytes.Buffer
	h, err := history.New(history.Config{Chart: chart, Options: []scxml.Option{
		scxml.WithSeed(1), scxml.WithLimits(limits), scxml.WithInvoker("service", f), scxml.WithIOProcessor("nonsense", f), begin,
	}, Recording: &written})
	if err != nil {
		t.Fatal(err)
	}
	var moments []moment
	var st *stage
	note := func(s *scxml.Session) {
		m := moment{records: len(st.records)}
		m.snapshot, m.err = s.Snapshot()
		moments = append(moments, m)
	}
	step := &scxml.Trace{Step: func(s *scxml.Session, _ error) { note(s) }}
	st = newStage(chart, h.Option(), scxml.WithTrace(step), begin)
	st.changed = func() {
		if h.Mark() == nil {
			note(st.session)
		}
	}
	st.refuses = func(int) bool { return rng.IntN(3) == 0 }
	st.run(trial, rng)
	records := st.records
	st.records = nil
	st.recorder.Tell(st.session, recs.Record{})
	tape := h
	h, err = h.Branch(context.Background(), h.Len()-1) // without what follows
	if err != nil {
		t.Fatal(err)
	}
	n := len(moments)
	if err := tape.Close(); err != nil {
		t.Fatal(err)
	}
	recorded := bytes.Clone(written.Bytes())
	st.leave()
	return h, moments[:n], records, recorded
}

// compareRecords compares what has happened. When inputs were reported does not matter.
func compareRecords(got, want []recs.Record) error {
	consequences := func(all []recs.Record) (out []string) {
		for _, r := range all {
			if r.Seq = 0; !r.Input() && r.Kind != recs.Unknown {
				out = append(out, r.String())
			}
		}
		return out
	}
	g, w := consequences(got), consequences(want)
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			return fmt.Errorf("record %d differs: got\n%q\nwant\n%q", i, g[min(i, len(g)):], w[min(i, len(w)):])
		}
	}
	return nil
}

// compareSnapshots compares the snapshot of a copy with that of the session, which has also what had
// arrived by then.
func compareSnapshots(got, want []byte) error {
	if bytes.Equal(got, want) {
		return nil
	}
	var g, w map[string]any
	if err := errors.Join(json.Unmarshal(got, &g), json.Unmarshal(want, &w)); err != nil {
		return err
	}
	gs, _ := g["sessions"].([]any)
	ws, _ := w["sessions"].([]any)
	for i := range min(len(gs), len(ws)) {
		a, b := gs[i].(map[string]any), ws[i].(map[string]any)
		for _, queue := range []string{"internal", "external"} {
			qa, _ := a[queue].([]any)
			qb, _ := b[queue].([]any)
			if len(qa) > len(qb) || len(qa) > 0 && !reflect.DeepEqual(qa, qb[:len(qa)]) {
				return fmt.Errorf("the %s queue differs\n%s\n%s", queue, got, want)
			}
			delete(a, queue)
			delete(b, queue)
		}
		for _, s := range []map[string]any{a, b} {
			for _, inv := range list(s["invocations"]) {
				if service, ok := inv.(map[string]any)["service"].(map[string]any); ok {
					delete(service, "inbox")
				}
			}
		}
	}
	if !reflect.DeepEqual(g, w) {
		return fmt.Errorf("the snapshot differs: got\n%s\nwant\n%s", got, want)
	}
	return nil
}

func list(v any) []any {
	all, _ := v.([]any)
	return all
}
