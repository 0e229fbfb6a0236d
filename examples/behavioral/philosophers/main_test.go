package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// The states without a remedy are those that other model checkers count.
func TestStatesAndDeadlocks(t *testing.T) {
	for _, test := range []struct {
		guests, states int
		fix            string
	}{
		{3, 14, "none"}, {5, 82, "none"}, {7, 478, "none"}, {9, 2786, "none"},
		{3, 13, "waiter"}, {7, 477, "waiter"}, {3, 12, "order"}, {7, 408, "order"},
	} {
		p, err := newTable(&options{guests: test.guests, fix: test.fix})
		if err != nil {
			t.Fatal(err)
		}
		report, err := explore.Search(t.Context(), p.System, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if report.States != test.states {
			t.Errorf("%+v: %d states", test, report.States)
		}
		deadlocks := 0
		if test.fix == "none" {
			deadlocks = 1
		}
		if report.Deadlocks != deadlocks {
			t.Errorf("%+v: %d deadlocks", test, report.Deadlocks)
		}
		for _, v := range report.Violations {
			if v.Kind != explore.Deadlock || len(v.Path) != test.guests {
				t.Errorf("%+v: %v", test, v)
			}
		}
	}
}

func TestRun(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-n 2 -seed 2 -steps 3", `. thinks   h is hungry, with one fork   E eats
  1  . h  1 takes fork 1
  2  h h  0 takes fork 0
a deadlock:
  philosopher 0 wants fork 1, which fork 1 blocks
  philosopher 1 wants fork 0, which fork 0 blocks
`},
		{"-n 2 -fix waiter -steps 4", `. thinks   h is hungry, with one fork   E eats
  1  . h  1 takes fork 1
  2  . E  1 takes fork 0
  3  . .  1 puts both forks back
  4  h .  0 takes fork 0
`},
		{"-check -n 3", `14 states, 27 transitions in TIME
a shortest way to a deadlock:
  1. 0 takes fork 0
  2. 1 takes fork 1
  3. 2 takes fork 2
error: the philosophers can starve: try -fix waiter
`},
		{"-check -n 3 -fix waiter", `13 states, 24 transitions in TIME
philosopher 0 can stay hungry:
  1. 0 takes fork 0
and then again and again:
  2. 1 takes fork 1
  3. 1 takes fork 2
  4. 1 puts both forks back
error: a philosopher can starve, unless chance is fair: try -fair
`},
		{"-check -n 3 -fix waiter -fair", "13 states, 24 transitions in TIME\nnobody starves\n"},
		{"-check -fix order -fair", "70 states, 219 transitions in TIME\nnobody starves\n"},
		{"-steps -1", "error: -steps: -1 is negative\n"},
		{"-n few", "error: invalid value \"few\" for flag -n: parse error\n"},
		{"-n 1", "error: -n: 1 philosophers: want 2 to 13\n"},
		{"-fix fork", "error: -fix: \"fork\" is not a remedy: want waiter, order or none\n"},
		{"check", "error: \"check\" is not expected: try -help\n"},
	} {
		var out bytes.Buffer
		if err := run(t.Context(), strings.Fields(test.args), &out); err != nil {
			fmt.Fprintln(&out, "error:", err)
		}
		got := regexp.MustCompile(`in [0-9.µms]+\n`).ReplaceAllString(out.String(), "in TIME\n")
		if got != test.want {
			t.Errorf("philosophers %s: got\n%s\nwant\n%s", test.args, got, test.want)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	p, err := newTable(&options{guests: 9, fix: "none"})
	if err != nil {
		b.Fatal(err)
	}
	transitions := 0
	b.ReportAllocs()
	for b.Loop() {
		report, err := explore.Search(b.Context(), p.System, explore.Options{})
		if err != nil {
			b.Fatal(err)
		}
		transitions += report.Transitions
	}
	b.ReportMetric(float64(transitions)/b.Elapsed().Seconds(), "transitions/s")
}
