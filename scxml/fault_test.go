package scxml_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// explode panics; its name is in the stack.
func explode() { panic(errors.New("boom")) }

// A service that fails, panics or exits its goroutine costs one error, which has the stack, and no
// session but its own.
func TestFaultyService(t *testing.T) {
	chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="a"><invoke id="i" type="faulty"/><transition event="error.communication" target="b"/><transition event="done.invoke.i" target="c"/></state>
  <state id="b"><transition event="again" target="a"/></state><final id="c"/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		run  func(ctx context.Context, inv *scxml.Invocation) (any, error)
		want string // the message
		part string // of the stack
	}{
		"fails":           {func(context.Context, *scxml.Invocation) (any, error) { return nil, errors.New("no") }, `service "i": no`, ""},
		"panics":          {func(context.Context, *scxml.Invocation) (any, error) { explode(); return 1, nil }, `service "i": the service panicked`, "explode"},
		"panics with nil": {func(context.Context, *scxml.Invocation) (any, error) { panic(nil) }, `service "i": the service panicked`, "TestFaultyService"},
		"exits":           {func(context.Context, *scxml.Invocation) (any, error) { runtime.Goexit(); return 1, nil }, `service "i": the service has ended its goroutine with runtime.Goexit`, ""},
		"panics after an event": {func(_ context.Context, inv *scxml.Invocation) (any, error) {
			inv.Send(scxml.Event{Name: "e"})
			explode()
			return 1, nil
		}, `service "i": the service panicked`, "explode"},
		"panics while it waits": {func(ctx context.Context, inv *scxml.Invocation) (any, error) {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			inv.Receive(ctx)
			explode()
			return 1, nil
		}, `service "i": the service panicked`, "explode"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var reported []*scxml.ExecutionError
				trace := &scxml.Trace{Error: func(_ *scxml.Session, e *scxml.ExecutionError) { reported = append(reported, e) }}
				s, err := scxml.New(chart, scxml.WithInvoker("faulty", scxml.InvokerFunc(test.run)), scxml.WithTrace(trace))
				if err != nil {
					t.Fatal(err)
				}
				healthy, err := scxml.New(chart, scxml.WithInvoker("faulty", scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
					ev, err := inv.Receive(ctx)
					return ev.Name, err
				})))
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range []*scxml.Session{s, healthy} {
					if err := s.Start(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				defer func() {
					for _, s := range []*scxml.Session{s, healthy} {
						s.Stop()
						s.Step(t.Context(), time.Now())
					}
					synctest.Wait()
				}()
				for i := 0; i < 30 && len(reported) < 3; i++ { // again and again
					if _, err := s.Step(t.Context(), time.Now()); err != nil {
						t.Fatal(err)
					}
					if s.In("b") {
						s.Send(scxml.Event{Name: "again"})
					}
					time.Sleep(time.Second) // in the bubble
					synctest.Wait()
				}
				if len(reported) != 3 {
					t.Fatalf("%d errors, want 3: %v", len(reported), reported)
				}
				var panicked *scxml.PanicError
				errors.As(reported[0].Err, &panicked)
				if reported[0].Msg != test.want || reported[0].InvokeID != "i" || (panicked != nil) != (test.part != "") || panicked != nil && !strings.Contains(string(panicked.Stack), test.part) {
					t.Errorf("%v, %+v", reported[0], panicked)
				}
				if !healthy.In("a") || healthy.Status() != scxml.Running {
					t.Errorf("the other session is in %v", healthy.Configuration())
				}
			})
		})
	}
}

// With WithServicePanics a panic of a service ends the process.
func TestServicePanicsEndTheProcess(t *testing.T) {
	if os.Getenv("SERVICE_PANICS") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestServicePanicsEndTheProcess$")
		cmd.Env = append(os.Environ(), "SERVICE_PANICS=1")
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "panic: boom") || !strings.Contains(string(out), "explode") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state><invoke type="faulty"/></state></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart, scxml.WithServicePanics(), scxml.WithInvoker("faulty", scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) {
		explode()
		return nil, nil
	})))
	if err != nil {
		t.Fatal(err)
	}
	s.Run(t.Context()) // the session never ends
}

// A faultyFS fails at one of its calls, in one of three ways.
type faultyFS struct {
	fstest.MapFS
	way   string // "fails", "panics", "ends early"
	at, n *int
}

func (f *faultyFS) fault() error {
	*f.n++
	if *f.n-1 != *f.at {
		return nil
	}
	if f.way == "panics" {
		panic("disk on fire")
	}
	return errors.New("disk error")
}

