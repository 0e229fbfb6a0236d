package scxml_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/scxmlrun/scxmlrun/scxml"
)

var mutations = flag.Int("mutations", 2000, "TestMutatedCharts: number of damaged documents")

// goodCharts are the charts of the scenarios, with their events, and other documents.
func goodCharts(t testing.TB) (charts [][]byte, events []string) {
	t.Helper()
	files, err := filepath.Glob("testdata/scenario/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		chart, names := []byte(nil), ""
		for _, f := range archive.Files {
			switch {
			case strings.HasSuffix(f.Name, ".scxml") && chart == nil:
				chart = f.Data
			case f.Name == "events":
				names = string(f.Data)
			}
		}
		charts, events = append(charts, chart), append(events, names)
	}
	for _, pattern := range []string{"../charts/*.scxml", "../conformance/documents/*.scxml", "internal/doc/testdata/*.scxml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no documents %s: %v", pattern, err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			charts, events = append(charts, source), append(events, "e\nt\n")
		}
	}
	return charts, events
}

// tight are limits that end every run soon.
var tight = scxml.Limits{
	DocumentSize: 1 << 17, Microsteps: 200, InternalQueue: 200, ExternalQueue: 200, Timers: 100, InvokeDepth: 3, Sessions: 10, DataSize: 1 << 16,
	ForeachItems: 1000, ScriptTime: 100 * time.Millisecond, MacrostepTime: 200 * time.Millisecond, CallDepth: 100, LogSize: 1 << 16,
}

