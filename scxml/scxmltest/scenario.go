package scxmltest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/strict"
)

var update = flag.Bool("scxmltest.update", false, "write the traces that scenarios produce into their files")

// RunFiles runs every scenario that matches pattern (see [filepath.Glob]) as a subtest of t. It
// fails if none matches.
func RunFiles(t *testing.T, pattern string, opts ...scxml.Option) {
	t.Helper()
	needCover(t)
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	if len(files) == 0 {
		t.Fatalf("no scenario matches %s", pattern)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		t.Run(name, func(t *testing.T) { runFile(t, file, opts) })
	}
}

func runFile(t *testing.T, file string, opts []scxml.Option) {
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a := parseArchive(source)
	s, err := a.scenario()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	chart, err := s.Load(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Run(context.Background(), chart, append(opts, WithCover())...)
	if err != nil {
		t.Fatal(err)
	}
	if *update && (s.Trace != nil || s.Check == "") && string(s.Trace) != got.Trace {
		a.set("trace", []byte(got.Trace))
		if err := os.WriteFile(file, a.format(), 0o666); err != nil {
			t.Fatal(err)
		}
		s.Trace = []byte(got.Trace)
		got.Failures = slices.DeleteFunc(got.Failures, func(f string) bool { return strings.HasPrefix(f, traceDiffers) })
	}
	for _, failure := range got.Failures {
		t.Errorf("%s: %s", file, failure)
	}
}

// A Scenario is what happens to a chart, and what is expected. The package comment has its text
// form.
type Scenario struct {
	Comment string

	// Chart is the file of the chart, relative to the folder of the scenario and with slashes; ""
	// for the file chart.scxml in the scenario itself.
	Chart string
	Files map[string]string // files in the scenario, by name

	Outside  string // what surrounds the session, as the package comment describes it
	Snapshot []byte // of the session in which the scenario begins; nil for one that starts
	Events   string // as for [Replay]
	Trace    []byte // is expected; nil if only Check counts

	// Check has what is expected besides the trace: lines as the package comment describes them.
	Check string
}

// ParseScenario reads the text form of a scenario. If there is an error, the scenario has what could
// be read.
func ParseScenario(source []byte) (*Scenario, error) { return parseArchive(source).scenario() }

// parts are the names of what a scenario has besides files, whose names have a dot.
var parts = []string{"chart", "outside", "snapshot", "events", "trace", "check"}

func (a *archive) scenario() (s *Scenario, err error) {
	s = &Scenario{Comment: string(a.comment)}
	for i, name := range a.names {
		switch {
		case err != nil:
		case slices.Contains(a.names[:i], name):
			err = fmt.Errorf("line %d: the part %q is there twice", a.lines[i], name)
		case !strings.Contains(name, "."):
			if err = strict.Name("part", name, parts); err != nil {
				err = fmt.Errorf("line %d: %w, or a file such as \"chart.scxml\"", a.lines[i], err)
			}
		}
		switch data := a.files[name]; name {
		case "chart":
			s.Chart = strings.TrimSpace(string(data))
		case "events":
			s.Events = string(data)
		case "trace":
			s.Trace = append([]byte{}, data...)
		case "outside":
			s.Outside = string(data)
		case "check":
			s.Check = string(data)
		case "snapshot":
			s.Snapshot = bytes.TrimSpace(data)
		default:
			if s.Files == nil {
				s.Files = map[string]string{}
			}
			s.Files[name] = string(data)
		}
	}
	for i, name := range a.names {
		if err == nil && s.Chart != "" && strings.Contains(name, ".") && !s.reads(name) {
			err = fmt.Errorf("line %d: nothing reads the file %q: the chart is %s, outside, and can only load files there", a.lines[i], name, s.Chart)
		}
	}
	return s, err
}

// reads reports whether the checks of a scenario, whose chart is outside, may read a file. The
// chart of a property can load others.
func (s *Scenario) reads(name string) bool {
	for line := range strings.Lines(s.Check) {
		switch words := strings.Fields(line); {
		case len(words) < 2:
		case words[0] == "property", words[0] == "no" && words[1] == "deadlock" && name == "data.json":
			return true
		}
	}
	return false
}

// Format returns the text form of a scenario.
func (s *Scenario) Format() []byte {
	a := archive{files: map[string][]byte{}}
	if s.Comment != "" {
		a.comment = []byte(strings.TrimSpace(s.Comment) + "\n\n")
	}
	set := func(name, text string) {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		a.set(name, []byte(text))
	}
	if s.Chart != "" {
		set("chart", s.Chart)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Files)) {
		set(name, s.Files[name])
	}
	if s.Outside != "" {
		set("outside", s.Outside)
	}
	if s.Snapshot != nil {
		set("snapshot", string(s.Snapshot))
	}
	set("events", s.Events)
	if s.Trace != nil {
		set("trace", string(s.Trace))
	}
	if s.Check != "" {
		set("check", s.Check)
	}
	return a.format()
}

// fsys returns the files in the scenario.
func (s *Scenario) fsys() fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range s.Files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// Load reads the chart of a scenario whose file is in the folder dir.
func (s *Scenario) Load(dir string) (*scxml.Chart, error) {
	if s.Chart == "" {
		return scxml.Load(s.fsys(), "chart.scxml")
	}
	file := s.File(dir)
	return scxml.Load(os.DirFS(filepath.Dir(file)), filepath.Base(file))
}

// File returns the name of the file Chart for a scenario in the folder dir.
func (s *Scenario) File(dir string) string {
	file := filepath.FromSlash(s.Chart)
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(dir, file)
}

// diff shows where two texts begin to differ, line by line.
func diff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	same := 0
	for same < len(w) && same < len(g) && w[same] == g[same] {
		same++
	}
	var b strings.Builder
	for _, line := range w[max(0, same-3):same] {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	for _, line := range w[same:min(len(w), same+10)] {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	for _, line := range g[same:min(len(g), same+10)] {
		fmt.Fprintf(&b, "+ %s\n", line)
	}
	return b.String()
}
