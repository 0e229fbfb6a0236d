package conformance_test

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/conformance"
)

// openW3C opens the W3C's suite, which is not part of the project.
func openW3C(t *testing.T) *conformance.W3CSuite {
	t.Helper()
	dir := w3cDir(t)
	suite, err := conformance.OpenW3C(os.DirFS(dir))
	if err != nil { // dir may be relative, and go test runs in the package's folder
		t.Fatalf("SCXML_W3C_SUITE=%s, in the folder conformance: %v", dir, err)
	}
	return suite
}

func w3cDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SCXML_W3C_SUITE")
	if dir == "" {
		t.Skip("SCXML_W3C_SUITE does not name the folder of the W3C's suite")
	}
	return dir
}

// openConverted opens the suite if it has corrected documents.
func openConverted(t *testing.T) *conformance.W3CSuite {
	t.Helper()
	suite := openW3C(t)
	if suite.Abstract {
		t.Skip("the suite's folder does not have a tests.json with converted documents")
	}
	return suite
}

// formsOf returns the forms that the suite's documents have.
func formsOf(suite *conformance.W3CSuite) []conformance.Form {
	if suite.Abstract {
		return []conformance.Form{conformance.Unaltered}
	}
	return bothForms
}

var bothForms = []conformance.Form{conformance.Converted, conformance.Unaltered}

// TestW3C runs every test of the W3C's suite in both forms, manual ones
// included, on a virtual clock. A test fails if its result differs from
// w3c_ledger.txt, which lists what does not pass.
func TestW3C(t *testing.T) {
	suite := openW3C(t)
	runW3C(t, suite, formsOf(suite), conformance.W3COptions{Clock: conformance.VirtualClock, Jobs: runtime.GOMAXPROCS(0)})
}

// TestW3CRestored does the same with sessions that are saved, discarded and
// restored after every macrostep.
func TestW3CRestored(t *testing.T) {
	suite := openW3C(t)
	runW3C(t, suite, formsOf(suite), conformance.W3COptions{Clock: conformance.RestoredClock, Jobs: runtime.GOMAXPROCS(0)})
}

// TestW3CRealClock does the same in real time. The sessions mostly wait, so
// many run at once.
func TestW3CRealClock(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for some seconds")
	}
	t.Parallel()
	suite := openW3C(t)
	runW3C(t, suite, formsOf(suite), conformance.W3COptions{Clock: conformance.RealClock, Jobs: 32 * runtime.GOMAXPROCS(0)})
}

// TestW3CFleet does the same with sessions of a fleet that keeps none in memory. The results are the
// same.
func TestW3CFleet(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for some seconds")
	}
	t.Parallel()
	suite := openW3C(t)
	runW3C(t, suite, formsOf(suite), conformance.W3COptions{Clock: conformance.FleetClock, Jobs: 32 * runtime.GOMAXPROCS(0)})
}

// TestW3CAbstract runs the W3C's abstract documents as this package converts them.
func TestW3CAbstract(t *testing.T) {
	suite := openAbstract(t)
	runW3C(t, suite, []conformance.Form{conformance.Unaltered}, conformance.W3COptions{Jobs: runtime.GOMAXPROCS(0)})
}

