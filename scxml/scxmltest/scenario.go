package scxmltest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

var update = flag.Bool("scxmltest.update", false, "write the traces that scenarios produce into their files")

// RunFiles runs every scenario that matches pattern (see [filepath.Glob]) as a subtest of t. It
// fails if none matches.
func RunFiles(t *testing.T, pattern string, opts ...scxml.Option) {
	t.Helper()
	needCover(t)
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	if len(files) == 0 {
		t.Fatalf("no scenario matches %s", pattern)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		t.Run(name, func(t *testing.T) { runFile(t, file, opts) })
	}
}

func runFile(t *testing.T, file string, opts []scxml.Option) {
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a := parseArchive(source)
	got, err := Replay(a.fsys(), "chart.scxml", string(a.file("events")), opts...)
	if err != nil {
		t.Fatal(err)
	}
	want := string(a.file("trace"))
	if got == want {
		return
	}
	if *update {
		a.set("trace", []byte(got))
		if err := os.WriteFile(file, a.format(), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s: the trace differs (- want, + got)\n%s", file, diff(want, got))
}

// Replay runs the document name in fsys on a virtual clock and returns its trace. Each line of
// events is one of
//
//	NAME [JSON]       send an external event, and do all resulting work
//	advance DURATION  advance the time, for example by 1.5s (see [time.ParseDuration])
//	stop              stop the session
//
// Blank lines and lines that begin with # are skipped. After a stop the other lines are ignored. The
// error says why the chart cannot run at all; errors in the chart are part of the trace. The session
// has the id "session" and the seed 1; opts are for anything else it needs, such as functions.
func Replay(fsys fstest.MapFS, name, events string, opts ...scxml.Option) (string, error) {
	chart, err := scxml.Load(fsys, name)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	clock := new(Clock)
	opts = append([]scxml.Option{
		scxml.WithClock(clock.Now), scxml.WithSeed(1), scxml.WithSessionID("session"), scxml.WithTrace(NewTrace(&out)), WithCover(),
	}, opts...)
	s, err := scxml.New(chart, opts...)
	if err != nil {
		return "", err
	}
	ctx := context.Background()
	err = s.Start(ctx)
	if err == nil {
		err = clock.Advance(ctx, s, 0)
	}
	for i, line := range strings.Split(events, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || err != nil {
			continue
		}
		var wait time.Duration
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "advance":
			if wait, err = time.ParseDuration(strings.TrimSpace(rest)); err != nil {
				return "", fmt.Errorf("events line %d: %w", i+1, err)
			}
			if wait < 0 {
				return "", fmt.Errorf("events line %d: cannot advance by a negative time: %v", i+1, wait)
			}
		case "stop":
			s.Stop()
		default:
			ev := scxml.Event{Name: word}
			if rest = strings.TrimSpace(rest); rest != "" {
				if ev.Data, err = datamodel.ParseJSON([]byte(rest)); err != nil {
					return "", fmt.Errorf("events line %d: %w", i+1, err)
				}
			}
			if sendErr := s.Send(ev); sendErr != nil {
				fmt.Fprintf(&out, "%v\n", sendErr)
			}
		}
		err = clock.Advance(ctx, s, wait)
	}
	if err != nil {
		fmt.Fprintf(&out, "%v\n", err)
	}
	return out.String(), nil
}

// diff shows where two texts begin to differ, line by line.
func diff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	same := 0
	for same < len(w) && same < len(g) && w[same] == g[same] {
		same++
	}
	var b strings.Builder
	for _, line := range w[max(0, same-3):same] {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	for _, line := range w[same:min(len(w), same+10)] {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	for _, line := range g[same:min(len(g), same+10)] {
		fmt.Fprintf(&b, "+ %s\n", line)
	}
	return b.String()
}
