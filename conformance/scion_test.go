package conformance_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/conformance"
)

// TestScion runs our own tests in the format of SCION. The ledger lists what
// does not pass.
func TestScion(t *testing.T) {
	const dir = "testdata/scion"
	f, err := os.Open(dir + "/ledger.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ledger, err := conformance.ReadLedger(f)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := conformance.ScionTests(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	report, err := conformance.RunTests(t.Context(), "scion", tests, ledger, nil)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	report.WriteText(&text)
	const want = "known known/small-steps: after event 1 (go) the configuration is {twice}, want {once}: "
	if report.Bad() > 0 || len(report.Records) != 6 || !strings.HasPrefix(text.String(), want) || !strings.HasSuffix(text.String(), "\n5 of 6 tests pass\n") {
		t.Error(text.String())
	}
}

// scionChart goes from a to b on e, and from b to its end on f.
const scionChart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
	<state id="a"><transition event="e" target="b"/></state><state id="b"><transition event="f" target="z"/></state><final id="z"/></scxml>`

func TestScionScripts(t *testing.T) {
	for _, test := range []struct {
		chart, script string
		want          string // "" if it passes
	}{
		{scionChart, `{}`, ""},
		{scionChart, "\uFEFF" + `{"initialConfiguration": ["a"], "events": []}`, ""},
		{scionChart, `{"initialConfiguration": ["b"]}`, "at the start the configuration is {a}, want {b}"},
		{scionChart, `{"initialConfiguration": []}`, "at the start the configuration is {a}, want {}"},
		{scionChart, `{"events": [{"event": {"name": "e"}, "nextConfiguration": ["a", "b"]}]}`, "after event 1 (e) the configuration is {b}, want {a b}"},
		{scionChart, `{"events": [{"event": "e"}, {"event": "f"}, {"event": "f", "after": 1.5, "nextConfiguration": ["z"]}]}`, ""},
		{scionChart, `{"events": [{"after": -1}]}`, "x.json: -1 is not a delay: want a number of milliseconds"},
		{scionChart, `{"events": [{"after": "soon"}]}`, `x.json: "soon" is not a delay`},
		{scionChart, `{"events": [{"after": null, "event": null, "nextConfiguration": null}]}`, ""},
		{scionChart, `{"events": [{"event": {"data": 1}}]}`, `x.json: {"data": 1} is not an event: want a name`},
		{scionChart, `{"events": `, "x.json: unexpected end of JSON"},
		{scionChart, `{"error": {}}`, "the document was not rejected"},
		{`<scxml`, `{}`, "the document was rejected: folder/x.scxml:1"},
		{`<scxml`, `{"error": {}}`, ""},
		{`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="a"><transition target="b"/></state><state id="b"><transition target="a"/></state></scxml>`,
			`{}`, "limit Microsteps"},
		{"", `{"initialConfiguration": ["a"]}`, "cannot find x.scxml"},
	} {
		fsys := fstest.MapFS{"folder/x.json": {Data: []byte(test.script)}, "package.json": {Data: []byte(`{}`)}}
		if test.chart != "" {
			fsys["folder/x.scxml"] = &fstest.MapFile{Data: []byte(test.chart)}
		}
		tests, err := conformance.ScionTests(fsys)
		if err != nil || len(tests) != 1 || tests[0].Name != "folder/x" {
			t.Fatalf("%s: %+v, %v", test.script, tests, err)
		}
		got := tests[0].Run(t.Context(), nil)
		if got.Passed != (test.want == "") || !strings.Contains(got.Reason, test.want) {
			t.Errorf("%s: passed %v: %s; want %q", test.script, got.Passed, got.Reason, test.want)
		}
	}
}

func TestRunTests(t *testing.T) {
	fsys := fstest.MapFS{
		"a.scxml": {Data: []byte(scionChart)}, "a.json": {Data: []byte(`{"initialConfiguration": ["a"]}`)},
		"b.scxml": {Data: []byte(scionChart)}, "b.scxml.json": {Data: []byte(`{"initialConfiguration": ["b"]}`)},
	}
	tests, err := conformance.ScionTests(fsys)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		ledger conformance.Ledger
		bad    int
		want   string
	}{
		{nil, 1, ""},
		{conformance.Ledger{"b": "why"}, 0, ""},
		{conformance.Ledger{"a": "why", "b": "why"}, 1, ""},
		{conformance.Ledger{"b": "why", "c": "why"}, 0, "the ledger lists unknown tests: c"},
	} {
		report, err := conformance.RunTests(t.Context(), "scion", tests, test.ledger, nil)
		if report.Bad() != test.bad || (err == nil) != (test.want == "") || err != nil && err.Error() != test.want {
			t.Errorf("%v: %d bad, %v; want %d, %q", test.ledger, report.Bad(), err, test.bad, test.want)
		}
	}
	if _, err := conformance.RunTests(t.Context(), "scion", nil, nil, nil); err == nil {
		t.Error("an empty suite is not an error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := conformance.RunTests(ctx, "scion", tests, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
