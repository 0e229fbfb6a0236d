package scxml_test

import (
	"context"
	"encoding/xml"
	"errors"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// TestEventNameAtEveryEntrance: every way into a session checks the name of an event.
func TestEventNameAtEveryEntrance(t *testing.T) {
	entrances := map[string]func(t *testing.T, name string) error{
		"Send": func(t *testing.T, name string) error {
			s, _ := start(t, lamp)
			return s.Send(scxml.Event{Name: name})
		},
		"a service": func(t *testing.T, name string) (err error) {
			s, clock := start(t, `<state id="a"><invoke type="service"/></state>`, scxml.WithInvoker("service",
				scxml.InvokerFunc(func(_ context.Context, inv *scxml.Invocation) (any, error) {
					err = inv.Send(scxml.Event{Name: name})
					return nil, nil
				})))
			if err := clock.Advance(t.Context(), s, 0); err != nil {
				t.Fatal(err)
			}
			return err
		},
		"an action": func(t *testing.T, name string) (err error) {
			start(t, `<state id="a"><onentry><raise xmlns="urn:own"/></onentry></state>`,
				scxml.WithAction(xml.Name{Space: "urn:own", Local: "raise"}, func(call *scxml.ActionCall) error {
					err = call.Raise(name, nil)
					return nil
				}))
			return err
		},
		"the external queue of a snapshot": inSnapshot(`"external":[{"name":"NAME"`),
		"the internal queue of a snapshot": inSnapshot(`"internal":[{"name":"NAME","type":"internal"}],"external":[{"name":"go"`),
		"_event of a snapshot":             inSnapshot(`"event":{"name":"NAME"},"external":[{"name":"go"`),
		"a platform event of a snapshot":   inSnapshot(`"external":[{"name":"NAME","type":"platform"`),
		"a timer of a snapshot": func(t *testing.T, name string) error {
			chart, good := saved(t)
			_, err := scxml.Restore(chart, edit(t, good, `"event":{"name":"late"`, `"event":{"name":`+string(datamodel.AppendJSON(nil, name))))
			return err
		},
	}
	for how, attrs := range map[string]string{
		"eventexpr":                      ``,
		"eventexpr to the internal":      ` target="#_internal"`,
		"eventexpr, delayed":             ` delay="1s"`,
		"eventexpr to another processor": ` type="urn:own" target="x"`,
	} {
		entrances[how] = func(t *testing.T, name string) (err error) {
			start(t, `<datamodel><data id="n"/></datamodel><state id="a"><onentry><send eventexpr="n"`+attrs+`/></onentry></state>`,
				scxml.WithData("n", name), scxml.WithIOProcessor("urn:own", echo{func(scxml.Message) {}}),
				scxml.WithTrace(&scxml.Trace{Error: func(_ *scxml.Session, e *scxml.ExecutionError) { err = e }}))
			return err
		}
	}
	for entrance, enter := range entrances {
		t.Run(entrance, func(t *testing.T) {
			for _, name := range []string{"*", "a.*", "..", ".a", "a.", "a..b", "a b", "a\tb", "a\x00b", "a\u0085b", strings.Repeat("x", datamodel.MaxEventName+1)} {
				err, want := enter(t, name), datamodel.CheckEventName(name)
				if err == nil || !strings.HasSuffix(err.Error(), want.Error()) {
					t.Errorf("%.20q: got %v, want %v", name, err, want)
				}
				if strings.HasSuffix(entrance, "snapshot") && !errors.Is(err, scxml.ErrSnapshot) {
					t.Errorf("%.20q: %v is not ErrSnapshot", name, err)
				}
			}
			if err := enter(t, "a.größer"); err != nil {
				t.Error(err)
			}
		})
	}
}

// inSnapshot restores a snapshot with one event at the given place.
func inSnapshot(replacement string) func(t *testing.T, name string) error {
	return func(t *testing.T, name string) error {
		chart, good := saved(t)
		text := string(datamodel.AppendJSON(nil, name))
		good = edit(t, good, `,"event":{"name":"again"}`, "")
		_, err := scxml.Restore(chart, edit(t, good, `"external":[{"name":"go"`, strings.Replace(replacement, `"NAME"`, text, 1)))
		return err
	}
}

// The platform builds names from ids, and an id may contain what a name may not.
func TestEventNameOfOddID(t *testing.T) {
	inside := `<state id="a..b*" initial="f"><final id="f"/><transition event="done.state" target="c"/></state><state id="c"/>`
	s, _ := start(t, inside)
	wantConfiguration(t, s, "c")
	if _, err := scxml.Restore(s.Chart(), snapshot(t, s)); err != nil {
		t.Errorf("%s: %v", snapshot(t, s), err)
	}
}
