package isolate_test

import (
	"errors"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

// A child does what Child was given, and what goes wrong has a name.
func TestWork(t *testing.T) {
	tenant, err := newPool(t, isolate.Config{}).Tenant(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tenant.Close()
	spec := isolate.Spec{Name: "c.scxml", Source: document(`<state id="s"/>`)}
	chart, err := scxml.Parse(spec.Name, spec.Source)
	if err != nil {
		t.Fatal(err)
	}
	if made, err := tenant.Work(t.Context(), "hash", spec); err != nil || string(made) != chart.Hash() {
		t.Errorf("%q, %v; want %q", made, err, chart.Hash())
	}
	if _, err := tenant.Work(t.Context(), "other", spec); err == nil || err.Error() != `Child was not given a Work "other"` {
		t.Errorf("a work that is not there: %v", err)
	}
	refused := new(scxml.DocumentError)
	if _, err := tenant.Work(t.Context(), "hash", isolate.Spec{Name: "bad.scxml", Source: []byte("<")}); !errors.As(err, &refused) {
		t.Errorf("a document that is not one: %v", err)
	}
	died := new(isolate.Error)
	if _, err := tenant.Work(t.Context(), "crash", spec); !errors.As(err, &died) {
		t.Errorf("a work that ends the child: %v", err)
	}
}
