package mutate_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/mutate"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/suite"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// Generated scenarios kill at least 90 % of the mutants of the charts of the examples.
func TestGeneratedSuitesKill(t *testing.T) {
	for _, test := range []struct{ file, data string }{
		{"ticker/ticker.scxml", `{}`},
		{"trafficlight/trafficlight.scxml", `{}`},
		{"pool/pool.scxml", `{}`},
		{"device/device.scxml", `{"sense": {"temperature": [85, 91, 95, 125], "water": [10, 30, 60], "tray": [true, false]}}`},
		{"shop/shop.scxml", `{"add": {"item": ["tea", "cake", "soap"]}}`},
		{"orders/orders.scxml", `{"pay": {"card": ["4711", 4]}, "parcel.sent": {"number": 1},
			"payment.accepted": {"key": ["session/1", "session/0"]}, "payment.declined": {"key": ["session/1", "session/0"]}}`},
		{"bot/complaint.scxml", `{"hear": {"text": ["cold", "the pizza is cold today"]}}`},
		{"bot/pizza.scxml", `{"hear": {"text": ["funghi", "nothing"]}}`},
		{"bot/bot.scxml", `{"hear": {"text": ["pizza", "cold", "bye", "stop", "funghi", "a late funghi pizza please"]}}`},
	} {
		t.Run(filepath.Base(test.file), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("../../../../examples", test.file)
			folder := os.DirFS(filepath.Dir(file))
			chart, err := scxml.Load(folder, filepath.Base(file))
			if err != nil {
				t.Fatal(err)
			}
			data, err := explore.ParseData([]byte(test.data))
			if err != nil {
				t.Fatal(err)
			}
			session := []scxml.Option{scxml.WithOutbox(scxml.Outbox{Processors: []string{"x-partner"}})}
			opts := explore.Options{Session: session, Data: data, MaxStates: 1000}
			made, err := suite.Cover(t.Context(), chart, opts, "never", suite.Pairs, suite.Guards)
			if err != nil {
				t.Fatal(err)
			}
			var tests []mutate.Test
			for _, s := range made.Scenarios {
				if err := suite.Fill(t.Context(), s, chart, session...); err != nil {
					t.Fatal(err)
				}
				tests = append(tests, mutate.Test{Name: s.Events, Passes: func(ctx context.Context, mutant *scxml.Chart) (bool, error) {
					result, err := s.Run(ctx, mutant, session...)
					return err == nil && len(result.Failures) == 0, err
				}})
			}
			opts.MaxStates = 300
			opts.Assume = []string{"services"}
			report, err := mutate.Run(t.Context(), chart, tests, mutate.Options{Explore: opts, Parse: func(name string, source []byte) (*scxml.Chart, error) {
				return scxml.Parse(name, source, scxml.WithLoader(folder))
			}})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d mutants, %d tests: %d killed, %d missed, %d equivalent, %d unknown: %.1f %%", len(report.Results), len(tests), report.Count(mutate.Killed),
				report.Count(mutate.Missed), report.Count(mutate.Equivalent), report.Count(mutate.Unknown), 100*report.Rate())
			if len(report.Results) < 5 || report.Rate() < 0.9 {
				t.Errorf("the tests kill %.1f %%: want 90", 100*report.Rate())
				for _, r := range report.Results {
					if r.Outcome == mutate.Missed || r.Outcome == mutate.Unknown {
						t.Log(r.Outcome, r.Bound, r.Mutant)
					}
				}
			}
		})
	}
}
