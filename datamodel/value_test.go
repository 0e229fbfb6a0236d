package datamodel_test

import (
	"fmt"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Whoever prints data wants to see them, in whatever they lie.
func TestObjectString(t *testing.T) {
	inner := datamodel.NewObject("b", int64(1), "a", nil)
	got := fmt.Sprint(datamodel.NewObject("o", inner, "n", datamodel.Null), []datamodel.Value{inner})
	if want := `{"o":{"b":1,"a":undefined},"n":null} [{"b":1,"a":undefined}]`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// A service reads its params without asking whether the chart gave it any.
func TestNilObject(t *testing.T) {
	var o *datamodel.Object
	if v, ok := o.Get("a"); v != nil || ok || o.Len() != 0 {
		t.Errorf("got %v, %v, %d keys", v, ok, o.Len())
	}
	for k := range o.All() {
		t.Errorf("it has the key %q", k)
	}
	if got := o.String(); got != "{}" {
		t.Errorf("it is %s", got)
	}
}