func (f *faultyFS) Open(name string) (fs.File, error) {
	if err := f.fault(); err != nil {
		return nil, err
	}
	file, err := f.MapFS.Open(name)
	return &faultyFile{file, f}, err
}

func (f *faultyFS) Stat(name string) (fs.FileInfo, error) {
	if err := f.fault(); err != nil {
		return nil, err
	}
	return f.MapFS.Stat(name)
}

type faultyFile struct {
	fs.File
	fsys *faultyFS
}

func (f *faultyFile) Read(p []byte) (int, error) {
	if err := f.fsys.fault(); err != nil {
		if f.fsys.way == "ends early" {
			return 0, io.ErrUnexpectedEOF
		}
		return 0, err
	}
	return f.File.Read(p[:min(len(p), 10)])
}

func (f *faultyFile) Close() error {
	if err := f.fsys.fault(); err != nil {
		return err
	}
	return f.File.Close()
}

// A loader that fails or panics at any call costs an error: the document is refused, or an element
// fails. The chart can be used all the same.
func TestFaultyLoader(t *testing.T) {
	files := fstest.MapFS{
		"main.scxml": {Data: []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="d" src="data.json"/></datamodel><script src="lib.js"/>
  <state id="s"><invoke src="child.scxml"/><transition event="e" target="t"/></state><final id="t"/></scxml>`)},
		"data.json":   {Data: []byte(`{"a": [1, 2, 3]}`)},
		"lib.js":      {Data: []byte("function f() { return 1 }")},
		"child.scxml": {Data: []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state/></scxml>`)},
	}
	for _, way := range []string{"fails", "panics", "ends early"} {
		faults := 0
		for at := 0; ; at++ {
			n := 0
			fsys := &faultyFS{files, way, &at, &n}
			mistakes := 0
			chart, err := scxml.Load(fsys, "main.scxml")
			if err == nil {
				mistakes += len(chart.Warnings())
				trace := &scxml.Trace{Error: func(_ *scxml.Session, e *scxml.ExecutionError) { mistakes++ }}
				s, err := scxml.New(chart, scxml.WithMissing(), scxml.WithTrace(trace))
				if err == nil {
					err = s.Start(t.Context())
				}
				if err != nil {
					t.Fatal(err)
				}
				s.Send(scxml.Event{Name: "e"})
				for more := true; more; {
					more, err = s.Step(t.Context(), time.Now())
				}
				if s.FinalState() != "t" {
					t.Errorf("%s at call %d: the session is in %v, %v", way, at, s.Configuration(), err)
				}
			}
			if n <= at {
				break // there are no more calls
			}
			if faults++; err != nil && mistakes > 0 {
				t.Errorf("%s at call %d: %v and %d errors", way, at, err, mistakes)
			}
		}
		if faults < 20 {
			t.Errorf("only %d calls of the loader", faults)
		}
	}
}

// A faultyProcessor sends messages in the way that their event names.
type faultyProcessor struct{}

func (faultyProcessor) Open(*scxml.Session) string { return "" }
func (faultyProcessor) Close(*scxml.Session)       {}
func (faultyProcessor) Send(_ *scxml.Session, m scxml.Message, done func(error)) error {
	switch m.Event.Name {
	case "fails":
		done(errors.New("no"))
	case "refuses":
		return errors.New("no")
	case "panics":
		explode()
	case "both":
		done(nil)
		return errors.New("no")
	case "doneTwice":
		done(nil)
		done(errors.New("no"))
	case "panicsLate":
		done(nil)
		explode()
	case "never": // done is not called
	}
	return nil
}

