package fleet_test

import (
	"context"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// TestMissing: a fleet refuses a chart that uses what nobody gives, when the chart is defined.
func TestMissing(t *testing.T) {
	const service, send, call = `<invoke type="mail"/>`, `<onentry><send type="x-partner" event="e"/></onentry>`, `<onentry><script>price()</script></onentry>`
	invoker := scxml.InvokerFunc(func(context.Context, *scxml.Invocation) (any, error) { return nil, nil })
	deliver := func(context.Context, fleet.Delivery) error { return nil }
	for _, test := range []struct {
		state, want string
		cfg         fleet.Config
		opts        []scxml.Option
	}{
		{service, `service "mail" (1:76: Config.Services)`, fleet.Config{}, nil},
		{service, "", fleet.Config{Services: map[string]scxml.Invoker{"mail": invoker}}, nil},
		{service, "", fleet.Config{Services: map[string]scxml.Invoker{"*": invoker}}, nil},
		{service, "", fleet.Config{}, []scxml.Option{scxml.WithMissing()}},
		{send, `I/O processor "x-partner" (1:85: Config.Processors)`, fleet.Config{}, nil},
		{send, "", fleet.Config{Processors: map[string]fleet.Deliver{"x-partner": deliver}}, nil},
		{call, `function "price" (1:93: WithFunc)`, fleet.Config{}, nil},
		{call, "", fleet.Config{}, []scxml.Option{scxml.WithFunc("price", func() int { return 1 })}},
	} {
		chart := scxml.MustParse("c.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s">`+test.state+`</state></scxml>`))
		def := fleet.Define("c", chart, test.opts...)
		_, err := fleet.New(fleet.NewMemory(), test.cfg, def)
		f, newErr := fleet.New(fleet.NewMemory(), test.cfg)
		if newErr != nil {
			t.Fatal(newErr)
		}
		for _, err := range []error{err, f.Define(def), f.Keep(def)} {
			want := `cannot define chart "c": c.scxml uses what the host has not given: ` + test.want
			if err == nil && test.want != "" || err != nil && (test.want == "" || !strings.HasPrefix(err.Error(), want)) {
				t.Errorf("%s: got %v\nwant %s", test.state, err, want)
			}
		}
	}
}
