package dap_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	godap "github.com/google/go-dap"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
)

// record records a run of the shop, and returns the name of the file.
func record(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "shop.rec")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	chart, err := scxml.Parse("shop.scxml", []byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	options := []scxml.Option{scxml.WithSeed(1), scxml.WithClock(func() time.Time { return now })}
	note := history.Note{File: "shop.scxml", Files: map[string]string{"shop.scxml": shop}}
	h, err := history.New(history.Config{Chart: chart, Options: options, Recording: f, Note: note})
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart, append(options, h.Option())...)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := s.Start(ctx); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := s.Do(ctx, now.Add(time.Duration(i)*time.Minute), scxml.Event{Name: "buy", Data: i + 1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestRecording(t *testing.T) {
	c := connect(t)
	c.launch(object{"recording": record(t)})
	ask[*godap.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", object{"breakpoints": []object{{"name": "enter:paying", "condition": "total > 1"}}})
	ask[*godap.ConfigurationDoneResponse](c, "configurationDone", nil)
	for _, want := range []string{"3", "6"} {
		c.stopped("function breakpoint")
		if got := c.evaluate("watch", "total"); got != want {
			t.Errorf("total = %s, want %s", got, want)
		}
		ask[*godap.ContinueResponse](c, "continue", object{"threadId": 1})
	}
	if stop := c.stopped("pause"); !strings.HasPrefix(stop.Body.Description, "Ended") {
		t.Errorf("stopped: %+v", stop.Body)
	}
	// The document is in the recording, and on no disk.
	source := c.top().Source
	if source == nil || source.Path != "" || source.SourceReference == 0 {
		t.Fatalf("source: %+v", source)
	}
	if got := ask[*godap.SourceResponse](c, "source", object{"sourceReference": source.SourceReference}).Body.Content; got != shop {
		t.Errorf("the source is %q", got)
	}
	ask[*godap.ReverseContinueResponse](c, "reverseContinue", object{"threadId": 1})
	c.stopped("function breakpoint")
	if got := c.evaluate("watch", "total"); got != "6" {
		t.Errorf("total = %s", got)
	}
	c.refused("setExpression", object{"expression": "total", "value": "1"}, "a recording cannot be changed")
	c.refused("evaluate", object{"context": "repl", "expression": "send buy"}, "a recording cannot be changed")
	c.refused("evaluate", object{"context": "repl", "expression": "advance 1s"}, "advance")
}

// With another chart, the recorded events are given to that.
func TestRecordingOtherChart(t *testing.T) {
	c := connect(t)
	file := write(t, strings.Replace(shop, "total + _event.data", "total + 10 * _event.data", 1))
	c.launch(object{"recording": record(t), "program": file, "stopOnEntry": true})
	ask[*godap.ConfigurationDoneResponse](c, "configurationDone", nil)
	c.stopped("entry")
	ask[*godap.ContinueResponse](c, "continue", object{"threadId": 1})
	c.stopped("pause")
	if got := c.evaluate("watch", "total"); got != "60" {
		t.Errorf("total = %s", got)
	}
	if source := c.top().Source; source.Path != file {
		t.Errorf("source: %+v", source)
	}
}