// tryOut reads a document, whatever it is, and runs what can be run: all diagnostics have a place
// in the document, the session keeps its invariants, and what can be saved can be restored.
func tryOut(t *testing.T, source []byte, events string) (runs bool) {
	t.Helper()
	chart, err := scxml.Parse("f.scxml", source, scxml.WithLimits(tight))
	var refused *scxml.DocumentError
	switch {
	case errors.As(err, &refused):
		checkPlaces(t, source, refused.Diagnostics)
	case err != nil:
		t.Fatal(err)
	}
	checkPlaces(t, source, scxml.Lint("f.scxml", source, scxml.LintOptions{Portable: scxml.Engines()}, scxml.WithLimits(tight)))
	if chart == nil {
		return false
	}
	checkPlaces(t, source, chart.Warnings())
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s, err := scxml.New(chart, scxml.WithMissing(), scxml.WithClock(func() time.Time { return now }), scxml.WithSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	err = s.Start(ctx)
	names := strings.Fields(events)
	for i := 0; i < 30 && err == nil; i++ {
		if err := s.CheckInvariants(false); err != nil {
			t.Fatal(err)
		}
		if i == 5 {
			checkSaved(t, chart, s)
		}
		if i < len(names) {
			_ = s.Send(scxml.Event{Name: names[i]}) // not each word is the name of an event
		} else if due, ok := s.NextDue(); ok {
			now = due
		}
		_, err = s.Step(ctx, now)
	}
	var limit *scxml.LimitError
	if err != nil && !errors.As(err, &limit) && !errors.Is(err, scxml.ErrStopped) && ctx.Err() == nil {
		t.Fatal(err)
	}
	s.Stop()
	_, _ = s.Step(ctx, now)
	return true
}

// checkPlaces checks that each diagnostic is complete and has a place in the document.
func checkPlaces(t *testing.T, source []byte, diagnostics []scxml.Diagnostic) {
	t.Helper()
	lines := bytes.Count(source, []byte("\n")) + bytes.Count(source, []byte("\r")) + 1
	for _, d := range diagnostics {
		if d.Pos.File != "f.scxml" && d.Pos.Line > 0 && d.Code != "" {
			continue // in a file that the document loads
		}
		if d.Code == "" || d.Message == "" || d.Pos.File != "f.scxml" || d.Pos.Line < 1 || d.Pos.Line > lines || d.Pos.Col < 1 || d.Pos.Col > len(source)+1 {
			t.Fatalf("a diagnostic without a place in the document of %d lines: %+v", lines, d)
		}
	}
}

// checkSaved checks that a snapshot of s is the snapshot of the session restored from it.
func checkSaved(t *testing.T, chart *scxml.Chart, s *scxml.Session) {
	t.Helper()
	saved, err := s.Snapshot()
	if err != nil {
		return // functions with state, for example, cannot be saved
	}
	r, err := scxml.Restore(chart, saved)
	if err != nil {
		t.Fatalf("Restore: %v\n%s", err, saved)
	}
	again, err := r.Snapshot()
	if err != nil || !bytes.Equal(again, saved) {
		t.Fatalf("the second snapshot differs, %v\n%s\n%s", err, saved, again)
	}
}

// piece is a token of a document: a tag, the name or value of an attribute, an entity, or text.
var piece = regexp.MustCompile(`<[!?/]?[\w:.-]*|/?>|[\w:.-]+|"[^"]*"|'[^']*'|&[#\w]*;|\s+|.`)

var quoted = regexp.MustCompile(`"[^"]*"`)

// mutate damages a document in one to four places: pieces are dropped, doubled, exchanged, taken
// from another document, cut, or replaced by odd text, and attributes get values of others.
func mutate(rng *rand.Rand, source, other []byte) []byte {
	odd := []string{
		"", "<", ">", "&", "&#0;", "&x;", "]]>", "<![CDATA[", "<!--", "-->", "<?", "\x00", "\xff", "\u2028", "\r", "\"", "'", "=", "<state", "</state>",
		`id=""`, "-1", "1e999s", "..", "*", "done.state.x", "error.", "_event", "__proto__", "In(", "}", "(((((((", strings.Repeat("x", 5000),
		`<!DOCTYPE a [<!ENTITY b "c">]>`, "xmlns=''", "xmlns:scxml='http://www.w3.org/2005/07/scxml'",
	}
	pieces, values := piece.FindAll(source, -1), quoted.FindAll(other, -1)
	for range 1 + rng.IntN(4) {
		i, j := rng.IntN(len(pieces)), rng.IntN(len(pieces))
		switch rng.IntN(14) {
		default: // well-formed as before
			for k := range pieces {
				if p := &pieces[(i+k)%len(pieces)]; quoted.Match(*p) {
					*p = values[rng.IntN(len(values))]
					break
				}
			}
		case 0:
			pieces[i] = nil
		case 1:
			pieces[i] = bytes.Repeat(pieces[i], 2)
		case 2:
			pieces[i], pieces[j] = pieces[j], pieces[i]
		case 3:
			all := piece.FindAll(other, -1)
			pieces[i] = all[rng.IntN(len(all))]
		case 4:
			pieces[i] = []byte(odd[rng.IntN(len(odd))])
		case 5:
			i, j = min(i, j), max(i, j)
			pieces[i] = bytes.Join(pieces[i:min(j, i+50)], nil) // a part twice
		case 6:
			if rng.IntN(4) == 0 {
				pieces = pieces[:i+1] // the rest is missing
			}
		}
	}
	return bytes.Join(pieces, nil)
}

// TestMutatedCharts reads and runs damaged documents. -mutations says how many.
func TestMutatedCharts(t *testing.T) {
	charts, events := goodCharts(t)
	runs, slowest := 0, time.Duration(0)
	for seed := range uint64(*mutations) {
		rng := rand.New(rand.NewPCG(seed, 9))
		i := rng.IntN(len(charts))
		source := mutate(rng, charts[i], charts[rng.IntN(len(charts))])
		func() {
			defer func() {
				if p := recover(); p != nil || t.Failed() {
					t.Fatalf("seed %d: %v\n%s", seed, p, source)
				}
			}()
			start := time.Now()
			if tryOut(t, source, events[i]) {
				runs++
			}
			slowest = max(slowest, time.Since(start))
		}()
	}
	t.Logf("%d documents, %d of them ran; the slowest took %v", *mutations, runs, slowest)
	if runs < *mutations/20 {
		t.Errorf("only %d of %d documents could be run", runs, *mutations)
	}
}

// FuzzSession is TestMutatedCharts for Go's fuzzer, without its choice of mutations.
func FuzzSession(f *testing.F) {
	charts, events := goodCharts(f)
	for i := range charts {
		f.Add(charts[i], events[i])
	}
	f.Fuzz(func(t *testing.T, source []byte, events string) { tryOut(t, source, events) })
}