func openAbstract(t *testing.T) *conformance.W3CSuite {
	t.Helper()
	fsys := os.DirFS(w3cDir(t))
	if _, err := os.Stat(w3cDir(t) + "/manifest.xml"); err != nil {
		t.Skip("the suite's folder does not have the W3C's manifest")
	}
	suite, err := conformance.OpenW3CAbstract(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return suite
}

func runW3C(t *testing.T, suite *conformance.W3CSuite, forms []conformance.Form, opts conformance.W3COptions) {
	cases, err := suite.Cases(nil, forms, true)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < 193 {
		t.Fatalf("the suite has %d documents, and should have at least 193", len(cases))
	}
	if opts.Ledger == nil {
		opts.Ledger = conformance.W3CLedger()
	}
	for _, key := range suite.Stale(opts.Ledger) {
		t.Errorf("w3c_ledger.txt lists %q, which is not a test", key)
	}
	outcomes, err := suite.RunAll(t.Context(), cases, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range forms {
		t.Run(string(form), func(t *testing.T) {
			run, passed := 0, 0
			for _, got := range outcomes {
				if got.Form != form {
					continue
				}
				run++
				if got.Passed {
					passed++
				}
				t.Run(got.Test.ID, func(t *testing.T) {
					switch got.Verdict {
					case conformance.UnexpectedPass:
						t.Errorf("passes: remove it from w3c_ledger.txt (%s)", got.Why)
					case conformance.Fail:
						t.Errorf("%s\nREC %s: %s\nlast configuration: %s\ntrace:\n%s", got.Reason,
							strings.Join(got.Test.Spec, ", "), got.Test.Assertion, strings.Join(got.Configuration, " "), got.Trace)
					}
				})
			}
			if run == 0 {
				t.Error("the suite does not have a test in this form")
			}
			t.Logf("%d of %d documents pass", passed, run)
		})
	}
}

// TestW3CCounts: the suite has as many tests of each kind as are known.
func TestW3CCounts(t *testing.T) {
	suite := openConverted(t)
	cases, err := suite.Cases(nil, bothForms, true)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, c := range cases {
		kind := c.Test.Conformance
		if c.Test.Manual {
			kind += " manual"
		}
		count[string(c.Form)+" "+kind]++
		if c.Test.ID == "436" && c.Test.Datamodel != "null" {
			t.Errorf("436 has the data model %q", c.Test.Datamodel)
		}
	}
	for kind, want := range map[string]int{
		"converted mandatory": 160, "converted optional": 33, "converted mandatory manual": 8, "converted optional manual": 1,
		"converted withdrawn": 1, "unaltered mandatory": 5, "unaltered optional": 14, "unaltered mandatory manual": 2,
	} {
		if count[kind] != want {
			t.Errorf("%s: %d documents, want %d", kind, count[kind], want)
		}
	}
}

// TestW3CManifest: the W3C's manifest describes the tests as tests.json does.
func TestW3CManifest(t *testing.T) {
	abstract, suite := openAbstract(t), openConverted(t)
	tests := suite.Tests[:len(suite.Tests)-1] // the last one is withdrawn
	if len(abstract.Tests) != len(tests) {
		t.Fatalf("the manifest has %d start documents, tests.json %d", len(abstract.Tests), len(tests))
	}
	for i, want := range tests {
		got := abstract.Tests[i]
		switch want.ID {
		case "513", // not the W3C's document
			"201", // the alteration changes the delay
			"175": // the delay is in a variable
			got.LongestDelay = want.LongestDelay
		}
		if got.ID != want.ID || got.Assert != want.Assert || strings.Join(got.Spec, " ") != strings.Join(want.Spec, " ") ||
			got.Conformance != want.Conformance || got.Manual != want.Manual || got.Datamodel != want.Datamodel ||
			got.NeedsAny("basichttp") != want.NeedsAny("basichttp") || got.NeedsAny("invoke") != want.NeedsAny("invoke") ||
			got.LongestDelay != want.LongestDelay || got.Expect != want.Expect || got.Final != want.Final ||
			(got.Check == nil) != (want.Check == nil) {
			t.Errorf("%s:\nmanifest   %+v\ntests.json %+v", want.ID, got, want)
		}
	}
}

func TestOpenW3CErrors(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"empty folder", nil, "neither tests.json nor manifest.xml"},
		{"no test", map[string]string{"tests.json": `[]`}, "tests.json does not list any tests"},
		{"no JSON", map[string]string{"tests.json": `[`}, "tests.json: unexpected end"},
		{"no id", map[string]string{"tests.json": `[{"start":"a.scxml","expect":"pass"}]`}, `lacks "id"`},
		{"empty manifest", map[string]string{"manifest.xml": `<assertions/>`}, "manifest.xml does not list any tests"},
		{"no manifest", map[string]string{"manifest.xml": `<assertions`}, "manifest.xml: XML syntax error"},
		{"no dependency", map[string]string{"manifest.xml": `<assertions><assert id="1"><test><start uri="1/test1.txml"/><dep uri="1/d.txt"/></test></assert></assertions>`},
			"test 1: cannot find d.txt"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fsys := make(fstest.MapFS)
			for name, text := range test.files {
				fsys[name] = &fstest.MapFile{Data: []byte(text)}
			}
			if _, err := conformance.OpenW3C(fsys); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// smallManifest is a small suite in the W3C's layout.
var smallManifest = fstest.MapFS{
	"manifest.xml": {Data: []byte(`<?xml version="1.0"?><assertions>
		<assert id="12" specnum="3.2" specid="#scxml"><![CDATA[ It
			works. ]]><test id="12" conformance="mandatory" manual="false"><start uri="12/test12b.txml"/><start uri="12/test12a.txml"/></test></assert>
		<assert id="3" specnum="3.3"><![CDATA[Bad.]]><test id="3" conformance="optional" manual="false"><start uri="3/test3.txml"/></test></assert>
		<assert id="4" specnum="3.4"><![CDATA[Seen.]]><test id="4" conformance="optional" manual="true"><start uri="4/test4.txml"/></test></assert>
		<assert id="5" specnum="3.5"><![CDATA[Gone.]]><test id="5" conformance="optional" manual="false"><start uri="5/test5.txml"/></test></assert>
	</assertions>`)},
	"12/test12a.txml": {Data: []byte(abstractDocument(`<state id="s"><onentry><send event="e" conf:delay="1.5"/></onentry><transition event="e" conf:targetpass=""/></state>`))},
	"test12b.txml":    {Data: []byte(abstractDocument(`<state id="s"><transition event="e" conf:targetpass=""/></state>`))},
	"txml/test3.txml": {Data: []byte(abstractDocument(`<state id="s"><transition conf:nonsense="" conf:targetpass=""/></state>`))},
	"txml/test4.txml": {Data: []byte(abstractDocument(``))},
}

func abstractDocument(content string) string {
	return `<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:conf="http://www.w3.org/2005/scxml-conformance" version="1.0" conf:datamodel="">` +
		content + `<conf:pass/><conf:fail/></scxml>`
}

func TestW3COutcomes(t *testing.T) {
	t.Parallel() // waits on the real clock
	suite, err := conformance.OpenW3C(smallManifest)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := suite.Cases(nil, []conformance.Form{conformance.Unaltered}, true)
	if err != nil {
		t.Fatal(err)
	}
	ledger := conformance.Ledger{"unaltered 12a": "a", "unaltered 12b": "b", "unaltered 13": "c", "converted 12a": "d"}
	for _, clock := range []conformance.Clock{conformance.VirtualClock, conformance.RealClock} {
		if clock == conformance.RealClock && testing.Short() {
			continue
		}
		seen := 0
		outcomes, err := suite.RunAll(t.Context(), cases, conformance.W3COptions{
			Clock: clock, Jobs: 5, Repeat: 1, Ledger: ledger, Progress: func(conformance.W3COutcome) { seen++ },
		})
		if err != nil {
			t.Fatal(err)
		}
		want := []struct {
			id      string
			verdict conformance.Verdict
			reason  string
		}{
			{"3", conformance.Fail, `cannot convert test3.txml: line 1: unknown attribute "conf:nonsense"`},
			{"4", conformance.Fail, "cannot judge the manual test"},
			{"5", conformance.Fail, "cannot find test5.txml"},
			{"12a", conformance.UnexpectedPass, ""},
			{"12b", conformance.KnownFail, "the session did not end within 10s"},
		}
		if len(outcomes) != len(want) || seen != len(want) {
			t.Fatalf("%d outcomes, %d seen, want %d", len(outcomes), seen, len(want))
		}
		for i, w := range want {
			got := outcomes[i]
			if got.Test.ID != w.id || got.Verdict != w.verdict || !strings.Contains(got.Reason, w.reason) {
				t.Errorf("%s clock: test %s: %s: %s; want %+v", clock, got.Test.ID, got.Verdict, got.Reason, w)
			}
		}
		if got := strings.Join(outcomes[4].Configuration, " "); got != "s" {
			t.Errorf("%s clock: 12b: configuration %q, want s", clock, got)
		}
	}
	if got := strings.Join(suite.Stale(ledger), ", "); got != "converted 12a, unaltered 13" {
		t.Errorf("stale entries: %s", got)
	}
}

func TestW3CCases(t *testing.T) {
	suite, err := conformance.OpenW3C(smallManifest)
	if err != nil {
		t.Fatal(err)
	}
	unaltered := []conformance.Form{conformance.Unaltered}
	for _, test := range []struct {
		selectors string
		manual    bool
		want      string
	}{
		{"", false, "3 5 12a 12b"},
		{"", true, "3 4 5 12a 12b"},
		{"4", false, "4"},
		{"12", false, "12a 12b"},
		{"12b", false, "12b"},
		{"3-5", false, "3 5"},
		{"3-5 4", false, "3 4 5"},
		{"5-12", true, "5 12a 12b"},
		{"5-12a", true, "5 12a"},
		{"12 5", false, "5 12a 12b"},
		{"6", false, "error: the suite does not have a test 6"},
		{"6-11", false, "error: the suite does not have a test 6-11"},
		{"x", false, `error: "x" is not a test: want`},
		{"3-x", false, `error: "3-x" is not a test: want`},
	} {
		cases, err := suite.Cases(strings.Fields(test.selectors), unaltered, test.manual)
		var ids []string
		for _, c := range cases {
			ids = append(ids, c.Test.ID)
		}
		got := strings.Join(ids, " ")
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != test.want && (err == nil || !strings.HasPrefix(got, test.want)) {
			t.Errorf("%q, manual %v: %s, want %s", test.selectors, test.manual, got, test.want)
		}
	}
	if _, err := suite.Cases(nil, bothForms, false); err == nil {
		t.Error("the W3C's layout has corrected documents")
	}
}

func TestReadW3CLedger(t *testing.T) {
	for text, want := range map[string]string{
		"# a\n\nunaltered 1 2: because\n": "",
		"unaltered 1":                     "line 1: want a test, a colon",
		"\nunaltered: x":                  `line 2: want "FORM ID`,
		"abstract 1: x":                   `"abstract" is not a form`,
		"unaltered 1:":                    "line 1: want a test, a colon",
		"unaltered 1: x\nunaltered 1: y":  "line 2: unaltered 1 is listed twice",
	} {
		ledger, err := conformance.ReadW3CLedger(strings.NewReader(text))
		if want == "" {
			if err != nil || len(ledger) != 2 || ledger["unaltered 2"] != "because" {
				t.Errorf("%q: %v, %v", text, ledger, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
