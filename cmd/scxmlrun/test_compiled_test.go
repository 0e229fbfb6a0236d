package main

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/conformance"
)

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
	write("random", `<state id="s"><onentry><log expr="Math.random()"/></onentry></state>`, "-- events --\n-- check --\nreach s\n") // which differs

	var tests []conformance.Test
	for _, from := range []string{dir, "../../scxml/testdata/scenario", "../../conformance/testdata"} {
		found, err := findTests(from, "any", true)
		if err != nil {
			t.Fatal(err)
		}
		tests = append(tests, found...)
	}
	for kind, want := range map[string]map[string]int{
		"typed":   {"ran": 28, "equal": 29, "data or expressions": 12, "interpreter": 4},
		"dynamic": {"ran": 40, "equal": 39, "interpreter": 4, "different": 2}, // random numbers, and a document that exists at run time only
	} {
		compiled, ran, err := runCompiled(context.Background(), tests, kind == "dynamic")
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{"ran": ran}
		for i, test := range tests {
			want, got := test.Run(context.Background(), nil), compiled[i].Run(context.Background(), nil)
			switch {
			case strings.Contains(got.Reason, "only the interpreter can do this") && !got.Passed:
				count["interpreter"]++
			case strings.Contains(got.Reason, "the chart cannot be compiled") && !got.Passed:
				count["data or expressions"]++
			case got.Passed == want.Passed && got.Reason == want.Reason:
				count["equal"]++
			case (strings.HasSuffix(test.Name, "/random") || strings.HasSuffix(test.Name, "/invoke-errors")) && want.Passed && !got.Passed && strings.Contains(got.Reason, "the compiled chart does something else"):
				count["different"]++
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
