package scxml_test

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf16"

	"github.com/scxmlrun/scxmlrun/scxml"
)

var updateHostile = flag.Bool("hostile.update", false, "write the messages in testdata/hostile anew; read them aloud before you commit")

// TestHostileDocuments reads the documents of testdata/hostile, one file for each topic, and
// compares all diagnostics with the expected ones. It runs the documents that can be run, sends the
// event "e", and compares the error events too.
//
// "=== name" begins a document, ">>> " an expected line. "=== name (utf-16le)" encodes it. In a
// document, \head is the start tag of the root, \xNN a byte, and \{N text} N times the text.
func TestHostileDocuments(t *testing.T) {
	files, err := filepath.Glob("testdata/hostile/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	documents, messages := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(string(text), "=== ")
		for i, part := range parts[1:] {
			title, rest, _ := strings.Cut(part, "\n")
			source, want, _ := strings.Cut(rest, ">>> ")
			documents++
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+"/"+title, func(t *testing.T) {
				got := judge(t, hostileDocument(title, source))
				messages += len(got)
				if joined := strings.Join(got, "\n>>> "); *updateHostile {
					parts[i+1] = title + "\n" + source + ">>> " + joined + "\n\n"
				} else if joined != strings.TrimRight(want, "\n") {
					t.Errorf("got\n>>> %s\nwant\n>>> %s", joined, want)
				}
			})
		}
		if *updateHostile {
			if err := os.WriteFile(file, []byte(strings.TrimRight(strings.Join(parts, "=== "), "\n")+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d documents, %d messages", documents, messages)
	if documents < 200 {
		t.Errorf("%d documents: want 200 or more", documents)
	}
}

var (
	byteEscape   = regexp.MustCompile(`\\x[0-9A-F]{2}`)
	repeatEscape = regexp.MustCompile(`(?s)\\\{(\d+) (.*?)\\\}`)
)

// hostileDocument returns the bytes of a document.
func hostileDocument(title, source string) []byte {
	source = strings.TrimSuffix(source, "\n")
	source = strings.ReplaceAll(source, `\head`, `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`)
	source = repeatEscape.ReplaceAllStringFunc(source, func(s string) string {
		part := repeatEscape.FindStringSubmatch(s)
		n, _ := strconv.Atoi(part[1])
		return strings.Repeat(part[2], n)
	})
	source = byteEscape.ReplaceAllStringFunc(source, func(s string) string {
		n, _ := strconv.ParseUint(s[2:], 16, 8)
		return string([]byte{byte(n)})
	})
	_, encoding, _ := strings.Cut(title, " (")
	var order binary.ByteOrder = binary.LittleEndian
	switch encoding {
	default:
		return []byte(source)
	case "utf-16be)":
		order = binary.BigEndian
	case "utf-16le)":
	}
	var out []byte
	for _, unit := range utf16.Encode([]rune("\uFEFF" + source)) {
		out = append(out, 0, 0)
		order.PutUint16(out[len(out)-2:], unit)
	}
	return out
}

// judge returns what is wrong with a document: the diagnostics, or what happens when it runs.
func judge(t *testing.T, source []byte) (lines []string) {
	t.Helper()
	loader := scxml.WithLoader(fstest.MapFS{
		"latin.js": {Data: []byte("'\xE9'")}, "broken.js": {Data: []byte("function (")}, "folder/x.js": {Data: []byte("1")}, "data.json": {Data: []byte(`{"a": }`)},
		"other.scxml": {Data: []byte("<scxml")}, "throws.js": {Data: []byte("\nthrow new Error('no')")},
	})
	limits := scxml.WithLimits(scxml.Limits{ScriptTime: 200 * time.Millisecond, MacrostepTime: 400 * time.Millisecond, Microsteps: 100, InvokeDepth: 4, Sessions: 8, Timers: 8})
	diagnostics := scxml.Lint("f.scxml", source, scxml.LintOptions{}, loader, limits)
	checkPlaces(t, source, diagnostics)
	say := func(format string, args ...any) {
		const most, shown = 12, 300
		if len(lines) > most {
			return
		}
		line := fmt.Sprintf(format, args...)
		if len(line) > shown {
			line = line[:shown] + "…"
		}
		if len(lines) == most {
			line = "…"
		}
		quoted := strconv.QuoteToGraphic(line)
		lines = append(lines, strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`))
	}
	for _, d := range diagnostics {
		say("%s: %s: %s [%s]", strings.TrimPrefix(d.Pos.String(), "f.scxml:"), d.Severity, d.Message, d.Code)
	}
	chart, err := scxml.Parse("f.scxml", source, loader, limits)
	var refused *scxml.DocumentError
	if errors.As(err, &refused) {
		return lines
	}
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s, err := scxml.New(chart, scxml.WithMissing(), scxml.WithSeed(1), scxml.WithClock(func() time.Time { return now }), scxml.WithTrace(&scxml.Trace{
		Error: func(_ *scxml.Session, e *scxml.ExecutionError) {
			say("run %s: %s", e.Event, strings.TrimPrefix(e.Error(), "f.scxml:"))
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	err = s.Start(ctx)
	for i := 0; i < 20 && err == nil && s.Status() == scxml.Running; i++ {
		if i == 1 {
			_ = s.Send(scxml.Event{Name: "e"})
		}
		if due, ok := s.NextDue(); i > 1 && ok && due.Before(now.Add(time.Hour)) {
			now = due
		}
		_, err = s.Step(ctx, now)
	}
	if err != nil {
		say("run stops: %v", err)
	}
	if len(lines) == 0 {
		say("fine in %s", strings.Join(s.Configuration(), " "))
	}
	s.Stop()
	_, _ = s.Step(ctx, now)
	return lines
}
