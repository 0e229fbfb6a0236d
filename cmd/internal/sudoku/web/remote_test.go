package web

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// While a service works the page shows each input, also one that ends the service.
func TestService(t *testing.T) {
	test(t, "a slow hint", func(t *testing.T) {
		p := open(t, map[string]any{"lang": "en"})
		defer p.end()
		p.slow.Store(true)
		p.key("?", "Right")
		if string(p.view["at"]) != "25" {
			t.Errorf("at %s after a key, want 25", p.view["at"])
		}
		p.cell(2, 6)
		if string(p.view["at"]) != "24" {
			t.Errorf("at %s after a click, want 24", p.view["at"])
		}
		p.key("M")
		p.want("pen", "notes")
		p.key("1")
		if c := p.cells[24]; c.Notes != 1<<1 {
			t.Errorf("the notes are %b", c.Notes)
		}
		p.want("time", "0:00")
	})
}

// Services run elsewhere, and what they say comes back; a call that is not waited for is told so.
func TestRemote(t *testing.T) {
	test(t, "events and errors", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var asked []serve
		remote := NewRemote(func(m Message) {
			var s serve
			if err := json.Unmarshal(m.Text, &s); err != nil {
				t.Error(err)
			}
			asked = append(asked, s)
		})
		chart, err := scxml.Parse("t.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript"><datamodel><data id="seen" expr="''"/></datamodel>
			<state id="a"><invoke type="sudoku-generate" id="x"><param name="missing" expr="1/0"/></invoke>
				<transition event="progress"><assign location="seen" expr="seen + _event.data.tried"/></transition>
				<transition event="done.invoke.x" target="b"><assign location="seen" expr="seen + _event.data.name"/></transition></state>
			<state id="b"><invoke type="sudoku-hint" id="y"/><transition event="error.communication" target="c"/></state>
			<state id="c"><invoke type="sudoku-solve" id="z"/><transition event="leave" target="d"/></state><state id="d"/></scxml>`))
		if err != nil {
			t.Fatal(err)
		}
		s, err := scxml.New(chart, remote.Options()...)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Start(ctx); err != nil {
			t.Fatal(err)
		}
		go func() { _ = s.Run(ctx) }() // ends with ctx
		synctest.Wait()
		for _, text := range []string{
			`{"do":"event","id":1,"name":"progress","data":{"tried":7}}`, `{"do":"served","id":1,"data":{"name":"#8"}}`,
			`{"do":"served","id":2,"error":"not today"}`, `{"do":"served","id":99}`,
		} {
			if !remote.Hear(Message{Text: []byte(text)}) {
				t.Errorf("%s is not for a service", text)
			}
			synctest.Wait()
		}
		if remote.Hear(Message{Text: []byte(`{"do":"key"}`)}) {
			t.Error("a key is for a service")
		}
		if err := s.Send(scxml.Event{Name: "leave"}); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		got := ""
		for _, a := range asked {
			got += fmt.Sprintln(a.Type, a.ID, a.Service, string(a.Params))
		}
		want := "serve 1 sudoku-generate {\"missing\":{\"$number\":\"Infinity\"}}\nserve 2 sudoku-hint {\"$undefined\":true}\nserve 3 sudoku-solve {\"$undefined\":true}\nunserve 3  \n"
		if got != want {
			t.Errorf("asked\n%swant\n%s", got, want)
		}
		err = s.Call(ctx, func(s *scxml.Session) {
			if v, err := s.Eval(ctx, "seen"); err != nil || v != "7#8" {
				t.Errorf("seen is %v, %v", v, err)
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// What game and services cannot use of each other ends the call.
func TestRemoteRefused(t *testing.T) {
	test(t, "services", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		messages, answers := make(chan Message), make(chan Message, 1)
		go func() { _ = Serve(ctx, messages, func(m Message) { answers <- m }) }() // ends with ctx
		for text, want := range map[string]string{
			`{"type":"serv","id":3,"service":"sudoku-hint"}`:         `unknown kind \"serv\"`,
			`{"type":"serve","id":3,"sevice":"sudoku-hint"}`:         `json: unknown field \"sevice\"`,
			`{"type":"serve","id":3,"service":"sudoku","params":{}}`: `\"sudoku\" is not a service`,
		} {
			messages <- Message{Text: []byte(text)}
			if got := string((<-answers).Text); got != `{"do":"served","id":3,"error":"`+want+`"}` {
				t.Errorf("%s: %s", text, got)
			}
		}
		cancel()
	})
	test(t, "game", func(t *testing.T) {
		remote := NewRemote(func(Message) {})
		result := make(chan error)
		go func() {
			_, err := remote.run(t.Context(), "sudoku-hint", nil, nil)
			result <- err
		}()
		synctest.Wait()
		if !remote.Hear(Message{Text: []byte(`{"do":"served","id":1,"dta":{}}`)}) {
			t.Error("it is not for a service")
		}
		if err := <-result; err == nil || err.Error() != `cannot read what the service says: json: unknown field "dta"` {
			t.Error(err)
		}
	})
}
