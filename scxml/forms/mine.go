package forms

import (
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// Forms are what the code of a chart does with the data of events. They do not change, and may be used
// from any goroutine.
type Forms struct {
	chart     *scxml.Chart
	parts     []part
	questions []question
	flows     map[string][]part     // which parts of events a variable may have, by its path
	aliases   map[string][][]string // which data a local variable may have
	data      [][]string            // the paths of variables of the chart that are used
	assigned  map[string]bool       // those that the chart assigns to
}

// A part is a part of the data of an event: "order", "price" is _event.data.order.price.
type part struct{ event, path string }

// A question is what the values of a part are compared with.
type question struct {
	of    part
	kind  datamodel.UseKind
	code  string
	paths [][]string // in the data, if code is not to be evaluated
}

// pathSeparator is between the names of a path, none of which has it.
const pathSeparator = "\x00"

func key(path []string) string { return strings.Join(path, pathSeparator) }

// New reads the code of a chart. The files of <script src> are read from files, which is the folder of
// the chart, and may be nil.
func New(chart *scxml.Chart, files fs.FS) *Forms {
	f := &Forms{chart: chart, flows: map[string][]part{}, aliases: map[string][][]string{}, assigned: map[string]bool{}}
	code, ok := chart.Language().(datamodel.Analyzer)
	if !ok {
		return f
	}
	all := pieces(chart, files)
	for _, p := range all {
		p.uses = code.Uses(p.kind, p.code)
		for _, u := range p.uses {
			if u.Kind == datamodel.UseFlow && u.With.Path != nil && strings.Contains(u.With.Path[0], "/") {
				to := key(u.With.Path)
				f.aliases[to] = append(f.aliases[to], u.Value.Path)
			}
		}
	}
	// What a function does, it does for those that call it.
	calls := map[string][]string{} // the events of the code that calls a function
	for changed := true; changed; {
		changed = false
		for _, p := range all {
			for _, u := range p.uses {
				if u.Kind != datamodel.UseCall {
					continue
				}
				for _, event := range append(slices.Clone(p.events), calls[u.Function]...) {
					if name := u.Value.Path[0]; !slices.Contains(calls[name], event) {
						calls[name] = append(calls[name], event)
						changed = true
					}
				}
			}
		}
	}
	// Where the data of events goes.
	for changed := true; changed; {
		changed = false
		for _, p := range all {
			for _, u := range p.uses {
				if u.Kind != datamodel.UseFlow || u.With.Path == nil {
					continue
				}
				to := key(u.With.Path)
				for _, from := range f.resolve(u.Value.Path, append(slices.Clone(p.events), calls[u.Function]...)) {
					if !slices.Contains(f.flows[to], from) && strings.Count(from.path, pathSeparator) < 8 {
						f.flows[to] = append(f.flows[to], from)
						changed = true
					}
				}
			}
		}
	}
	for _, p := range all {
		for _, u := range p.uses {
			for _, of := range f.resolve(u.Value.Path, append(slices.Clone(p.events), calls[u.Function]...)) {
				f.note(of, u)
			}
			if u.Value.Path != nil {
				f.data = append(f.data, u.Value.Path)
			}
			if u.Kind == datamodel.UseFlow {
				f.assigned[key(u.With.Path)] = true
			}
		}
	}
	return f
}

// resolve returns the parts of events that a path may be.
func (f *Forms) resolve(path, events []string) (parts []part) {
	if len(path) > 1 && path[0] == "_event" && path[1] == "data" {
		for _, event := range events {
			parts = append(parts, part{event, key(path[2:])})
		}
		return parts
	}
	for n := len(path); n > 0; n-- {
		for _, from := range f.flows[key(path[:n])] {
			rest := path[n:]
			if from.path != "" {
				rest = append(strings.Split(from.path, pathSeparator), rest...)
			}
			parts = append(parts, part{from.event, key(rest)})
		}
		if parts != nil {
			break
		}
	}
	return parts
}

// note notes a use of a part. That of the length of a text or a list is one of the text or the list.
func (f *Forms) note(of part, u datamodel.Use) {
	whole, isLength := strings.CutSuffix(pathSeparator+of.path, pathSeparator+"length")
	if isLength {
		of.path = strings.TrimPrefix(whole, pathSeparator)
	}
	if !slices.Contains(f.parts, of) {
		f.parts = append(f.parts, of)
	}
	if isLength {
		return
	}
	q := question{of: of, kind: u.Kind, code: u.With.Text}
	switch u.Kind {
	case datamodel.UseTruth:
	case datamodel.UseFlow:
		if q.code = ""; len(u.With.Path) == 0 || strings.Contains(u.With.Path[0], "/") || u.With.Path[0] == "_event" {
			return
		}
		q.paths = [][]string{u.With.Path}
	case datamodel.UseComparison, datamodel.UseOrder, datamodel.UseMembership, datamodel.UseLookup, datamodel.UseType:
		q.paths = f.inData(u.With.Path, 0)
		if strings.Contains(q.code, "_event") || q.code == "" {
			if q.code = ""; q.paths == nil {
				return
			}
		}
	default:
		return
	}
	if !slices.ContainsFunc(f.questions, func(have question) bool {
		return have.of == q.of && have.kind == q.kind && have.code == q.code && reflect.DeepEqual(have.paths, q.paths)
	}) {
		f.questions = append(f.questions, q)
	}
}

// inData returns the paths in the data that a path with computed parts, or of a local variable, may be.
func (f *Forms) inData(path []string, depth int) (all [][]string) {
	const most = 6
	if len(path) == 0 || depth > most || path[0] == "_event" {
		return nil
	}
	if !strings.Contains(path[0], "/") {
		return [][]string{path}
	}
	for n := len(path); n > 0; n-- {
		for _, from := range f.aliases[key(path[:n])] {
			all = append(all, f.inData(append(slices.Clip(from), path[n:]...), depth+1)...)
		}
	}
	return all
}
