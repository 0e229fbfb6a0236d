package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/basichttp"
	"github.com/scxmlrun/scxmlrun/scxml/record"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// A ScionTest is a chart and a script of what happens to it: a file x.scxml
// and a file x.json beside it, in the format that the test suites of SCION, Qt
// and XState use.
//
//	{
//	  "initialConfiguration": ["closed"],
//	  "events": [
//	    {"event": {"name": "open", "data": 1}, "nextConfiguration": ["opened"]},
//	    {"after": 5000, "event": "check", "nextConfiguration": ["closed"]}
//	  ]
//	}
//
// Configurations are sets of atomic states. What comes before an event, and
// what is not there is not checked. A script with "error" says that the
// document has to be refused.
type ScionTest struct {
	Name  string // path of the files without their endings
	fsys  fs.FS
	chart string // file, "" if there is none
	file  string // of the script
}

// ScionTests finds the tests in a folder and the folders below it, in the order
// of their names. A chart without a script is no test: others may load it. A
// script without a chart is one that fails.
func ScionTests(fsys fs.FS) ([]ScionTest, error) {
	var tests []ScionTest
	charts := make(map[string]string)
	var scripts []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := path.Base(name); d.IsDir() {
			if base == "node_modules" || strings.HasPrefix(base, ".") && base != "." {
				return fs.SkipDir
			}
			return nil
		}
		switch stem, ext := name[:len(name)-len(path.Ext(name))], path.Ext(name); ext {
		case ".scxml":
			charts[stem] = name
		case ".json":
			scripts = append(scripts, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, file := range scripts {
		t := ScionTest{Name: strings.TrimSuffix(file, ".json"), fsys: fsys, file: file}
		if charts[t.Name] == "" {
			t.Name = strings.TrimSuffix(t.Name, ".scxml") // it may be x.scxml.json
		}
		t.chart = charts[t.Name]
		if t.chart == "" {
			source, err := fs.ReadFile(fsys, file)
			if err != nil {
				return nil, err
			}
			if !bytes.Contains(source, []byte(`"initialConfiguration"`)) {
				continue // some other JSON, such as package.json
			}
		}
		tests = append(tests, t)
	}
	slices.SortFunc(tests, func(a, b ScionTest) int { return strings.Compare(a.Name, b.Name) })
	return tests, nil
}

type scionScript struct {
	Initial *[]string       `json:"initialConfiguration"`
	Events  []scionEvent    `json:"events"`
	Error   json.RawMessage `json:"error"`
}

type scionEvent struct {
	After  scionDelay `json:"after"`
	Before scionDelay `json:"delayBefore"` // an earlier name
	Event  *scionSend `json:"event"`
	Next   *[]string  `json:"nextConfiguration"`
}

// A scionDelay is a number of milliseconds, perhaps in a string.
type scionDelay time.Duration

// UnmarshalJSON implements [json.Unmarshaler].
func (d *scionDelay) UnmarshalJSON(source []byte) error {
	text := strings.Trim(string(source), `" `)
	if text == "null" || text == "" {
		return nil
	}
	const most = 1e12
	ms, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(text, "ms")), 64)
	if err != nil || !(ms >= 0 && ms <= most) {
		return fmt.Errorf("a delay has to be a number of milliseconds, not %s", source)
	}
	*d = scionDelay(ms * float64(time.Millisecond))
	return nil
}

// A scionSend is an event: a name, or an object with name and data.
type scionSend struct{ scxml.Event }

// UnmarshalJSON implements [json.Unmarshaler].
func (e *scionSend) UnmarshalJSON(source []byte) error {
	v, err := datamodel.ParseJSON(source)
	if err != nil {
		return err
	}
	if o, ok := v.(*datamodel.Object); ok {
		v, _ = o.Get("name")
		e.Data, _ = o.Get("data")
	}
	name, ok := v.(string)
	if !ok || name == "" {
		return errors.New(`an event has to be a name, or an object with a name`)
	}
	e.Name = name
	return datamodel.CheckEventName(name)
}

// Run runs the test on a virtual clock.
func (t ScionTest) Run(ctx context.Context) Result {
	if t.chart == "" {
		return Result{Reason: fmt.Sprintf("there is no %s.scxml beside the script", path.Base(t.Name))}
	}
	source, err := fs.ReadFile(t.fsys, t.file)
	if err != nil {
		return Result{Reason: err.Error()}
	}
	var script scionScript
	if err := json.Unmarshal(bytes.TrimPrefix(source, []byte("\uFEFF")), &script); err != nil {
		return Result{Reason: fmt.Sprintf("%s: %v", t.file, err)}
	}
	chart, err := scxml.Load(t.fsys, t.chart)
	refused := errors.As(err, new(*scxml.DocumentError))
	switch {
	case refused && script.Error != nil:
		return Result{Passed: true}
	case refused:
		return Result{Reason: "the document was rejected: " + err.Error()}
	case err != nil:
		return Result{Reason: err.Error()}
	case script.Error != nil:
		return Result{Reason: "the document was not rejected"}
	}
	run := &scionRun{}
	err = run.run(ctx, t, chart, &script)
	result := Result{Passed: err == nil, Configuration: run.configuration, Trace: run.trace.String()}
	if err != nil {
		result.Reason = err.Error()
	}
	return result
}

