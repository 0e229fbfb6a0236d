package explore_test

import (
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// lines returns a path as the lines of a scenario.
func lines(path []explore.Input) string {
	var all []string
	for _, in := range path {
		all = append(all, in.String())
	}
	return strings.Join(all, ", ")
}

// span returns times as in "5s to less than 8s".
func span(t *explore.Times) string {
	word := func(p explore.Passage, open string) string {
		switch {
		case p.Never:
			return "never"
		case p.Open:
			return open + " than " + p.Time.String()
		}
		return p.Time.String()
	}
	return word(t.Fastest, "more") + " to " + word(t.Slowest, "less")
}

func TestTimes(t *testing.T) {
	const timer = `<send event="x" delay="5s"/>`
	for _, test := range []struct{ name, inside, want, fastest, slowest string }{
		{"at the start", `<state id="s"/>`, "0s to 0s", "", ""},
		{"a delay", `<state id="a"><onentry>` + timer + `</onentry><transition event="x" target="s"/></state><state id="s"/>`,
			"5s to 5s", "advance 5s", "advance 5s"},
		{"an event may come before", `<state id="a"><onentry>` + timer + `</onentry><transition event="x e" target="s"/></state><state id="s"/>`,
			"0s to 5s", "e", "advance 5s"},
		{"an event may come before, another delay begins", `<state id="a"><onentry>` + timer + `</onentry><transition event="x e" target="b"/></state>
			<state id="b"><onentry><send event="y" delay="2s"/></onentry><transition event="y" target="s"/></state><state id="s"/>`,
			"2s to 7s", "e, advance 2s", "advance 5s, advance 2s"},
		{"an event must come after a delay", `<state id="a"><onentry>` + timer + `<send event="y" id="y" delay="8s"/></onentry><transition event="x" target="b"/></state>
			<state id="b"><transition event="e" target="c"/><transition event="y" target="s"/></state>
			<state id="c"><onentry><cancel sendid="y"/><send event="z" delay="2s"/></onentry><transition event="z" target="s"/></state><state id="s"/>`,
			"7s to less than 10s", "advance 5s, e, advance 2s", "advance 5s, advance 2.999s, e, advance 2s"},
		{"waits", `<state id="a"><transition event="e" target="s"/></state><state id="s"/>`, "0s to never", "e", ""},
		{"ends before", `<state id="a"><onentry>` + timer + `</onentry><transition event="x" target="s"/><transition event="e" target="end"/></state><state id="s"/><final id="end"/>`,
			"5s to never", "advance 5s", "e"},
		{"again and again", `<state id="a"><onentry><send event="x" delay="1s"/></onentry><transition event="x" target="a"/><transition event="e" target="s"/></state><state id="s"/>`,
			"0s to never", "e", "advance 1s"},
		{"a number of times", `<datamodel><data id="n" expr="0"/></datamodel><state id="a"><onentry><send event="x" delay="1s"/></onentry>
			<transition event="x" cond="n &lt; 3" target="a"><assign location="n" expr="n + 1"/></transition><transition event="x" target="s"/></state><state id="s"/>`,
			"4s to 4s", "advance 1s, advance 1s, advance 1s, advance 1s", "advance 1s, advance 1s, advance 1s, advance 1s"},
		{"toggled during a delay", `<parallel id="p"><state id="q"><state id="a"><onentry>` + timer + `</onentry><transition event="x" target="s"/></state><state id="s"/></state>
			<state id="r"><state id="on"><transition event="e" target="off"/></state><state id="off"><transition event="e" target="on"/></state></state></parallel>`,
			"5s to 5s", "advance 5s", "advance 5s"},
		{"put off", `<state id="a"><onentry><send event="x" id="x" delay="5s"/></onentry><onexit><cancel sendid="x"/></onexit><transition event="e" target="a"/><transition event="x" target="s"/></state><state id="s"/>`,
			"5s to never", "advance 5s", ""},
		{"put off once", `<state id="a"><onentry><send event="x" id="x" delay="5s"/></onentry><onexit><cancel sendid="x"/></onexit><transition event="e" target="b"/><transition event="x" target="s"/></state>
			<state id="b"><onentry><send event="x" delay="3s"/></onentry><transition event="x" target="s"/></state><state id="s"/>`,
			"3s to less than 8s", "e, advance 3s", "advance 4.999s, e, advance 3s"},
		{"only after", `<state id="a"><onentry><send event="x" delay="5s"/><send event="y" delay="6s"/></onentry><transition event="x" target="b"/></state>
			<state id="b"><onentry><send event="z" delay="1s"/></onentry><transition event="e" target="c"/></state>
			<state id="c"><onentry><send event="w" delay="1s"/></onentry><transition event="z" target="s"/><transition event="w" target="s"/></state><state id="s"/>`,
			"6s to never", "", ""},
	} {
		r := run(t, parse(t, test.inside), explore.Options{Reach: []string{"s"}, Times: true})
		times := r.Reached[0].Times
		if got := span(times); got != test.want || test.fastest != "" && lines(times.Fastest.Path) != test.fastest || test.slowest != "" && lines(times.Slowest.Path) != test.slowest {
			t.Errorf("%s: got  %s, %q, %q\nwant %s, %q, %q", test.name, got, lines(times.Fastest.Path), lines(times.Slowest.Path), test.want, test.fastest, test.slowest)
		}
	}
}

// The fastest and the slowest times are those of paths that lead to the state when they are replayed, and no
// inputs at times of a grid take less or more, on random charts.
func TestTimesOfRandomCharts(t *testing.T) {
	passages, never, open := 0, 0, 0
	eachTimedChart(t, func(t *testing.T, seed uint64, text string, chart *scxml.Chart) {
		g := newGrid(t, chart)
		g.search(t)
		for _, goal := range []string{"s01", "s10", "s21", "end"} {
			if _, ok := chart.State(goal); !ok {
				continue
			}
			least, most, reached := g.times(func(name string) bool { return strings.Contains(name, goal) })
			r := run(t, chart, explore.Options{Session: timedLimits, MaxStates: 2000, Reach: []string{goal}, Times: true})
			if len(r.Reached) == 0 {
				if reached && r.States < 2000 {
					t.Errorf("seed %d: %s is not reached\n%s", seed, goal, text)
				}
				continue
			}
			if r.Reached[0].Times == nil {
				if r.Verdict == explore.Holds {
					t.Errorf("seed %d: %s has no times\n%s", seed, goal, text)
				}
				continue
			}
			times := r.Reached[0].Times
			fast, slow := times.Fastest, times.Slowest
			if reached && (least < fast.Time || fast.Open && least == fast.Time) {
				t.Errorf("seed %d: %s takes at least %v, want %v\n%s", seed, goal, span(times), least, text)
			}
			if reached && !slow.Never && (most > slow.Time || slow.Open && most == slow.Time) {
				t.Errorf("seed %d: %s takes at most %v, want %v\n%s", seed, goal, span(times), most, text)
			}
			for _, p := range []explore.Passage{fast, slow} {
				s, took := replay(t, chart, p.Path)
				off := (took - p.Time).Abs()
				right := off == 0
				if p.Open {
					right = 0 < off && off < 10*time.Millisecond
				}
				if p.Never {
					right = true
				}
				if there := s.In(goal) || s.FinalState() == goal; there == p.Never || !right {
					t.Errorf("seed %d: %s, %v: %s takes %v and leads to %v\n%s", seed, goal, span(times), lines(p.Path), took, s.Configuration(), text)
				}
				passages++
				if p.Never {
					never++
				}
				if p.Open {
					open++
				}
			}
		}
	})
	if t.Logf("%d passages, %d never, %d open", passages, never, open); passages == 0 {
		t.Error("no state was reached")
	}
}
