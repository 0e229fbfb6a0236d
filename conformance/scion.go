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

// A scionTest is a chart x.scxml and a script x.json (or x.scxml.json) in the
// same folder.
type scionTest struct {
	name  string // path of the files without extensions
	fsys  fs.FS
	chart string // file of the chart, "" if missing
	file  string // file of the script
}

// ScionTests finds the tests in a folder and its subfolders and sorts them by
// name. A test is a chart x.scxml and a script x.json (or x.scxml.json) in the
// same folder, in the format of the test suites of SCION, Qt and XState:
//
//	{
//	  "initialConfiguration": ["closed"],
//	  "events": [
//	    {"event": {"name": "open", "data": 1}, "nextConfiguration": ["opened"]},
//	    {"after": 5000, "event": "check", "nextConfiguration": ["closed"]}
//	  ]
//	}
//
// Configurations are sets of atomic states; those that are absent are not
// checked. "after" is the time to wait before the event, in milliseconds. A
// script with "error" expects the document to be rejected.
//
// A chart without a script is not a test, since other charts may load it. A
// script without a chart is a test that fails.
func ScionTests(fsys fs.FS) ([]Test, error) {
	var tests []Test
	charts := make(map[string]string)
	var scripts []string
	err := eachFile(fsys, func(name string) error {
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
		t := scionTest{name: strings.TrimSuffix(file, ".json"), fsys: fsys, file: file}
		if charts[t.name] == "" {
			t.name = strings.TrimSuffix(t.name, ".scxml") // for x.scxml.json
		}
		t.chart = charts[t.name]
		if t.chart == "" {
			source, err := fs.ReadFile(fsys, file)
			if err != nil {
				return nil, err
			}
			if !bytes.Contains(source, []byte(`"initialConfiguration"`)) {
				continue // some other JSON, such as package.json
			}
		}
		tests = append(tests, Test{t.name, t.document, t.run})
	}
	slices.SortFunc(tests, func(a, b Test) int { return strings.Compare(a.Name, b.Name) })
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

// A scionDelay is a number of milliseconds, possibly in a string.
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
		return fmt.Errorf("%s is not a delay: want a number of milliseconds", source)
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
		return fmt.Errorf(`%s is not an event: want a name, or an object with "name"`, source)
	}
	e.Name = name
	return datamodel.CheckEventName(name)
}

func (t scionTest) document() ([]byte, error) { return fs.ReadFile(t.fsys, t.chart) }

// run is as [Test.Run].
func (t scionTest) run(ctx context.Context, chart *scxml.Chart, opts ...scxml.Option) Result {
	if t.chart == "" {
		return Result{Reason: fmt.Sprintf("cannot find %s.scxml in the folder of the script", path.Base(t.name))}
	}
	source, err := fs.ReadFile(t.fsys, t.file)
	if err != nil {
		return Result{Reason: err.Error()}
	}
	var script scionScript
	if err := json.Unmarshal(bytes.TrimPrefix(source, []byte("\uFEFF")), &script); err != nil {
		return Result{Reason: fmt.Sprintf("%s: %v", t.file, err)}
	}
	if chart == nil {
		chart, err = scxml.Load(t.fsys, t.chart)
	}
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
	err = run.run(ctx, t, chart, &script, opts)
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
	configuration []string // the session's last one before its end
}

func (run *scionRun) run(ctx context.Context, t scionTest, chart *scxml.Chart, script *scionScript, opts scxml.Options) error {
	ctx, stop := context.WithTimeoutCause(ctx, time.Minute, errUnstable)
	defer stop()
	tr := scxmltest.NewTrace(&run.trace, func(r *record.Record) {
		if r.Kind == record.Stable && r.InvokeID == "" {
			run.configuration = r.Configuration
		}
	})
	opts = append(scxml.Options{scxml.WithClock(run.clock.Now), scxml.WithSeed(1), scxml.WithTrace(tr), scxml.WithMissing()}, opts...)
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
	if run.session, err = scxml.New(chart, opts); err != nil {
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
			// Scripts may send events to a session that has ended.
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

// wait advances the clock by d and runs the session until it is stable.
func (run *scionRun) wait(ctx context.Context, d time.Duration) error {
	return run.clock.Advance(ctx, run.session, d)
}

// compare compares the set of active atomic states with the wanted one. It
// ignores states without an id, which a script cannot name.
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

func set(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }
