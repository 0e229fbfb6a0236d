package compiled_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/compiled"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/compiled/internal/order"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

var (
	carriedTo   = flag.String("carried.to", "", "folder in which TestCarried leaves what it makes")
	carriedFrom = flag.String("carried.from", "", "folder with what TestCarried has made, perhaps on another processor; it is changed")
)

// many has data of each kind, a delayed event, an invoked session, queued events, and random numbers.
const many = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript" name="many">
  <datamodel>
    <data id="sum" expr="0"/><data id="texts" expr="['', 'é', '\ud83d\ude00', '\ud800']"/>
    <data id="numbers" expr="[0.1 + 0.2, -0, NaN, Infinity, 5e-324, 1e21, 9007199254740991, -2147483649, 4294967296]"/>
    <data id="others" expr="({b: 1, 10: 2, 9: 3, date: new Date(86400000), re: /a+/g, map: new Map([[1, {}]]), set: new Set('ab'), bytes: new Uint8Array([1, 255])})"/>
    <data id="again"/>
  </datamodel>
  <script>others.self = others; var total = 0.7; function next() { return total += 0.7 }</script>
  <parallel id="p">
    <state id="a"><onentry><send event="late" delay="1h"/></onentry>
      <transition event="add"><assign location="sum" expr="sum * 1.1 + _event.data.n"/></transition>
      <transition event="late"><assign location="again" expr="next()"/></transition></state>
    <state id="b"><invoke id="child"><content><scxml version="1.0" datamodel="ecmascript">
      <datamodel><data id="got" expr="Math.random()"/></datamodel>
      <state><transition event="tell"><send event="told" target="#_parent"><param name="n" expr="got"/></send></transition></state></scxml></content></invoke>
      <transition event="told"><assign location="sum" expr="sum + _event.data.n"/></transition>
      <transition event="ask"><send event="tell" target="#_child"/></transition></state>
  </parallel>
