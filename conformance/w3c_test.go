package conformance_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/conformance"
)

// TestW3C runs the automatic tests of the W3C's suite. What does not pass has
// a line in w3c_ledger.txt; a test that is listed there and passes is a failure.
func TestW3C(t *testing.T) {
	dir := os.Getenv("SCXML_W3C_SUITE")
	if dir == "" {
		t.Skip("the W3C suite was not run: SCXML_W3C_SUITE does not name its folder")
	}
	suite, err := conformance.OpenW3C(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	ledger := readLedger(t)
	for _, form := range []struct {
		name     string
		document func(conformance.W3CTest) string
	}{
		{"converted", func(test conformance.W3CTest) string { return test.Start }},
		{"unaltered", func(test conformance.W3CTest) string { return test.Unaltered }},
	} {
		t.Run(form.name, func(t *testing.T) {
			run, passed := 0, 0
			for _, test := range suite.Tests {
				document := form.document(test)
				if test.Manual || document == "" {
					continue
				}
				run++
				t.Run(test.ID, func(t *testing.T) {
					got := suite.Run(t.Context(), test, document)
					key := form.name + " " + test.ID
					why, listed := ledger[key]
					delete(ledger, key)
					switch {
					case got.Passed && listed:
						t.Errorf("it passes: take it out of w3c_ledger.txt (%s)", why)
					case got.Passed:
						passed++
					case !listed:
						t.Errorf("%s\nREC %s: %s\nlast configuration: %s\ntrace:\n%s", got.Reason,
							strings.Join(test.Spec, ", "), test.Assertion, strings.Join(got.Configuration, " "), got.Trace)
					}
				})
			}
			if run == 0 {
				t.Error("the suite has no test of this form")
			}
			t.Logf("%d of %d automatic tests pass", passed, run)
		})
	}
	for key := range ledger {
		t.Errorf("w3c_ledger.txt lists %q, which is no test", key)
	}
}

// readLedger reads lines of the form "FORM ID…: reason".
func readLedger(t *testing.T) map[string]string {
	f, err := os.Open("w3c_ledger.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ledger := make(map[string]string)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		tests, why, ok := strings.Cut(line, ":")
		words := strings.Fields(tests)
		if !ok || len(words) < 2 || strings.TrimSpace(why) == "" {
			t.Fatalf("w3c_ledger.txt: %q is not of the form \"FORM ID…: reason\"", line)
		}
		for _, id := range words[1:] {
			ledger[words[0]+" "+id] = strings.TrimSpace(why)
		}
	}
	return ledger
}
