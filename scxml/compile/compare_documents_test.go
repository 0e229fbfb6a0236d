package compile_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/twin"
)

var compareEvery = flag.Int("compare.every", 60, "compare every nth document: 1 compares all of them")

// ours are the folders with charts of this project that are meant to run.
var ours = []string{"charts", "cmd/internal/playground/charts", "cmd/scxmlrun/internal/starter/templates", "conformance/documents", "examples", "scxml/testdata/speed"}

// incomparable documents show what differs from run to run.
var incomparable = map[string]string{
	"190b-target-session-id-of-another-session.scxml": "it sends the random id of a session",
}

// dynamicOnly documents show what typed machines do not have.
var dynamicOnly = map[string]string{
	"test178.scxml": "it reads _event.raw",
}

// equalDocuments says how many documents at least are compiled and equal, first with data in the script engine, then with
// typed data; those with the null data model are in both.
var equalDocuments = map[string]map[string]int{
	"dynamic": {"W3C": 198, "conformance/documents": 314, "examples": 33, "cmd/internal/playground/charts": 5, "cmd/scxmlrun/internal/starter/templates": 5, "scxml/testdata/speed": 1},
	"typed":   {"W3C": 185, "conformance/documents": 280, "examples": 31, "cmd/internal/playground/charts": 5, "cmd/scxmlrun/internal/starter/templates": 5, "scxml/testdata/speed": 1},
}

// TestDocuments compares compiled charts of this project, and those of the W3C's suite if SCXML_W3C_SUITE names its
// folder, with the interpreter. They get events that they name, and time passes.
func TestDocuments(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go tool")
	}
	suites := map[string][]*subject{}
	for _, dir := range ours {
		root := filepath.Join("../..", filepath.FromSlash(dir))
		err := filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
			if err == nil && path.Ext(file) == ".scxml" && !strings.Contains(file, "testdata"+string(filepath.Separator)) || err == nil && dir == "scxml/testdata/speed" && path.Ext(file) == ".scxml" {
				suites[dir] = append(suites[dir], documentSubject(filepath.Dir(file), filepath.Base(file)))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if dir := os.Getenv("SCXML_W3C_SUITE"); dir != "" {
		text, err := os.ReadFile(filepath.Join(dir, "tests.json"))
		if err != nil {
			t.Fatal(err)
		}
		var tests []struct{ Start string }
		if err := json.Unmarshal(text, &tests); err != nil {
			t.Fatal(err)
		}
		for _, test := range tests {
			file := filepath.Join(dir, filepath.FromSlash(test.Start))
			suites["W3C"] = append(suites["W3C"], documentSubject(filepath.Dir(file), filepath.Base(file)))
		}
	}
	var all []*subject
	for name, suite := range suites {
		for i, s := range suite {
			if i%*compareEvery == 0 {
				s.suite = name
				all = append(all, s)
			}
		}
	}
	slices.SortFunc(all, func(a, b *subject) int { return strings.Compare(a.suite+a.name, b.suite+b.name) })
	compare := func(kind string, all []*subject) {
		sum, differences := compareAll(t, all)
		for _, d := range differences {
			t.Errorf("%s, %s\n%s", d.name, kind, d.text)
		}
		t.Logf("%s: %v", kind, sum)
		count := map[string]int{}
		for name := range suites {
			left := []string{}
			for _, s := range all {
				switch {
				case s.suite != name:
				case s.why != "":
					left = append(left, s.file+": "+s.why)
				case !slices.ContainsFunc(differences, func(d difference) bool { return d.subject == s }):
					count[name]++
				}
			}
			t.Logf("%s, %s: %d equal, %d left out\n%s", name, kind, count[name], len(left), strings.Join(left, "\n"))
			if least := equalDocuments[kind][name]; *compareEvery == 1 && count[name] < least {
				t.Errorf("%s, %s: %d documents are equal, want %d", name, kind, count[name], least)
			}
		}
	}
	compare("dynamic", all)
	typed := make([]*subject, len(all))
	for i, s := range all {
		typed[i] = &subject{name: s.name, suite: s.suite, fsys: s.fsys, file: s.file, stimuli: s.stimuli, high: true, incomparable: cmp.Or(s.incomparable, dynamicOnly[s.file]), typed: true, texts: true}
	}
	compare("typed", typed)
}

// documentSubject makes a subject of a document, with stimuli that depend on its name alone.
func documentSubject(dir, file string) *subject {
	s := &subject{name: filepath.Join(dir, file), fsys: os.DirFS(dir), file: file, high: true}
	chart, err := scxml.Load(s.fsys, file)
	if err != nil {
		return s // which prepare counts
	}
	s.incomparable = incomparable[file]
	var events []string
	for _, tr := range chart.Transitions() {
		for _, e := range tr.Events() {
			e = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(e, "*"), "."), ".*")
			if e != "" && !slices.Contains(events, e) {
				events = append(events, e)
			}
		}
	}
	hash := fnv.New64a()
	fmt.Fprint(hash, file)
	rng := rand.New(rand.NewPCG(hash.Sum64(), 1))
	data := []string{"", "", "", "1", `"text"`, `{"x":1,"code":4711}`, "[1,2]"}
	for i := range 30 {
		switch {
		case i < 3 || len(events) == 0 || rng.IntN(4) == 0:
			s.stimuli = append(s.stimuli, twin.Stimulus{Wait: time.Duration(rng.IntN(10)) * time.Second})
		default:
			s.stimuli = append(s.stimuli, twin.Stimulus{Event: events[rng.IntN(len(events))], Data: json.RawMessage(data[rng.IntN(len(data))])})
		}
	}
	return s
}
