package compiled_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/compiled"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/game"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/record/wire"
)

func load(t *testing.T) *scxml.Chart {
	t.Helper()
	chart, err := scxml.Load(charts.FS, "sudoku.scxml")
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

// What the driver cannot do is refused, rather than left out.
func TestRefused(t *testing.T) {
	other, err := scxml.Parse("other.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s"/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	for want, cfg := range map[string]drive.Config{
		"another version of other.scxml": {Chart: other},
		"WithSeed is not an option":      {Chart: load(t), Options: []scxml.Option{scxml.WithSeed(1)}},
		"real time":                      {Chart: load(t), Virtual: true},
		"cannot restore the machine":     {Chart: load(t), Saved: []byte("{}")},
	} {
		if _, err := compiled.NewDriver(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// An input gets data items and saved(), and no other expressions.
func TestGet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &player{t: t, games: map[sudoku.Grid]*format.Game{}}
		p.begin(load(t), compiled.NewDriver)
		defer p.end()
		get := func(text string) (v datamodel.Value, err error) {
			p.input(func(s drive.Session) error {
				v, err = s.Do(wire.Command{Verb: wire.Get, Text: text})
				return nil
			})
			return v, err
		}
		if v, err := get("helps"); v != int64(0) || err != nil {
			t.Errorf("got %v, %v", v, err)
		}
		if v, err := get("saved()"); err != nil {
			t.Errorf("got %v, %v", v, err)
		}
		if v, err := get("helps + 1"); err == nil {
			t.Errorf("got %v", v)
		}
	})
}

// A service that panics has failed, as in a session.
func TestServiceThatPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &player{t: t, games: map[sudoku.Grid]*format.Game{}}
		p.begin(load(t), compiled.NewDriver, scxml.WithInvoker("sudoku-hint", scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) {
			panic("no hint")
		})))
		defer p.end()
		p.do(game.AskHint{})
		if got := p.View().Message; got.Code != game.Failed || !strings.Contains(got.Detail, "panicked") {
			t.Errorf("got %+v", got)
		}
	})
}

// What a service does after it was cancelled is not heard: the game does not say that it has failed.
func TestCancelledService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &player{t: t, games: map[sudoku.Grid]*format.Game{}}
		var sent error
		p.begin(load(t), compiled.NewDriver, scxml.WithInvoker("sudoku-generate", scxml.InvokerFunc(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
			<-ctx.Done()
			sent = inv.Send(scxml.Event{Name: "progress", Data: map[string]int{"tried": 7}})
			return nil, errors.New("cancelled")
		})))
		defer p.end()
		p.do(game.Generate{Level: 1})
		p.do(game.Cancel{})
		if v := p.View(); v.Message.Code != game.Nothing || v.Tried != 0 || !errors.Is(sent, scxml.ErrEnded) {
			t.Errorf("got %+v, %d, %v", v.Message, v.Tried, sent)
		}
	})
}
