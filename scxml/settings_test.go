package scxml_test

import (
	"context"
	"encoding/xml"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/null"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// SettingsOf names every option, so that a package that cannot carry one out can refuse it.
func TestSettingsNameEveryOption(t *testing.T) {
	key := make([]byte, 32)
	for name, opt := range map[string]scxml.RestoreOption{
		"WithLimits": scxml.WithLimits(scxml.Strict()), "WithData": scxml.WithData("x", 1), "WithClock": scxml.WithClock(time.Now),
		"WithSeed": scxml.WithSeed(0), "WithLogger": scxml.WithLogger(slog.Default()), "WithTrace": scxml.WithTrace(&scxml.Trace{}),
		"WithWake": scxml.WithWake(func(*scxml.Session) {}), "WithSessionID": scxml.WithSessionID("id"), "WithConfiguration": scxml.WithConfiguration(),
		"WithAccept":      scxml.WithAccept(func(string) bool { return true }),
		"WithIOProcessor": scxml.WithIOProcessor("x", nil), "WithInvoker": scxml.WithInvoker("x", nil),
		"WithAction": scxml.WithAction(xml.Name{}, nil), "WithFunc": scxml.WithFunc("f", func() {}),
		"WithRouter": scxml.WithRouter(new(scxml.Directory)), "WithSnapshotKey": scxml.WithSnapshotKey(key),
		"WithTimers":    scxml.WithTimers(scxml.StartAnew),
		"WithOutbox":    handsOut,
		"WithMigration": scxml.WithMigration(func(s []byte, _ *scxml.Chart) ([]byte, error) { return s, nil }),
	} {
		if s, err := scxml.SettingsOf(nil, opt); err != nil || !slices.Equal(s.Used, []string{name}) {
			t.Errorf("%s is called %q, %v", name, s.Used, err)
		}
	}
	s, err := scxml.SettingsOf([]scxml.ChartOption{scxml.WithLoader(fstest.MapFS{}), scxml.WithLanguage(null.New()), scxml.WithLimits(scxml.Limits{Timers: 1})})
	if want := []string{"WithLoader", "WithLanguage", "WithLimits"}; err != nil || !slices.Equal(s.Used, want) || s.ChartLimits.Timers != 1 {
		t.Errorf("got %q, %v", s.Used, err)
	}
	if s, err := scxml.SettingsOf(nil); err != nil || s.Used != nil || s.Clock == nil {
		t.Errorf("without options: %+v, %v", s, err)
	}
}

func TestSettingsConvertValuesAndFunctions(t *testing.T) {
	s, err := scxml.SettingsOf(nil, scxml.WithData("grid", [2]int{1, 2}), scxml.WithFunc("repeat", strings.Repeat))
	if err != nil {
		t.Fatal(err)
	}
	if got := datamodel.Text(s.Data[0].Value); got != "[1,2]" {
		t.Error(got)
	}
	v, err := s.Funcs[0].Call(context.Background(), []datamodel.Value{"ab", int64(2)})
	if v != "abab" || err != nil {
		t.Errorf("got %v, %v", v, err)
	}
	if _, err := scxml.SettingsOf(nil, scxml.WithData("c", make(chan int))); err == nil || !strings.Contains(err.Error(), `WithData: data "c"`) {
		t.Error(err)
	}
	if _, err := scxml.SettingsOf(nil, scxml.WithFunc("f", 1)); err == nil || !strings.Contains(err.Error(), `WithFunc: "f": int is not a function`) {
		t.Error(err)
	}
}