</scxml>`

const seen = `[sum, again, texts.map(t => [...t].map(c => c.codePointAt(0))), numbers.map(n => Object.is(n, -0) ? '-0' : String(n)), Object.keys(others), others.date.getTime(), others.re.source,
	others.map.size, [...others.set], [...others.bytes], others.self === others, Math.random()].join('; ')`

// TestCarried: what one machine has left another one continues, whatever its processor: a snapshot of a session and of a
// compiled machine, a recording, a saved game and a store. All do what they do if they are made here, and the files are the
// same. .ci/elsewhere gives the folder of each processor to others.
func TestCarried(t *testing.T) {
	for _, part := range []struct {
		name  string
		leave func(*testing.T, string) error
		take  func(*testing.T, string) (string, error)
	}{
		{"session.json", leaveSession, takeSession},
		{"order.json", leaveMachine, takeMachine},
		{"recording.rec", leaveRecording, takeRecording},
		{"game.sudoku", leaveGame, takeGame},
		{"store", leaveStore, takeStore},
	} {
		t.Run(part.name, func(t *testing.T) {
			here := filepath.Join(cmp.Or(*carriedTo, t.TempDir()), part.name)
			if err := part.leave(t, here); err != nil || *carriedTo != "" {
				t.Log("left in", here)
				failIf(t, err)
				return
			}
			there := filepath.Join(*carriedFrom, part.name)
			if *carriedFrom == "" {
				there = filepath.Join(t.TempDir(), part.name)
				failIf(t, part.leave(t, there))
			}
			if part.name != "store" {
				want, err := os.ReadFile(here)
				failIf(t, err)
				got, err := os.ReadFile(there)
				failIf(t, err)
				if !bytes.Equal(got, want) {
					t.Errorf("there it is\n%s\nand here\n%s", got, want)
				}
			}
			want, err := part.take(t, here)
			failIf(t, err)
			got, err := part.take(t, there)
			if *carriedFrom != "" && err != nil && strings.Contains(err.Error(), "another order of bytes") {
				t.Skip(err) // a store of bbolt
			}
			if t.Log(got); err != nil || got != want {
				t.Errorf("it does  %s, %v\nand here %s", got, err, want)
			}
		})
	}
}

func failIf(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var (
	began = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	same  = []scxml.Option{scxml.WithSeed(1), scxml.WithSessionID("s")}
)

// begin starts a session of the chart many, and gives it events.
func begin(t *testing.T, options ...scxml.Option) (*scxml.Session, error) {
	chart, err := scxml.Parse("many.scxml", []byte(many))
	if err != nil {
		return nil, err
	}
	s, err := scxml.New(chart, append(options, scxml.WithClock(func() time.Time { return began }))...)
	if err != nil {
		return nil, err
	}
	if err := s.Start(t.Context()); err != nil {
		return nil, err
	}
	for _, ev := range []scxml.Event{{Name: "add", Data: map[string]any{"n": 0.3}}, {Name: "ask"}, {Name: "add", Data: map[string]any{"n": 1e15}}} {
		if _, err := s.Do(t.Context(), began, ev); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func leaveSession(t *testing.T, name string) error {
	s, err := begin(t, same...)
	if err != nil {
		return err
	}
	if err := s.Send(scxml.Event{Name: "ask"}); err != nil { // it stays in the queue
		return err
	}
	snapshot, err := s.Snapshot()
	if err != nil {
		return err
	}
	return os.WriteFile(name, snapshot, 0o666)
}

func takeSession(t *testing.T, name string) (string, error) {
	snapshot, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	chart, err := scxml.Parse("many.scxml", []byte(many))
	if err != nil {
		return "", err
	}
	s, err := scxml.Restore(chart, snapshot)
	if err != nil {
		return "", err
	}
	if again, err := s.Snapshot(); err != nil || !bytes.Equal(again, snapshot) {
		t.Errorf("%v, another snapshot:\n%s\n%s", err, again, snapshot)
	}
	if err := s.Advance(t.Context(), began.Add(time.Hour)); err != nil {
		return "", err
	}
	value, err := s.Eval(t.Context(), seen)
	return fmt.Sprintf("%v: %v", s.Configuration(), value), err
}

func leaveMachine(t *testing.T, name string) error {
	m := order.New(order.Hooks{})
	if err := m.Start(began); err != nil {
		return err
	}
	m.Send("pay", map[string]any{"amount": 0.7})
	snapshot, err := m.Snapshot()
	if err != nil {
		return err
	}
	return os.WriteFile(name, snapshot, 0o666)
}

func takeMachine(t *testing.T, name string) (string, error) {
	snapshot, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	m := order.New(order.Hooks{})
	if err := m.Restore(snapshot); err != nil {
		return "", err
	}
	m.Advance(began.Add(24 * time.Hour))
	m.Send("pay", map[string]any{"amount": 0.1})
	s, err := scxml.Restore(chartOfOrders(), snapshot)
	if err != nil {
		return "", err
	}
	err = s.Advance(t.Context(), began.Add(24*time.Hour))
	return fmt.Sprintf("%v %+v, %v", m.Configuration(), m.Data(), s.Configuration()), err
}

func leaveRecording(t *testing.T, name string) error {
	chart, err := scxml.Parse("many.scxml", []byte(many))
	if err != nil {
		return err
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	h, err := history.New(history.Config{Chart: chart, Options: same, Recording: file})
	if err != nil {
		return err
	}
	if _, err := begin(t, append(same, h.Option())...); err != nil {
		return err
	}
	return h.Close()
}

func takeRecording(t *testing.T, name string) (string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	rec, err := history.Open(bytes.NewReader(text))
	if err != nil {
		return "", err
	}
	chart, err := scxml.Parse("many.scxml", []byte(many))
	if err != nil {
		return "", err
	}
	options, err := rec.Options()
	if err != nil {
		return "", err
	}
	h, err := rec.Replay(t.Context(), history.Config{Chart: chart, Options: options}, false, nil) // compares the digests
	if err != nil {
		return "", err
	}
	s, err := h.Seek(t.Context(), h.Len()-1)
	if err != nil {
		return "", err
	}
	value, err := s.Eval(t.Context(), "sum")
	return fmt.Sprintf("%d: %v", h.Len(), value), err
}

func leaveGame(t *testing.T, name string) error {
	game := format.Game{Name: "carried", Givens: sudoku.Grid{{1, 2, 3}}, Progress: &format.Progress{
		Board: sudoku.Grid{{1, 2, 3, 4}}, Notes: format.Notes{{4: 1<<5 | 1<<9}}, Moves: []format.Move{{{Col: 3, Of: format.OfDigit, New: 4}}},
		Time: time.Hour + time.Millisecond, Mode: format.Paused, Snapshot: []byte(`{"version":1}`),
	}}
	line, err := format.Encode(&game)
	if err != nil {
		return err
	}
	return os.WriteFile(name, line, 0o666)
}

func takeGame(t *testing.T, name string) (string, error) {
	line, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	for game, err := range format.Read(name, bytes.NewReader(line)) {
		return fmt.Sprintf("%v %v %s", game.Progress.Moves, game.Progress.Time, game.Progress.Snapshot), err
	}
	return "", nil
}

func withStore(t *testing.T, name string, work func(context.Context, *fleet.Fleet) error) error {
	store, err := bolt.Open(name)
	if err != nil {
		return err
	}
	chart, err := scxml.Parse("many.scxml", []byte(many))
	if err != nil {
		return err
	}
	f, err := fleet.New(store, fleet.Config{Log: 10}, compiled.Define("order", chartOfOrders(), newOrder), fleet.Define("many", chart))
	if err != nil {
		return err
	}
	err = work(t.Context(), f)
	return errors.Join(err, f.Close(), store.Close())
}

func leaveStore(t *testing.T, name string) error {
	return withStore(t, name, func(ctx context.Context, f *fleet.Fleet) error {
		for i := range 40 {
			if err := f.Create(ctx, fmt.Sprint("order-", i), fleet.CreateOptions{Chart: "order"}); err != nil {
				return err
			}
		}
		if err := f.Create(ctx, "many", fleet.CreateOptions{Chart: "many"}); err != nil {
			return err
		}
		if _, err := f.Do(ctx, "many", scxml.Event{Name: "add", Data: map[string]any{"n": 0.3}}); err != nil {
			return err
		}
		_, err := f.Do(ctx, "order-7", scxml.Event{Name: "pay", Data: map[string]any{"amount": 0.7}})
		return err
	})
}

func takeStore(t *testing.T, name string) (got string, err error) {
	err = withStore(t, name, func(ctx context.Context, f *fleet.Fleet) error {
		paid, err := f.Do(ctx, "order-7", scxml.Event{Name: "pay", Data: map[string]any{"amount": 10}})
		if err != nil {
			return err
		}
		if _, err := f.Do(ctx, "many", scxml.Event{Name: "add", Data: map[string]any{"n": 0.3}}); err != nil {
			return err
		}
		state, err := f.Get(ctx, "order-7")
		if err != nil {
			return err
		}
		log, err := f.Log(ctx, "order-7", 0, 10)
		if err != nil {
			return err
		}
		sum, err := eval(ctx, f, "many", "sum + ' ' + Object.keys(others)")
		got = fmt.Sprint(paid.Configuration, state.Configuration, state.Data, len(log), sum)
		return err
	})
	return got, err
}
