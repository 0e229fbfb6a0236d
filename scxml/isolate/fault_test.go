package isolate_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// explode panics; its name is in the stack, and its value is for the host only.
func explode() { panic(errors.New("s3cret")) }

// twoSessions starts a session that is going to fail and a healthy one, in the same child, and
// returns what checks the healthy one.
func twoSessions(t *testing.T, pool *isolate.Pool, spec isolate.Spec, opts ...scxml.Option) (s *isolate.Session, check func()) {
	t.Helper()
	tenant, err := pool.Tenant(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	place := func(spec isolate.Spec, opts ...scxml.Option) *isolate.Session {
		s, err := tenant.New(t.Context(), spec, append(opts, atStart)...)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	healthy := place(isolate.Spec{Name: "healthy.scxml", Source: document(counter)})
	if err := healthy.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	spec.Name = "chart.scxml"
	return place(spec, opts...), func() {
		t.Helper()
		before := healthy.In("a")
		do(t, healthy, start, "t", nil)
		if healthy.In("a") == before {
			t.Error("the other session has not taken its event")
		}
		tenant.Close()
	}
}

// A function or service of the host that fails in any way costs one error event. The host sees the
// cause, the chart does not.
func TestFaultyFunctionsAndServices(t *testing.T) {
	pool := newPool(t, isolate.Config{Spare: 1, HostTime: time.Minute})
	full := errors.New("full")
	for way, f := range map[string]func() error{
		"fails": func() error { return full }, "panics": func() error { explode(); return nil }, "exits": func() error { runtime.Goexit(); return nil },
	} {
		for _, kind := range []string{"function", "service"} {
			s, check := twoSessions(t, pool, isolate.Spec{Source: document(`
<state id="a"><transition event="function"><script>f()</script></transition><transition event="service" target="b"/></state>
<state id="b"><invoke type="faulty" id="i"/></state>`)},
				scxml.WithFunc("f", f),
				scxml.WithInvoker("faulty", scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) { return nil, f() })))
			if err := s.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			e := do(t, s, start, kind, nil)
			for len(e.Errors) == 0 {
				<-s.Wake()
				e = do(t, s, start, "", nil)
			}
			cause := e.Errors[0].Err
			var panicked *scxml.PanicError
			switch errors.As(cause, &panicked); {
			case len(e.Errors) != 1 || strings.Contains(e.Errors[0].Msg, "s3cret"):
				t.Errorf("%s %s: %v", kind, way, e.Errors)
			case way == "fails" && !errors.Is(cause, full), (way == "panics") != (panicked != nil),
				panicked != nil && !strings.Contains(string(panicked.Stack), "explode"),
				way == "exits" && (cause == nil || !strings.Contains(cause.Error(), "runtime.Goexit")):
				t.Errorf("%s %s: the cause is %v", kind, way, cause)
			}
			check()
		}
	}
}

// A faultyFS fails at one of its calls.
type faultyFS struct {
	fstest.MapFS
	fault func() error // of that call
	at    int
	n     *atomic.Int64
}

func (f faultyFS) call() error {
	if f.n.Add(1)-1 == int64(f.at) {
		return f.fault()
	}
	return nil
}

func (f faultyFS) Open(name string) (fs.File, error) {
	if err := f.call(); err != nil {
		return nil, err
	}
	file, err := f.MapFS.Open(name)
	return faultyFile{file, f}, err
}

func (f faultyFS) Stat(name string) (fs.FileInfo, error) {
	if err := f.call(); err != nil {
		return nil, err
	}
	return f.MapFS.Stat(name)
}

type faultyFile struct {
	fs.File
	fsys faultyFS
}

func (f faultyFile) Read(p []byte) (int, error) {
	if err := f.fsys.call(); err != nil {
		return 0, err
	}
	return f.File.Read(p[:min(len(p), 40)])
}

