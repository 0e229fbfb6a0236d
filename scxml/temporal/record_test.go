package temporal_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/temporal"
)

var histories = flag.String("histories", "testdata/histories", "folder of TestHistories")

// Histories of random charts, which another build has made on a server, replay with this one, and so do their
// recordings. TestRandomReplay of servertest writes them with -replay.write.
func TestHistories(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(*histories, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no histories, %v", err)
	}
	o := temporal.Options{
		Session:    []scxml.Option{scxml.WithAccept(func(string) bool { return true })},
		Activities: map[string]temporal.Activity{"job": nil, "mail": nil},
	}
	for _, file := range files {
		source, err := os.ReadFile(strings.TrimSuffix(file, ".json") + ".scxml")
		if err != nil {
			t.Fatal(err)
		}
		chart, err := scxml.Parse("test.scxml", source)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		h, err := client.HistoryFromJSON(text, client.HistoryJSONOptions{})
		text.Close()
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := temporal.Record(h, "random", chart, o, &out); err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		rec, err := history.Open(&out)
		if err != nil {
			t.Fatal(err)
		}
		if !rec.Marked(0) && !strings.HasPrefix(rec.SessionID, "random-") {
			t.Errorf("%s: the session's id is %q", file, rec.SessionID)
		}
		opts, err := rec.Options()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := rec.Replay(t.Context(), history.Config{Chart: chart, Options: append(opts, scxml.WithLimits(scxml.Limits{Microsteps: 10_000}))}, false, nil); err != nil {
			t.Errorf("%s: the recording does something else: %v", file, err)
		}
	}

	if err := temporal.Record(new(historypb.History), "random", parse(t, order), o, new(bytes.Buffer)); err == nil {
		t.Error("an empty history is recorded")
	}

	// What changes what a chart does is found.
	source, err := os.ReadFile(strings.TrimSuffix(files[0], ".json") + ".scxml")
	if err != nil {
		t.Fatal(err)
	}
	other, err := scxml.Parse("test.scxml", []byte(strings.ReplaceAll(string(source), "Math.random()", "Math.cos(1)")))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	h, err := client.HistoryFromJSON(text, client.HistoryJSONOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := temporal.Record(h, "random", other, o, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "no worker here has version") {
		t.Errorf("another chart: %v", err)
	}
}
