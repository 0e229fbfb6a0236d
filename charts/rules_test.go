package charts_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/service"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

var updateTraces = flag.Bool("update", false, "write the traces of the rules")

// Each rule of the game has a scenario: events, and what the chart does. Their host has the
// services if the name of the file begins with "service", and services that fail if it
// begins with "failing".
func TestSudokuRules(t *testing.T) {
	files, err := filepath.Glob("testdata/sudoku/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no scenarios", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			rule, events, ok := strings.Cut(string(text), "-- events --\n")
			events, want, _ := strings.Cut(events, "-- trace --\n")
			if !ok {
				t.Fatal("want a text, -- events -- and -- trace --")
			}
			opts := []scxml.Option{scxml.WithData("initState", without([2]int{0, 0}, [2]int{0, 1}, [2]int{3, 4}, [2]int{5, 5}, [2]int{5, 6}))}
			if strings.HasPrefix(filepath.Base(file), "service") {
				opts = append(opts, service.Options()...)
			}
			if strings.HasPrefix(filepath.Base(file), "failing") {
				opts = append(opts, services(func(_ context.Context, inv *scxml.Invocation) (any, error) {
					if inv.Type == "sudoku-generate" {
						return "nonsense", nil
					}
					return nil, errors.New("out of order")
				}))
			}
			trace, err := scxmltest.Replay(chartFiles(t), "sudoku.scxml", events, opts...)
			if err != nil {
				t.Fatal(err)
			}
			got := brief(t, trace)
			if *updateTraces {
				want = got
				if err := os.WriteFile(file, []byte(rule+"-- events --\n"+events+"-- trace --\n"+got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// services replaces all services.
func services(serve scxml.InvokerFunc) scxml.Option {
	return scxml.Options{
		scxml.WithInvoker("sudoku-generate", serve), scxml.WithInvoker("sudoku-hint", serve), scxml.WithInvoker("sudoku-solve", serve),
	}
}

// A service that has not answered is left by a move, a pause, and what else the player does.
// The game continues meanwhile.
func TestSudokuServiceIsLeft(t *testing.T) {
	for _, test := range []struct{ ask, leave, state string }{
		{"hint", "tap", "searching"}, {"hint", "stop", "searching"}, {"hint", "reveal", "searching"}, {"hint", "solve", "searching"},
		{"reveal", "tap", "revealing"}, {"reveal", "pause", "revealing"}, {"reveal", "solve", "revealing"},
		{"solve", "stop", "working"}, {"generate", "cancel", "generating"},
	} {
		ended := make(chan error, 2)
		progress := make(chan error, 2)
		h := newHost(t, services(func(ctx context.Context, inv *scxml.Invocation) (any, error) {
			progress <- inv.Send(scxml.Event{Name: "progress", Data: m{"tried": 1}})
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return nil, context.Cause(ctx)
		}))
		tried := 0
		h.game.OnSend("progress", func(scxml.Event) { tried++ })
		data := m{"x": 8, "y": 8, "delay": 100}
		send := func(name string) { // does not wait for the service
			if err := h.game.Send(scxml.Event{Name: name, Data: data}); err != nil {
				t.Fatal(err)
			}
			for more := true; more; {
				var err error
				if more, err = h.game.Step(t.Context(), time.Now()); err != nil {
					t.Fatal(err)
				}
			}
		}
		send("start")
		send(test.ask)
		if err := <-progress; err != nil || !h.game.In(test.state) {
			t.Fatalf("%s: got %v in %v", test.ask, err, h.game.Configuration())
		}
		send("progress") // of the host
		if test.ask == "generate" {
			if send("tap"); h.now().Current[8][8] != 1 || tried != 1 {
				t.Errorf("got %v, told %d times about progress", h.now().Current, tried)
			}
		}
		send(test.leave)
		if h.game.In(test.state) {
			t.Errorf("%s, %s: got %v", test.ask, test.leave, h.game.Configuration())
		}
		<-ended
	}
}

// chartFiles returns the chart and its script.
func chartFiles(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range []string{"sudoku.scxml", "sudoku.js"} {
		text, err := fs.ReadFile(charts.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	return files
}

// brief makes a trace readable: of grids it says what has changed, and it leaves out the
// start, internal events, and what the chart does with its own messages to the host.
func brief(t *testing.T, trace string) string {
	var out strings.Builder
	last := map[string]any{}
	own := true // the macrostep of an own message, or the first
	for line := range strings.Lines(trace) {
		line = strings.TrimSuffix(line, "\n")
		verb, rest, _ := strings.Cut(line, " ")
		name, data, _ := strings.Cut(rest, " ")
		message := strings.HasPrefix(name, "update") || slices.Contains([]string{"tick", "puzzle", "unavailable"}, name)
		switch {
		case verb == "event":
			own = message || name == "progress"
			if !own {
				fmt.Fprintf(&out, "\n%s\n", shortest(line))
			}
		case verb == "send" && strings.HasPrefix(name, "update") && strings.HasPrefix(data, "{"):
			var now map[string]any
			if err := json.Unmarshal([]byte(data), &now); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if text := changes(last, now); !own {
				fmt.Fprintf(&out, "%s %s%s\n", verb, name, text)
			}
			maps.Copy(last, now)
		case own, slices.Contains([]string{"stable", "internal", "transition", "raise"}, verb):
		default:
			fmt.Fprintln(&out, shortest(line))
		}
	}
	return strings.TrimPrefix(out.String(), "\n")
}

// shortest leaves out the end of a long line.
func shortest(line string) string {
	if len(line) > 200 {
		return line[:200] + "…"
	}
	return line
}

// changes says which fields of a message are others than before.
func changes(before, now map[string]any) (text string) {
	for _, name := range slices.Sorted(maps.Keys(now)) {
		was, is := fmt.Sprint(before[name]), fmt.Sprint(now[name])
		rows, isGrid := now[name].([]any)
		switch {
		case was == is:
		case name == "help":
			help := now[name].(map[string]any)
			text += fmt.Sprintf(" %v", help["found"])
			if technique, ok := help["technique"].(map[string]any); ok {
				text += fmt.Sprintf(" %v", technique["name"])
			}
		case !isGrid || len(rows) != 9:
			text += fmt.Sprintf(" %s=%s", name, is)
		case before[name] == nil && name != "currentState" && name != "initState":
			before[name] = make([]any, 9)
			for i := range 9 {
				before[name].([]any)[i] = make([]any, 9)
			}
			fallthrough
		default:
			text += gridChanges(name, before[name], rows)
		}
	}
	return text
}

func gridChanges(name string, before any, rows []any) (text string) {
	if before == nil {
		return " " + name
	}
	n := 0
	for x, row := range rows {
		for y, value := range row.([]any) {
			was, _ := before.([]any)[x].([]any)[y].(float64)
			is := value.(float64)
			if is == was {
				continue
			}
			n++
			if name == "currentState" || name == "initState" {
				text += fmt.Sprintf(" r%dc%d=%v", x+1, y+1, is)
				continue
			}
			set := ""
			for left := uint(is); left != 0; left &= left - 1 {
				set += fmt.Sprint(bits.TrailingZeros(left))
			}
			text += fmt.Sprintf(" %s r%dc%d=%s", name, x+1, y+1, set)
		}
	}
	if n > 8 {
		return fmt.Sprintf(" %s: %d cells", name, n)
	}
	if name == "initState" && n > 0 {
		return " puzzle" + text
	}
	return text
}