// A loader that fails, panics or hangs at any call costs its session an error: the document is
// refused, or an element fails.
func TestFaultyLoader(t *testing.T) {
	files := fstest.MapFS{
		"lib.js":      {Data: []byte("function f() { return 1 }")},
		"child.scxml": {Data: document(`<state/>`)},
	}
	source := document(`<script src="lib.js"/><state id="s"><invoke src="child.scxml"/><transition event="e" target="t"/></state><final id="t"/>`)
	release := make(chan struct{})
	defer close(release)
	for way, fault := range map[string]func() error{
		"fails": func() error { return io.ErrUnexpectedEOF }, "panics": func() error { explode(); return nil },
		"exits": func() error { runtime.Goexit(); return nil }, "hangs": func() error { <-release; return nil },
	} {
		patience := time.Minute
		if way == "hangs" {
			patience = 200 * time.Millisecond
		}
		tenant, err := newPool(t, isolate.Config{HostTime: patience}).Tenant(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		faults := 0
		for at := 0; ; at++ {
			n := new(atomic.Int64)
			s, err := tenant.New(t.Context(), isolate.Spec{
				Name: "chart.scxml", Source: source, Options: []scxml.ChartOption{scxml.WithLoader(faultyFS{files, fault, at, n})},
			}, atStart)
			mistakes := 0
			var refused *scxml.DocumentError
			switch {
			case errors.As(err, &refused):
				mistakes += len(refused.Diagnostics)
			case err != nil:
				t.Fatalf("%s at call %d: %v", way, at, err)
			default:
				mistakes += len(s.Chart().Warnings)
				if err := s.Start(t.Context()); err != nil {
					t.Fatalf("%s at call %d: %v", way, at, err)
				}
				for s.FinalState() != "t" {
					mistakes += len(do(t, s, start, "e", nil).Errors)
				}
			}
			if n.Load() <= int64(at) {
				if mistakes != 0 {
					t.Errorf("%s: %d errors without a fault", way, mistakes)
				}
				break
			}
			if faults++; mistakes > 1 {
				t.Errorf("%s at call %d: %d errors: %v", way, at, mistakes, err)
			}
		}
		if faults < 6 {
			t.Errorf("%s: only %d calls of the loader", way, faults)
		}
	}
}

// panics reports whether f panics.
func panics(f func()) (is bool) {
	defer func() { is = recover() != nil }()
	f()
	return false
}

// A function for records or a front end that panics at any record does so in the goroutine of its
// caller, who can recover: the child takes the next request, of this session or of another.
func TestFaultyRecords(t *testing.T) {
	pool := newPool(t, isolate.Config{Spare: 1})
	for at := 0; ; at++ {
		n := 0
		records := func(*record.Record) {
			if n++; n-1 == at {
				explode()
			}
		}
		s, check := twoSessions(t, pool, isolate.Spec{Source: document(counter), Kinds: ^record.Set(0), Records: records})
		faults := 0
		attempt := func(f func() error) {
			if panics(func() {
				if err := f(); err != nil {
					t.Error(err)
				}
			}) {
				faults++
			}
		}
		attempt(func() error { return s.Start(t.Context()) })
		for range 2 {
			attempt(func() error { _, err := s.Do(t.Context(), start, tick); return err })
		}
		if v, err := s.Get(t.Context(), "n"); fmt.Sprint(v) != "1" || err != nil {
			t.Errorf("panic at record %d: n = %v, %v", at, v, err)
		}
		check()
		if n <= at {
			if at < 10 {
				t.Errorf("only %d records", at)
			}
			return
		}
		if faults != 1 {
			t.Errorf("panic at record %d: %d panics", at, faults)
		}
	}
}

// A brittle front end panics at one of its records.
type brittle struct{ n, at int }

func (f *brittle) Failed() error { return nil }

func (f *brittle) Tell(*record.Record) {
	if f.n++; f.n-1 == f.at {
		explode()
	}
}

func TestFaultyFront(t *testing.T) {
	pool := newPool(t, isolate.Config{Spare: 1})
	for at := 0; ; at++ {
		f := &brittle{at: at}
		s, check := twoSessions(t, pool, isolate.Spec{Source: document(counter)})
		d, err := s.Tenant().Drive(t.Context(), isolate.Spec{Name: "driven.scxml", Source: document(counter)},
			drive.Config{Front: f, Kinds: ^record.Set(0), Virtual: true})
		if err != nil {
			t.Fatal(err)
		}
		panicked := panics(func() {
			if _, err := d.Run(t.Context(), nil); err != nil {
				t.Error(err)
			}
		})
		check()
		if f.n <= at {
			if at < 5 {
				t.Errorf("only %d records", at)
			}
			return
		}
		if !panicked {
			t.Errorf("the panic at record %d is lost", at)
		}
	}
}
