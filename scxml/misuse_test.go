package scxml_test

import (
	"context"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

func TestNewWithoutChart(t *testing.T) {
	s, err := scxml.New(nil, scxml.WithData("x", 1))
	if s != nil || err == nil || err.Error() != "scxml: New: the chart is nil" {
		t.Errorf("got %v, %v", s, err)
	}
}

func TestStatusString(t *testing.T) {
	for status, want := range map[scxml.Status]string{scxml.Unstarted: "unstarted", scxml.Stopped: "stopped", 9: "Status(9)"} {
		if got := status.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The null data model has no values, but a host can ask what a chart can ask.
func TestEvalInNullDatamodel(t *testing.T) {
	chart, err := scxml.Parse("f", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null"><state id="a"/><state id="b"/></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := s.Start(ctx); err != nil {
		t.Fatal(err)
	}
	for expr, want := range map[string]datamodel.Value{"In(a)": true, "In('b')": false} {
		if got, err := s.Eval(ctx, expr); err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", expr, got, err, want)
		}
	}
	if v, err := s.Eval(ctx, "1 + 1"); err == nil || !strings.Contains(err.Error(), "has no value expressions") {
		t.Errorf("got %v, %v", v, err)
	}
}
