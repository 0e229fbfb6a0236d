package main

import (
	"context"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/conformance"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// onlyInterpreted says why tests fail that the interpreter passes.
var onlyInterpreted = map[string]string{
	"random":         "it uses random numbers",
	"differs":        "the compiled chart does something else",
	"inherited":      "it refuses an event",
	"snapshot":       "the session is restored",
	"invoke-errors":  "it invokes what exists at run time only",
	"outside-report": "the session is restored",
	"outside-router": "the compiled chart does something else", // without the sessions outside
	"outside-tasks":  "the session is restored",
}

// The scenarios of this project, and some that must fail, have the same verdict with compiled charts, unless only the
// interpreter can do what they ask.
func TestCompiledVerdicts(t *testing.T) {
	dir := t.TempDir()
	write := func(name, chart, rest string) {
		text := "-- chart.scxml --\n<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" datamodel=\"ecmascript\">" + chart + "</scxml>\n" + rest
		if err := os.WriteFile(filepath.Join(dir, name+".txtar"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const lamp = `<datamodel><data id="n" expr="0"/></datamodel><state id="off"><onexit><assign location="n" expr="n + 1"/></onexit>
  <transition event="on" target="lit"/></state>
  <state id="lit"><onentry><send event="dim" delay="5s"/></onentry><transition event="dim" target="off"/></state>`
	write("good", lamp, "-- events --\non\nadvance 5s\non\n-- check --\ndata n 2\nnever n > 2\nreach lit\nno error\n")
	write("wrong-trace", lamp, "-- events --\non\n-- trace --\nenter lit\n")
	write("wrong-data", lamp, "-- events --\non\n-- check --\ndata n 3\n")
	write("wrong-property", lamp, "-- events --\non\nadvance 6s\n-- check --\nnever n > 0 && In('off')\n")
	write("stopped", lamp, "-- events --\non\nstop\n-- check --\nreach lit\n")
	write("deadlock", lamp, "-- events --\non\n-- check --\nno deadlock\n")
	write("xml", `<datamodel><data id="d"><a xmlns=""/></data></datamodel><state id="s"/>`, "-- events --\n-- check --\nreach s\n")
	write("random", `<state id="s"><onentry><log expr="Math.random()"/></onentry></state>`, "-- events --\n-- check --\nreach s\n")
	write("differs", `<state id="s"><onentry><log expr="Math['random']()"/></onentry></state>`, "-- events --\n-- check --\nreach s\n")
	write("inherited", `<state id="s"><transition event="e" cond="_event.data.x.y > 0"/></state>`, "-- events --\ne {\"x\":{\"toString\":1}}\n-- check --\nreach s\n")
	chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">`+lamp+`</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	session, err := scxml.New(chart, scxml.WithClock(func() time.Time { return scxmltest.Epoch }))
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	snapshot, err := session.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	write("snapshot", lamp, "-- snapshot --\n"+string(snapshot)+"\n-- events --\non\n-- check --\nreach lit\n")

	var tests []conformance.Test
	for _, from := range []string{dir, "../../scxml/testdata/scenario", "../../conformance/testdata"} {
		found, err := findTests(from, "any", true)
		if err != nil {
			t.Fatal(err)
		}
		tests = append(tests, found...)
	}
	for kind, want := range map[string]map[string]int{
		"typed":   {"ran": 39, "equal": 37, "not compiled": 4, "only interpreted": 7},
		"dynamic": {"ran": 42, "equal": 41, "only interpreted": 7},
	} {
		compiled, ran, err := runCompiled(context.Background(), tests, kind == "dynamic")
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{"ran": ran}
		for i, test := range tests {
			want, got := test.Run(context.Background(), nil), compiled[i].Run(context.Background(), nil)
			why := onlyInterpreted[path.Base(test.Name)]
			switch {
			case strings.Contains(got.Reason, "the chart cannot be compiled") && !got.Passed:
				count["not compiled"]++
			case got.Passed == want.Passed && got.Reason == want.Reason:
				count["equal"]++
			case why != "" && want.Passed && !got.Passed && strings.Contains(got.Reason, why):
				count["only interpreted"]++
			default:
				t.Errorf("%s, %s: passed %t, want %t\n%s", kind, test.Name, got.Passed, want.Passed, got.Reason)
			}
		}
		if !maps.Equal(count, want) {
			t.Errorf("%s: %v, want %v", kind, count, want)
		}
	}
}

// Outside of a module, the command says what it needs.
func TestCompiledNeedsAModule(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("GO111MODULE", "")
	if _, err := goModule(t.Context()); err == nil || !strings.Contains(err.Error(), "go get github.com/scxmlrun/scxmlrun") {
		t.Errorf("got the error %v", err)
	}
}