// An Event I/O Processor that fails or panics in any way costs at most one error event.
func TestFaultyProcessor(t *testing.T) {
	for way, want := range map[string]string{
		"fails": "error.communication: no", "refuses": "error.execution: no", "panics": "error.communication: the I/O processor panicked",
		"both": "", "doneTwice": "", "panicsLate": "", "never": "",
	} {
		chart, err := scxml.Parse("chart.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state><onentry><send type="faulty" event="`+way+`"/></onentry><transition event="e" target="f"/></state><final id="f"/></scxml>`))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		trace := &scxml.Trace{Error: func(_ *scxml.Session, e *scxml.ExecutionError) { got = append(got, e.Event+": "+e.Msg) }}
		s, err := scxml.New(chart, scxml.WithIOProcessor("faulty", faultyProcessor{}), scxml.WithTrace(trace))
		if err == nil {
			err = s.Start(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		s.Send(scxml.Event{Name: "e"})
		for more := true; more && err == nil; {
			more, err = s.Step(t.Context(), time.Now())
		}
		if err != nil || s.FinalState() != "f" || strings.Join(got, ", ") != want {
			t.Errorf("%s: %v, in %v, errors %q, want %q", way, err, s.Configuration(), got, want)
		}
	}
}

// A faultyLanguage is ECMAScript with a store that fails or panics at one of its calls.
type faultyLanguage struct {
	datamodel.Language
	at, n  int
	panics bool
}

func (l *faultyLanguage) NewStore(host datamodel.Host) (datamodel.Store, error) {
	if err := l.fault(); err != nil {
		return nil, err
	}
	st, err := l.Language.NewStore(host)
	return &faultyStore{st, l}, err
}

func (l *faultyLanguage) fault() error {
	l.n++
	switch {
	case l.n-1 != l.at:
		return nil
	case l.panics:
		panic("store on fire")
	}
	return errors.New("store error")
}

type faultyStore struct {
	datamodel.Store
	l *faultyLanguage
}

func (st *faultyStore) Declare(id string) error {
	return cmpError(st.l.fault(), func() error { return st.Store.Declare(id) })
}
func (st *faultyStore) Init(id string, e datamodel.Expr) error {
	return cmpError(st.l.fault(), func() error { return st.Store.Init(id, e) })
}
func (st *faultyStore) Run(e datamodel.Expr) error {
	return cmpError(st.l.fault(), func() error { return st.Store.Run(e) })
}
func (st *faultyStore) Assign(to, e datamodel.Expr) error {
	return cmpError(st.l.fault(), func() error { return st.Store.Assign(to, e) })
}
func (st *faultyStore) Condition(e datamodel.Expr) (bool, error) {
	if err := st.l.fault(); err != nil {
		return false, err
	}
	return st.Store.Condition(e)
}
func (st *faultyStore) Value(e datamodel.Expr) (datamodel.Value, error) {
	if err := st.l.fault(); err != nil {
		return nil, err
	}
	return st.Store.Value(e)
}

func cmpError(err error, f func() error) error {
	if err != nil {
		return err
	}
	return f()
}

// A store that fails costs one error. One that panics does so in the goroutine of its caller, which
// can recover: no other session notices, and the session itself can be stopped.
func TestFaultyStore(t *testing.T) {
	const source = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="n" expr="0"/></datamodel>
  <state id="a"><onentry><assign location="n" expr="n + 1"/><script>var x = 1</script><log expr="n"/></onentry>
    <transition event="e" cond="x == 1" target="b"/><transition event="*" target="b"/></state>
  <state id="b"><transition event="e" target="f"/></state><final id="f"/></scxml>`
	for _, panics := range []bool{false, true} {
		faults := 0
		for at := 0; ; at++ {
			l := &faultyLanguage{Language: ecmascript.New(), at: at, panics: panics}
			chart, err := scxml.Parse("chart.scxml", []byte(source), scxml.WithLanguage(l))
			if err != nil {
				t.Fatal(err)
			}
			mistakes, recovered := 0, 0
			trace := &scxml.Trace{Error: func(_ *scxml.Session, e *scxml.ExecutionError) { mistakes++ }}
			attempt := func(f func() error) {
				defer func() {
					if x := recover(); x != nil {
						recovered++
					}
				}()
				if err := f(); err != nil && !errors.Is(err, scxml.ErrStopped) && !errors.Is(err, scxml.ErrEnded) {
					mistakes++
				}
			}
			s, err := scxml.New(chart, scxml.WithMissing(), scxml.WithTrace(trace))
			if err != nil {
				t.Fatal(err)
			}
			attempt(func() error { return s.Start(t.Context()) })
			for range 3 {
				if s.Status() != scxml.Running {
					break
				}
				s.Send(scxml.Event{Name: "e"})
				attempt(func() error { _, err := s.Step(t.Context(), time.Now()); return err })
			}
			s.Stop()
			if s.Status() == scxml.Running {
				attempt(func() error { _, err := s.Step(t.Context(), time.Now()); return err })
			}
			if s.Status() == scxml.Running {
				t.Errorf("fault at call %d: the session cannot be stopped", at)
			}
			calls := l.n
			l.n = 1_000_000
			other, err := scxml.New(chart)
			if err == nil {
				err = other.Start(t.Context())
			}
			if err != nil || !slices.Equal(other.Configuration(), []string{"a"}) {
				t.Errorf("fault at call %d: the next session: %v", at, err)
			}
			if calls <= at {
				break
			}
			if recovered > 1 || recovered == 0 && mistakes != 1 || mistakes > 1 { // after a panic, a variable may be missing
				t.Errorf("fault at call %d: %d errors, %d panics", at, mistakes, recovered)
			}
			faults++
		}
		if faults < 7 {
			t.Errorf("only %d calls of the store", faults)
		}
	}
}
