package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// count searches a model written in Go: moves returns the states after each of the moves that are possible
// in a state.
func count[S comparable](initial S, moves func(S) []S) (states, transitions int) {
	seen := map[S]bool{initial: true}
	for waiting := []S{initial}; len(waiting) > 0; {
		var next []S
		for _, s := range waiting {
			for _, to := range moves(s) {
				if transitions++; !seen[to] {
					seen[to] = true
					next = append(next, to)
				}
			}
		}
		waiting = next
	}
	return len(seen), transitions
}

// Classic models have as many states and transitions as in a search that knows nothing of charts.
func TestCounts(t *testing.T) {
	type counts struct{ states, transitions int }
	of := func(states, transitions int) counts { return counts{states, transitions} }
	for _, test := range []struct {
		name, inside, attr string
		want               counts
	}{
		{"philosophers", philosophers(6), `datamodel="null"`, of(count([6]byte{}, func(s [6]byte) (next [][6]byte) { // 0 thinks, 1 has the left fork, 2 has both
			for i := range s {
				left, right := (i+5)%6, (i+1)%6
				to := s
				switch {
				case s[i] == 0 && s[left] != 2, s[i] == 1 && s[right] == 0:
					to[i]++
				case s[i] == 2:
					to[i] = 0
				default:
					continue
				}
				next = append(next, to)
			}
			return next
		}))},
		{"Peterson's algorithm", peterson(), "", of(count(petersons{}, petersons.moves))},
		{"river crossing", `<datamodel><data id="at" expr="[0, 0, 0, 0]"/></datamodel><script>
			function alone(a, b) { return at[a] == at[b] &amp;&amp; at[a] != at[0] }
			function cross(who) {
				const before = at
				if (at[who] != at[0]) return false
				at = at.map((bank, i) => i == 0 || i == who ? 1 - bank : bank)
				const safe = !alone(1, 2) &amp;&amp; !alone(2, 3)
				if (!safe) at = before
				return safe
			}</script><state id="a">` + each(4, `<transition event="cross.%[1]d"><script>cross(%[1]d)</script></transition>`) + `</state>`, "",
			of(count([4]bool{}, func(s [4]bool) (next [][4]bool) { // the farmer, the wolf, the goat and the cabbage
				for who := range s {
					to := s
					to[0] = !s[0]
					to[who] = to[0]
					if s[who] == s[0] && (to[2] == to[0] || to[1] != to[2] && to[2] != to[3]) {
						next = append(next, to)
					}
				}
				return next
			}))},
		{"counters", `<datamodel><data id="n" expr="[0, 0, 0]"/></datamodel><state id="a">` +
			each(3, `<transition event="up.%[1]d" cond="n[%[1]d] &lt; 4 + %[1]d"><assign location="n[%[1]d]" expr="n[%[1]d] + 1"/></transition><transition event="reset.%[1]d" cond="n[%[1]d] == 3"><assign location="n[%[1]d]" expr="0"/></transition>`) + `</state>`, "",
			of(count([3]int{}, func(s [3]int) (next [][3]int) {
				for i, n := range s {
					if n < 4+i {
						to := s
						to[i]++
						next = append(next, to)
					}
					if n == 3 {
						to := s
						to[i] = 0
						next = append(next, to)
					}
				}
				return next
			}))},
	} {
		r := run(t, parse(t, test.inside, test.attr), explore.Options{NoDeadlocks: true})
		if got := (counts{r.States, r.Transitions}); got != test.want || r.Verdict != explore.Holds {
			t.Errorf("%s: %+v, want %+v; %v", test.name, got, test.want, r.Verdict)
		}
	}
}

func each(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// peterson is Peterson's algorithm of mutual exclusion.
func peterson() string {
	var b strings.Builder
	b.WriteString(`<datamodel><data id="wants" expr="[false, false]"/><data id="turn" expr="0"/></datamodel><parallel id="both">`)
	for i := range 2 {
		fmt.Fprintf(&b, `<state id="p%[1]d">
			<state id="idle%[1]d"><transition event="want.%[1]d" target="wants%[1]d"><assign location="wants[%[1]d]" expr="true"/></transition></state>
			<state id="wants%[1]d"><transition event="yield.%[1]d" target="waits%[1]d"><assign location="turn" expr="%[2]d"/></transition></state>
			<state id="waits%[1]d"><transition event="enter.%[1]d" cond="!wants[%[2]d] || turn == %[1]d" target="critical%[1]d"/></state>
			<state id="critical%[1]d"><transition event="leave.%[1]d" target="idle%[1]d"><assign location="wants[%[1]d]" expr="false"/></transition></state></state>`, i, 1-i)
	}
	b.WriteString(`</parallel>`)
	return b.String()
}

// petersons is a state of it: where both are, and whose turn it is.
type petersons struct {
	at   [2]byte // 0 is idle, 1 wants, 2 waits, 3 is in the critical section
	turn int
}

func (p petersons) moves() (next []petersons) {
	for i := range 2 {
		to := p
		switch to.at[i] = (p.at[i] + 1) % 4; {
		case p.at[i] == 1:
			to.turn = 1 - i
		case p.at[i] == 2 && p.at[1-i] != 0 && p.turn != i:
			continue
		}
		next = append(next, to)
	}
	return next
}

// Both are never in the critical section, unless the one that waits does not look at the turn.
func TestPeterson(t *testing.T) {
	never := explore.Options{Properties: []explore.Property{explore.Never("In('critical0') && In('critical1')")}}
	if r := run(t, parse(t, peterson()), never); r.Verdict != explore.Holds {
		t.Errorf("%v: %v", r.Verdict, r.Violations)
	}
	wrong := strings.ReplaceAll(peterson(), `location="turn" expr="1"`, `location="turn" expr="0"`)
	if r := run(t, parse(t, wrong), never); r.Verdict != explore.Violated {
		t.Errorf("with a mistake: %v", r.Verdict)
	}
}
