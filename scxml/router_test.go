package scxml_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// post is a Router that keeps the messages for one address and refuses all others.
type post struct {
	to  string
	log []string
}

func (p *post) Join(s *scxml.Session)  { p.log = append(p.log, "join "+s.ID()) }
func (p *post) Leave(s *scxml.Session) { p.log = append(p.log, "leave "+s.ID()) }
func (p *post) Route(m scxml.Message) error {
	if m.Target != p.to {
		return errors.New("moved away")
	}
	p.log = append(p.log, fmt.Sprint(m.Event.Name, " of ", m.Session.ID(), " from ", m.Event.Origin, " ", m.Event.Type, " ", m.Event.OriginType))
	return nil
}

// A Router gets what the tree does not deliver itself, and the sessions of the tree while they run,
// across a snapshot too.
func TestRouter(t *testing.T) {
	p := &post{to: "#_scxml_far"}
	chart := parse(t, `<state id="a">
			<invoke id="kid"><content><scxml version="1.0"><state id="k"><onentry><send event="up" target="#_parent"/></onentry></state></scxml></content></invoke>
			<transition event="up"><send event="self" targetexpr="'#_scxml_' + _sessionid"/><send event="kept" target="#_scxml_far" delay="1s"/><send event="lost" target="#_scxml_near"/></transition>
			<transition event="error.communication" target="b"/></state>
		<state id="b"><transition event="go" target="c"/></state><final id="c"/>`)
	opts := scxml.Options{scxml.WithRouter(p), scxml.WithClock(func() time.Time { return time.Unix(0, 0) })}
	s := newSession(t, chart, append(opts, scxml.WithSessionID("k"), scxml.WithSeed(1))...)
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	advance(t, s, s.Now())
	wantConfiguration(t, s, "b")
	p.log = append(p.log, "restore")
	s = restore(t, chart, snapshot(t, s, opts), opts)
	advance(t, s, s.Now().Add(time.Second))
	if _, err := s.Do(t.Context(), s.Now(), scxml.Event{Name: "go"}); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(p.log, func(line string) bool { return strings.HasPrefix(line, "join k~") })
	if i < 0 {
		t.Fatalf("no invoked session has joined as k~…: %q", p.log)
	}
	kid := strings.TrimPrefix(p.log[i], "join ")
	want := []string{"join k", "join " + kid, "leave " + kid, "restore", "join k", "join k", // snapshot restores it too
		"kept of k from #_scxml_k external " + scxml.SCXMLEventProcessor, "leave k"}
	if !slices.Equal(p.log, want) {
		t.Errorf("the router saw\n%s\nwant\n%s", strings.Join(p.log, "\n"), strings.Join(want, "\n"))
	}
}