// A scionRun is a run of one test.
type scionRun struct {
	session       *scxml.Session
	clock         scxmltest.Clock
	trace         bytes.Buffer
	configuration []string // the last one of the session before its end
}

func (run *scionRun) run(ctx context.Context, t ScionTest, chart *scxml.Chart, script *scionScript) error {
	// What never comes to rest is broken off.
	ctx, stop := context.WithTimeoutCause(ctx, time.Minute, errors.New("the session did not come to rest within a minute"))
	defer stop()
	tr := scxmltest.NewTrace(&run.trace, func(r *record.Record) {
		if r.Kind == record.Stable && r.InvokeID == "" {
			run.configuration = r.Configuration
		}
	})
	opts := []scxml.Option{scxml.WithClock(run.clock.Now), scxml.WithSeed(1), scxml.WithTrace(tr)}
	source, err := fs.ReadFile(t.fsys, t.chart)
	if err != nil {
		return err
	}
	if bytes.Contains(source, []byte("BasicHTTPEventProcessor")) || bytes.Contains(source, []byte("basichttp")) {
		processor, err := basichttp.Listen(ctx, "127.0.0.1:0", false, basichttp.Config{})
		if err != nil {
			return err
		}
		opts = append(opts, scxml.WithIOProcessor(scxml.BasicHTTPEventProcessor, processor))
	}
	if run.session, err = scxml.New(chart, opts...); err != nil {
		return err
	}
	if err := run.session.Start(ctx); err != nil {
		return err
	}
	if err := run.wait(ctx, 0); err != nil {
		return err
	}
	if err := run.compare(script.Initial, "at the start"); err != nil {
		return err
	}
	for i, ev := range script.Events {
		at := fmt.Sprintf("after event %d", i+1)
		if err := run.wait(ctx, time.Duration(max(ev.After, ev.Before))); err != nil {
			return fmt.Errorf("before event %d: %w", i+1, err)
		}
		if ev.Event != nil {
			at += fmt.Sprintf(" (%s)", ev.Event.Name)
			// A session that has ended hears nothing any more, which is as it should be.
			if err := run.session.Send(ev.Event.Event); err != nil && !errors.Is(err, scxml.ErrEnded) {
				return fmt.Errorf("%s: %w", at, err)
			}
		}
		if err := run.wait(ctx, 0); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		if err := run.compare(ev.Next, at); err != nil {
			return err
		}
	}
	return nil
}

// wait lets time pass, and the session do what there is to do.
func (run *scionRun) wait(ctx context.Context, d time.Duration) error {
	return run.clock.Advance(ctx, run.session, d)
}

// compare compares the atomic states with what is wanted, as sets. States
// without an id are left out, since no script can name them.
func (run *scionRun) compare(want *[]string, at string) error {
	if want == nil {
		return nil
	}
	var got []string
	for _, name := range run.configuration {
		if s, ok := run.session.Chart().State(name); ok && s.IsAtomic() && s.ID() != "" {
			got = append(got, name)
		}
	}
	g, w := set(got), set(*want)
	if !slices.Equal(g, w) {
		return fmt.Errorf("%s the configuration is {%s}, want {%s}", at, strings.Join(g, " "), strings.Join(w, " "))
	}
	return nil
}

func set(names []string) []string {
	s := slices.Clone(names)
	slices.Sort(s)
	return slices.Compact(s)
}

// RunScion runs tests one after the other and says in its report what did not
// pass. An entry of the ledger that names no test is an error, and so is a
// suite without tests. progress, if not nil, is told each record as it comes.
func RunScion(ctx context.Context, tests []ScionTest, ledger Ledger, progress func(Record)) (*Report, error) {
	if len(tests) == 0 {
		return nil, errors.New("there is no test: no file x.json beside an x.scxml")
	}
	r := &Report{Name: "scion", Clock: VirtualClock}
	unused := make(map[string]bool)
	for name := range ledger {
		unused[name] = true
	}
	passed := 0
	for _, t := range tests {
		began := time.Now()
		result := t.Run(ctx)
		if ctx.Err() != nil {
			return r, context.Cause(ctx)
		}
		why, listed := ledger[t.Name]
		delete(unused, t.Name)
		rec := Record{Test: t.Name, Verdict: verdict(result.Passed, listed), Reason: result.Reason, Known: why, Took: time.Since(began)}
		if result.Passed {
			passed++
		} else {
			rec.Configuration, rec.Trace = result.Configuration, result.Trace
		}
		r.Records = append(r.Records, rec)
		if progress != nil {
			progress(rec)
		}
	}
	r.Summary = append(r.Summary, fmt.Sprintf("%d of %d tests pass", passed, len(tests)))
	if n := r.Bad(); n > 0 {
		r.Summary = append(r.Summary, fmt.Sprintf("%d failed", n))
	}
	if len(unused) > 0 {
		names := make([]string, 0, len(unused))
		for name := range unused {
			names = append(names, name)
		}
		slices.Sort(names)
		return r, fmt.Errorf("the ledger lists what is no test: %s", strings.Join(names, ", "))
	}
	return r, nil
}
