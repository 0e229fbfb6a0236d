// Package compiled explores charts by programs: package compile makes Go of a chart, and package search in
// scxml/machine visits its states, many times as fast as sessions of the interpreter do.
//
// [New] says whether a chart can be explored so, and [Compare] whether two can be compared. [Search.Files] are the program:
// whoever builds and runs it gives it the [Search].Task and makes an [explore.Report] of the result by [Search.Report],
// which replays by sessions what was found. So the report is that of [explore.Run] or [explore.Compare]: a search that
// would say something else has an error.
package compiled

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/compile"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/internal/delay"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
	"github.com/scxmlrun/scxmlrun/scxml/internal/zone"
	"github.com/scxmlrun/scxmlrun/scxml/machine"
	"github.com/scxmlrun/scxmlrun/scxml/machine/search"
)

// A Search is one that a program can do.
type Search struct {
	Code []byte // a Go file of package main, with the type Searched and the function NewSearched
	Task search.Task

	chart  *scxml.Chart
	opts   explore.Options
	inputs []explore.Input

	transitions []scxml.Transition // by the numbers that they have in code: all elements, in document order

	// Of a comparison: Code and Task have those of the old chart, and this has those of the new one.
	newer   *Search
	aspects []explore.Aspect

	violation func(d Deed) explore.Violation // of Cover
}

// Files returns the files of the program, a folder of [Module]. It reads the task from standard input, and writes lines of
// [search.Message].
func (s *Search) Files() map[string][]byte {
	files := map[string][]byte{"code.go": s.Code, "main.go": []byte(strings.Replace(mainFile, "MACHINE", s.machine(), 1))}
	if s.newer != nil {
		files["newer.go"] = s.newer.Code
	}
	return files
}

// machine returns the function that makes a machine, in Go.
func (s *Search) machine() string {
	if s.newer != nil {
		return `func() search.Machine {
	old, newer := NewSearched(SearchedHooks{}), NewCompared(ComparedHooks{})
	return search.Machine{
		Node: old.Node(), Handle: func(event uint16) bool { return old.Handle(SearchedEvent(event)) },
		New: &search.Machine{Node: newer.Node(), Handle: func(event uint16) bool { return newer.Handle(ComparedEvent(event)) }},
	}
}`
	}
	more := ""
	if s.Task.Conditions != nil {
		more = ", Holds: m.Holds"
	}
	if strings.Contains(string(s.Code), ") Enabled(") {
		more += ", Enabled: m.Enabled"
	}
	return `func() search.Machine {
	m := NewSearched(SearchedHooks{})
	return search.Machine{Node: m.Node(), Handle: func(event uint16) bool { return m.Handle(SearchedEvent(event)) }` + more + `}
}`
}

// Module returns the files of a Go module, by their paths, that needs no other module.
func Module() (map[string][]byte, error) {
	files := map[string][]byte{"go.mod": []byte("module github.com/scxmlrun/scxmlrun\n\ngo 1.26\n")}
	for dir, source := range map[string]fs.FS{
		"scxml/machine": machine.Source, "scxml/internal/delay": delay.Source, "scxml/internal/short": short.Source, "scxml/internal/zone": zone.Source,
	} {
		err := fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") {
				return err
			}
			files[path.Join(dir, name)], err = fs.ReadFile(source, name)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

const mainFile = `package main

import (
	"log"
	"os"

	"github.com/scxmlrun/scxmlrun/scxml/machine/search"
)

func main() {
	log.SetFlags(0)
	err := search.Main(os.Stdin, os.Stdout, MACHINE)
	if err != nil {
		log.Fatal(err)
	}
}
`

// New returns the search of a chart. The error says why a program cannot do it. Options.Session must be such that they
// make no difference to a chart that can be explored so: those of services and of what is sent to others.
func New(chart *scxml.Chart, opts explore.Options) (*Search, error) {
	s := &Search{chart: chart, opts: opts}
	if err := s.setTask(); err != nil {
		return nil, err
	}
	return s, s.complete("Searched")
}

// complete makes the code, with a type of this name, and says why a program cannot be made of it.
func (s *Search) complete(typ string) error {
	if err := s.compile(typ); err != nil {
		return err
	}
	if err := s.checkCode(); err != nil {
		return err
	}
	s.Task.Pure = s.isPure()
	return nil
}

func (s *Search) compile(typ string) (err error) {
	o := compile.Options{Package: "main", Type: typ}
	for _, p := range s.opts.Properties {
		expr, want, ok := p.Expression()
		if !ok {
			return fmt.Errorf("the property %q is a function", p.Name)
		}
		o.Conditions = append(o.Conditions, expr)
		s.Task.Conditions = append(s.Task.Conditions, want)
	}
	if s.opts.Names == nil && len(s.opts.Data) == 0 {
		for _, in := range s.inputs {
			o.Inputs = append(o.Inputs, in.Event)
		}
	}
	loader := s.chart.Loader()
	if loader == nil {
		loader = nothing{}
	}
	s.Code, err = compile.Source(loader, path.Base(s.chart.File()), []byte(s.chart.Source()), o)
	return err
}

// nothing is a file system without files.
type nothing struct{}

func (nothing) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Report returns the report of a search that has come to a result. The error says why it cannot be used.
func (s *Search) Report(ctx context.Context, r *search.Result) (*explore.Report, error) {
	if r.Unable != "" {
		return nil, errors.New(r.Unable)
	}
	o := explore.Outcome{
		States: r.States, Transitions: r.Transitions, Depth: r.Depth, Deadlocks: r.Deadlocks, Pruned: r.Pruned, Missed: r.Missed,
		Bound: r.Bound, Last: s.path(r, r.Last),
	}
	if r.Bound == "first" {
		o.Bound = ""
		o.Incomplete = true
	}
	for _, f := range r.Findings {
		path := s.path(r, f.Path)
		switch f.Kind {
		case search.Reached:
			o.Reached = append(o.Reached, explore.Reached{State: s.chart.States()[f.Number].Name(), Path: path})
		case search.Broken:
			o.Violations = append(o.Violations, explore.Violation{Kind: explore.Broken, Property: s.opts.Properties[f.Number].Name, Path: path})
		case search.Deadlock, search.Limit, search.Error, search.Difference:
			o.Violations = append(o.Violations, explore.Violation{Kind: explore.Kind(f.Kind), Property: f.Event, Path: path})
		default:
			v := s.violation(s.deed(f))
			v.Path = path
			o.Violations = append(o.Violations, v)
		}
	}
	if s.newer != nil {
		return explore.ComparisonOf(ctx, s.chart, s.newer.chart, s.opts, o, s.aspects...)
	}
	opts := s.opts
	if !s.Task.Delays {
		opts.Time = explore.Zero // the paths have no times
	}
	return explore.ReportOf(ctx, s.chart, opts, o)
}

func (s *Search) path(r *search.Result, numbers []int) (path []explore.Input) {
	for _, n := range numbers {
		if wait := n - len(s.inputs); wait >= 0 {
			path = append(path, explore.UntilDue(r.Waits[wait]))
		} else {
			path = append(path, s.inputs[n])
		}
	}
	return path
}
