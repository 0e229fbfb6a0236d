package explore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// Delayed events that are due at the same time are one wait, however many they are.
func TestManyTimers(t *testing.T) {
	for _, timers := range []int{99, 101, 999, 1001} {
		chart := parse(t, fmt.Sprintf(`<state id="s"><onentry>%s</onentry><transition event="t"/></state>`, strings.Repeat(`<send event="t" delay="1s"/>`, timers)), `datamodel="null"`)
		for _, memory := range []int64{0, 1 << 20} {
			r := run(t, chart, explore.Options{MaxMemory: memory, MaxDepth: 1, Workers: 1})
			want := "depth"
			if timers > 1000 || memory > 0 && timers > 100 {
				want = "timers"
			}
			if r.Bound != want {
				t.Errorf("%d delayed events, memory %d: bound %q, want %q", timers, memory, r.Bound, want)
			}
		}
	}
}

// A search that did not end says what has grown, and names nothing that has not.
func TestGrows(t *testing.T) {
	for _, test := range []struct {
		name, chart string
		want        []string
		view        []string
	}{
		{"number", `<datamodel><data id="n" expr="0"/><data id="k" expr="5"/></datamodel>
<state id="s"><transition event="e"><assign location="n" expr="n + k"/></transition></state>`,
			[]string{`chart.scxml:1:74: n had 21 values on one path of 20 inputs, at last 90, 95, 100`}, nil},
		{"member", `<datamodel><data id="game" expr="{board: {moves: [], side: 1}}"/></datamodel>
<state id="s"><transition event="e"><script>game.board.moves.push(game.board.side = -game.board.side)</script></transition></state>`,
			[]string{`chart.scxml:1:74: game.board.moves had 21 values on one path of 20 inputs, at last [-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1… (46 bytes), [-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1… (49 bytes), [-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1… (51 bytes)`}, nil},
		{"key", `<datamodel><data id="n" expr="({'a b': 0, c: 0})"/></datamodel>
<state id="s"><transition event="e"><script>n['a b']++</script></transition></state>`,
			[]string{`chart.scxml:1:74: n["a b"] had 21 values on one path of 20 inputs, at last 18, 19, 20`}, nil},
		{"timer", `<state id="s"><transition event="e"><send event="off" delay="5s"/></transition></state>`,
			[]string{`chart.scxml:1:99: 18 delayed events "off" are pending after one path of 20 inputs`}, nil},
		{"cycle", `<datamodel><data id="n" expr="0"/></datamodel>
<state id="s"><transition event="e"><assign location="n" expr="(n + 1) % 9"/></transition></state>`, nil, nil},
		{"few", `<datamodel><data id="n" expr="0"/></datamodel>
<state id="s"><transition event="e" cond="n &lt; 4"><assign location="n" expr="n + 1"/></transition></state>`, nil, nil},
		{"left out", `<datamodel><data id="n" expr="0"/><data id="m" expr="0"/></datamodel>
<state id="s"><transition event="e"><assign location="n" expr="n + 1"/><assign location="m" expr="m + 2"/></transition></state>`,
			[]string{`chart.scxml:1:97: m had 21 values on one path of 20 inputs, at last 36, 38, 40`}, []string{"-n"}},
	} {
		var got []string
		for _, g := range run(t, parse(t, test.chart, ""), explore.Options{MaxDepth: 20, View: test.view}).Grows {
			got = append(got, g.String())
		}
		if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
			t.Errorf("%s: grows %q, want %q", test.name, got, test.want)
		}
	}
}

// While it runs, a search says what grows.
func TestGrowsMeanwhile(t *testing.T) {
	chart := parse(t, `<datamodel><data id="n" expr="0"/></datamodel><state id="s"><transition event="e"><assign location="n" expr="n + 1"/></transition></state>`, "")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var said []explore.Growth
	_, err := explore.Run(ctx, chart, explore.Options{Progress: func(p explore.Progress) {
		if p.Grows != nil {
			said = p.Grows
			cancel()
		}
	}})
	if err != nil || len(said) != 1 || said[0].Name != "n" {
		t.Errorf("%v, %v", said, err)
	}
}

// A search does not wait for code that cannot be interrupted.
func TestUninterruptible(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	defer close(release)
	r, err := explore.Search(ctx, func() (explore.System, error) { return &stuck{cancel: cancel, release: release}, nil }, explore.Options{})
	if err != nil || r.Bound != "time" {
		t.Errorf("%+v, %v", r, err)
	}
}

// stuck is a system the first input of which never ends.
type stuck struct {
	explore.System
	cancel  func()
	release chan struct{}
}

func (s *stuck) Start(context.Context) error { return nil }

func (s *stuck) AppendKey(dst []byte) ([]byte, error) { return append(dst, 1), nil }

func (s *stuck) AppendState(dst []byte) ([]byte, error) { return append(dst, 1), nil }

func (s *stuck) LoadState([]byte) error { return nil }

func (s *stuck) Configuration() []string { return nil }

func (s *stuck) Final() bool { return false }

func (s *stuck) AppendInputs(dst []explore.Input) []explore.Input {
	return append(dst, explore.Input{Event: "e"})
}

func (s *stuck) Apply(context.Context, explore.Input) error {
	s.cancel()
	<-s.release
	return nil
}

// What was found in a state before it takes too much is reported.
func TestLargeVisit(t *testing.T) {
	chart := parse(t, `<datamodel><data id="text" expr="''"/></datamodel>
<state id="s"><transition event="e" cond="text == ''"><assign location="text" expr="_event.data + 'x'.repeat(100000)"/></transition></state>`, "")
	var values []any
	for i := range 100 {
		values = append(values, i)
	}
	r := run(t, chart, explore.Options{
		Data: map[string][]any{"e": values}, MaxMemory: 16 << 20, NoDeadlocks: true, Workers: 1,
		Properties: []explore.Property{explore.Never("text[0] == '7'")},
	})
	if r.Bound != "memory" || len(r.Violations) != 1 || r.States >= 100 {
		t.Errorf("%+v", r)
	}
}
