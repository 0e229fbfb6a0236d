package scxml_test

import (
	"context"
	"encoding/xml"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// readers are what only the owner of a session may read.
var readers = []struct {
	name string
	read func(ctx context.Context, s *scxml.Session) error
}{
	{"Configuration", func(_ context.Context, s *scxml.Session) error { s.Configuration(); return nil }},
	{"In", func(_ context.Context, s *scxml.Session) error { s.In("a"); return nil }},
	{"Enabled", func(_ context.Context, s *scxml.Session) error { s.Enabled(); return nil }},
	{"DoneData", func(_ context.Context, s *scxml.Session) error { s.DoneData(); return nil }},
	{"Sessions", func(_ context.Context, s *scxml.Session) error { s.Sessions(); return nil }},
	{"NextDue", func(_ context.Context, s *scxml.Session) error { s.NextDue(); return nil }},
	{"Cancel", func(_ context.Context, s *scxml.Session) error { s.Cancel("none"); return nil }},
	{"OnState", func(_ context.Context, s *scxml.Session) error { s.OnState("a", func(bool) {})(); return nil }},
	{"OnSend", func(_ context.Context, s *scxml.Session) error { s.OnSend("*", func(scxml.Event) {})(); return nil }},
	{"OnEvent", func(_ context.Context, s *scxml.Session) error { s.OnEvent("e", func(scxml.Event) {})(); return nil }},
	{"Eval", func(ctx context.Context, s *scxml.Session) error { _, err := s.Eval(ctx, "1"); return err }},
	{"Data", func(_ context.Context, s *scxml.Session) error {
		_, err := scxml.Data[map[string]any](s)
		if errors.Is(err, scxml.ErrNotStarted) {
			err = nil
		}
		return err
	}},
}

// read calls all readers and returns the errors of those that refuse.
func read(ctx context.Context, s *scxml.Session) map[string]error {
	refused := make(map[string]error)
	for _, r := range readers {
		func() {
			defer func() {
				if p := recover(); p != nil {
					refused[r.name], _ = p.(error)
				}
			}()
			if err := r.read(ctx, s); err != nil {
				refused[r.name] = err
			}
		}()
	}
	return refused
}

// A handler of a web server reads a session that Run drives on another goroutine.
func TestReadFromElsewhere(t *testing.T) {
	s := newSession(t, parse(t, `<datamodel><data id="n" expr="1"/></datamodel>
		<state id="a"><onentry><send event="tick" delay="1ms"/></onentry>
			<transition event="tick" target="a"><assign location="n" expr="n + 1"/></transition><transition event="end" target="f"/></state>
		<final id="f"/>`))
	ended := make(chan error)
	go func() { ended <- s.Run(t.Context()) }()
	if err := s.Call(t.Context(), func(s *scxml.Session) {
		for name, err := range read(t.Context(), s) {
			t.Errorf("inside Call: %s: %v", name, err)
		}
	}); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		refused := read(t.Context(), s)
		for _, r := range readers {
			const why = ": the session is being driven: from another goroutine use Session.Send or Session.Call, and in a callback do not drive it"
			if err := refused[r.name]; !errors.Is(err, scxml.ErrDriven) || err.Error() != "scxml: "+r.name+why {
				t.Fatalf("%s: got %v", r.name, err)
			}
		}
		if s.Status() != scxml.Running || s.Err() != nil || s.FinalState() != "" {
			t.Errorf("got %v, %v, %q", s.Status(), s.Err(), s.FinalState())
		}
		time.Sleep(time.Millisecond)
	}
	s.Send(scxml.Event{Name: "end"})
	for s.Status() != scxml.Final {
		time.Sleep(time.Millisecond)
	}
	if s.FinalState() != "f" || s.Err() != nil {
		t.Errorf("got %q, %v", s.FinalState(), s.Err())
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if refused := read(t.Context(), s); len(refused) > 0 {
		t.Errorf("after the end: %v", refused)
	}
}

// Everything that the owner calls may read the session, whatever drives it.
func TestReadInCallback(t *testing.T) {
	const body = `<datamodel><data id="n" expr="1"/></datamodel>
		<state id="a">
			<onentry><x:act xmlns:x="urn:x"/><script>f()</script><raise event="r"/><log expr="1"/>
				<send event="out" type="urn:p" target="x"/><send event="out" type="urn:p" target="y"/><send event="far" target="#_scxml_far"/>
				<send event="e"/><send id="i" event="late" delay="1ms"/><send id="j" event="late" delay="1ms"/><cancel sendid="j"/></onentry>
			<invoke id="child"><content><scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final/></scxml></content></invoke>
			<transition event="e" cond="f() &gt; 0" target="b"/></state>
		<state id="b"><invoke><content><scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state/></scxml></content></invoke>
			<transition event="late" target="c"/></state>
		<state id="c"><transition event="end" target="f"/></state>
		<final id="f"/>`
	seen := make(map[string]bool)
	var root *scxml.Session
	look := func(what string) {
		if root == nil {
			return // New is at work
		}
		seen[what] = true
		for name, err := range read(t.Context(), root) {
			t.Errorf("%s in %s: %v", name, what, err)
		}
	}
	trace := new(scxml.Trace)
	v := reflect.ValueOf(trace).Elem()
	for i := range v.NumField() {
		name := "Trace." + v.Type().Field(i).Name
		v.Field(i).Set(reflect.MakeFunc(v.Field(i).Type(), func([]reflect.Value) []reflect.Value { look(name); return nil }))
	}
	now := time.Now()
	opts := []scxml.Option{
		scxml.WithTrace(trace), scxml.WithFunc("f", func() int { look("WithFunc"); return 1 }), scxml.WithRouter(looking{look}),
		scxml.WithAction(xml.Name{Space: "urn:x", Local: "act"}, func(*scxml.ActionCall) error { look("WithAction"); return nil }),
		scxml.WithIOProcessor("urn:p", looking{look}), scxml.WithClock(func() time.Time { look("WithClock"); return now }),
		scxml.WithLogger(slog.New(looking{look})),
	}
	end := scxml.Event{Name: "end"}
	for name, drive := range map[string]func(s *scxml.Session) error{
		"Do": func(s *scxml.Session) error {
			now = now.Add(time.Second)
			_, err := s.Do(t.Context(), now, scxml.Event{})
			return err
		},
		"Step": func(s *scxml.Session) error {
			now = now.Add(time.Second)
			for more := true; more; {
				var err error
				if more, err = s.Step(t.Context(), now); err != nil {
					return err
				}
			}
			return nil
		},
		"Advance": func(s *scxml.Session) error {
			now = now.Add(time.Second)
			return s.Advance(t.Context(), now)
		},
		"Run": func(s *scxml.Session) error {
			now = now.Add(time.Second)
			return s.Run(t.Context())
		},
		"Stop": func(s *scxml.Session) error {
			s.Stop()
			_, err := s.Step(t.Context(), now)
			if !errors.Is(err, scxml.ErrStopped) {
				return err
			}
			return nil
		},
		"Snapshot": func(s *scxml.Session) error { _, err := s.Snapshot(); return err },
		"Suspend":  func(s *scxml.Session) error { _, err := s.Suspend(); return err },
		"Abandon":  func(s *scxml.Session) error { return scxml.ForServer(s).Abandon() },
		"Try":      func(s *scxml.Session) error { _, err := s.Try(t.Context(), end); return err },
		"Eval":     func(s *scxml.Session) error { _, err := s.Eval(t.Context(), "f()"); return err },
	} {
		s, err := scxml.New(parse(t, body), opts...)
		if err != nil {
			t.Fatal(err)
		}
		root = s
		s.OnState("a", func(bool) { look("OnState") })
		s.OnState("c", func(bool) { s.Send(end) })
		s.OnSend("*", func(scxml.Event) { look("OnSend") })
		s.OnEvent("*", func(scxml.Event) { look("OnEvent") })
		if err := s.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.Advance(t.Context(), now)
		if err := drive(s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for i := range v.NumField() {
		if name := "Trace." + v.Type().Field(i).Name; !seen[name] {
			t.Errorf("%s was not called", name)
		}
	}
	for _, name := range []string{
		"OnState", "OnSend", "OnEvent", "WithFunc", "WithAction", "WithClock", "Handle",
		"Join", "Leave", "Route", "Open", "Close", "Send",
	} {
		if !seen[name] {
			t.Errorf("%s was not called", name)
		}
	}
}

// looking is a Router, an IOProcessor and a handler of logs that reads the session.
type looking struct{ look func(what string) }

func (l looking) Join(*scxml.Session)                       { l.look("Join") }
func (l looking) Leave(*scxml.Session)                      { l.look("Leave") }
func (l looking) Route(scxml.Message) error                 { l.look("Route"); return errors.New("far") }
func (l looking) Open(*scxml.Session) string                { l.look("Open"); return "" }
func (l looking) Close(*scxml.Session)                      { l.look("Close") }
func (l looking) Enabled(context.Context, slog.Level) bool  { return true }
func (l looking) Handle(context.Context, slog.Record) error { l.look("Handle"); return nil }
func (l looking) WithAttrs([]slog.Attr) slog.Handler        { return l }
func (l looking) WithGroup(string) slog.Handler             { return l }
func (l looking) Send(_ *scxml.Session, m scxml.Message, done func(error)) error {
	l.look("Send")
	if m.Target == "y" {
		return errors.New("no such target")
	}
	done(errors.New("nobody there"))
	return nil
}

// A read in a callback searches the stack.
func BenchmarkReadInCallback(b *testing.B) {
	s := newSession(b, parse(b, `<state id="s"/>`))
	if err := s.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	s.OnEvent("*", func(scxml.Event) {
		for b.Loop() {
			s.In("s")
		}
	})
	s.Do(b.Context(), time.Now(), scxml.Event{Name: "e"})
}

// Each method of a session and of its views says who may call it.
func TestMethodsSayWhoMayCall(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || f.Recv == nil {
				continue
			}
			of := f.Recv.List[0].Type
			if star, ok := of.(*ast.StarExpr); ok {
				of = star.X
			}
			if id, ok := of.(*ast.Ident); !ok || id.Name != "Session" && !strings.HasSuffix(id.Name, "View") {
				continue
			}
			doc := strings.ToLower(strings.Join(strings.Fields(f.Doc.Text()), " "))
			if said++; !strings.Contains(doc, "any goroutine") && !strings.Contains(doc, "the owner") {
				t.Errorf("%s: %s does not say who may call it", name, f.Name.Name)
			}
		}
	}
	if said < 48 {
		t.Errorf("found %d methods", said)
	}
}
