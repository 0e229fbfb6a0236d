package conformance_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/conformance"
)

var updateReport = flag.Bool("report.update", false, "rewrite REPORT.md")

// TestReportFile: REPORT.md is the output of its command.
func TestReportFile(t *testing.T) {
	suite := openConverted(t)
	cases, err := suite.Cases(nil, bothForms, true)
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := suite.RunAll(t.Context(), cases, conformance.W3COptions{Jobs: runtime.GOMAXPROCS(0), Ledger: conformance.W3CLedger()})
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := suite.WriteMarkdown(&got, outcomes, conformance.VirtualClock); err != nil {
		t.Fatal(err)
	}
	if *updateReport {
		if err := os.WriteFile("REPORT.md", got.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("REPORT.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("REPORT.md is out of date; run %s > REPORT.md\n%s", conformance.ReportCommand, firstDifference(string(want), got.String()))
	}
	if dir := w3cDir(t); strings.Contains(got.String(), dir) {
		t.Errorf("REPORT.md contains %s", dir)
	}
	// Each alteration must be described in our own words.
	for _, test := range suite.Tests {
		if test.Altered != "" && strings.Contains(got.String(), test.Altered) {
			t.Errorf("report_altered.go does not describe the alteration of %s", test.ID)
		}
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		switch {
		case i >= len(w):
			return "+ " + g[i]
		case i >= len(g):
			return "- " + w[i]
		case w[i] != g[i]:
			return "- " + w[i] + "\n+ " + g[i]
		}
	}
	return ""
}

// sample has one record of each verdict.
func sample() *conformance.Report {
	return &conformance.Report{
		Name: "suite", Clock: conformance.VirtualClock,
		Records: []conformance.Record{
			{Form: conformance.Converted, Test: "1", Verdict: conformance.Pass, Took: 1500 * time.Millisecond},
			{
				Form: conformance.Unaltered, Test: "2", Sections: []string{"3.2"}, Assertion: "It MUST.", Verdict: conformance.Fail,
				Reason: "it ended in \"f|g\" & <so>\x00", Configuration: []string{"s", "t"}, Trace: strings.Repeat("enter s\n", 30),
			},
			{Test: "3", Verdict: conformance.KnownFail, Reason: "r", Known: "k"},
			{Test: "4", Verdict: conformance.UnexpectedPass, Known: "k"},
		},
		Summary: []string{"1 of 4 tests pass"},
	}
}

func TestReportText(t *testing.T) {
	var got strings.Builder
	if err := sample().WriteText(&got); err != nil {
		t.Fatal(err)
	}
	want := `FAIL unaltered 2: it ended in "f|g" & <so>` + "\x00" + `
  REC 3.2: It MUST.
  last configuration: s t
  trace (the last 25 of 30 lines):
` + strings.Repeat("    enter s\n", 25) + `known 3: r: k
FAIL 4: passes, but the ledger says: k
1 of 4 tests pass
`
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", &got, want)
	}
	if n := sample().Bad(); n != 2 {
		t.Errorf("%d bad, want 2", n)
	}
}

func TestReportMarkdown(t *testing.T) {
	var got strings.Builder
	if err := sample().WriteMarkdown(&got); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"# suite", "- 1 of 4 tests pass", "| converted 1 | pass |  |", `| unaltered 2 | fail | it ended in "f\|g" & &lt;so>` + "\x00 |", "| 3 | known-fail | r; k |"} {
		if !slices.Contains(strings.Split(got.String(), "\n"), line) {
			t.Errorf("no line %q in\n%s", line, &got)
		}
	}
}

func TestReportJSON(t *testing.T) {
	var got bytes.Buffer
	if err := sample().WriteJSON(&got); err != nil {
		t.Fatal(err)
	}
	var back conformance.Report
	if err := json.Unmarshal(got.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if len(back.Records) != 4 || back.Records[1].Reason != sample().Records[1].Reason || back.Records[3].Verdict != "unexpected-pass" || back.Bad() != 2 {
		t.Errorf("read back: %+v", back)
	}
}

func TestReportJUnit(t *testing.T) {
	var got bytes.Buffer
	if err := sample().WriteJUnit(&got); err != nil {
		t.Fatal(err)
	}
	var back struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Skipped  int `xml:"skipped,attr"`
		Cases    []struct {
			Class   string `xml:"classname,attr"`
			Name    string `xml:"name,attr"`
			Time    string `xml:"time,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
		} `xml:"testcase"`
	}
	if err := xml.Unmarshal(got.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if back.Tests != 4 || back.Failures != 2 || back.Skipped != 1 || len(back.Cases) != 4 || back.Cases[0].Time != "1.500" ||
		back.Cases[0].Class != "suite.converted" || back.Cases[2].Class != "suite" {
		t.Errorf("%s", &got)
	}
	if f := back.Cases[1].Failure; f == nil || f.Message != "it ended in \"f|g\" & <so>\uFFFD" || !strings.Contains(f.Text, "last configuration: s t") {
		t.Errorf("%s", &got)
	}
}
