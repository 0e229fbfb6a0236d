package graph

import (
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// fails reports whether f panics.
func fails(f func()) (failed bool) {
	defer func() { failed = recover() != nil }()
	f()
	return false
}

// A host is a Session for data without functions.
type host struct{ Session }

func (host) SetProperty(o *goja.Object, key string, v goja.Value) { native.Must(o.Set(key, v)) }

func fresh() *World {
	vm := goja.New()
	return &World{Session: host{}, VM: vm, Lib: &native.Library{VM: vm}, Items: &fast.Items{}}
}

// Data that are not well-formed, or that goja refuses, take a new runtime. A fault of ours is not
// taken for either.
func TestPatchShowsFaults(t *testing.T) {
	const have = `{"format":1,"data":{"a":{"n":1},"s":"x\"y","l":[1,{"k":"v"}]}}`
	const want = `{"format":1,"data":{"a":{"n":2},"s":"x\\","l":[2,{"k":"w"},3]}}`
	start := func() *World {
		w := fresh()
		if err := Load(w, []byte(have), NewChart(nil)); err != nil {
			t.Fatal(err)
		}
		return w
	}
	if w := start(); !Patch(w, have, want, NewChart(nil)) {
		t.Fatal("the data cannot be patched")
	}
	for i := range want {
		Patch(start(), have, want[:i], NewChart(nil))
		Patch(start(), have, want[:i]+`"`+want[i+1:], NewChart(nil))
		Patch(start(), have, want[:i]+want[i+1:], NewChart(nil))
	}
	frozen := start()
	if _, err := frozen.VM.RunString("Object.freeze(a)"); err != nil {
		t.Fatal(err)
	}
	if Patch(frozen, have, want, NewChart(nil)) {
		t.Error("a frozen object has been changed")
	}
	w := start()
	w.Items = nil
	if !fails(func() { Patch(w, have, `{"format":1,"data":{"b":1}}`, NewChart(nil)) }) {
		t.Error("Patch hides a fault")
	}
}

func TestLoadShowsFaults(t *testing.T) {
	w := fresh()
	if _, err := w.VM.RunString("Object.defineProperty(this, 'x', {value: 1})"); err != nil {
		t.Fatal(err)
	}
	if err := Load(w, []byte(`{"format":1,"data":{"x":2}}`), NewChart(nil)); err == nil || !strings.Contains(err.Error(), "offset 25: TypeError") {
		t.Errorf("got %v, want a TypeError", err)
	}
	w.Items = nil
	if !fails(func() { Load(w, []byte(`{"format":1,"data":{"y":2}}`), NewChart(nil)) }) {
		t.Error("Load hides a fault")
	}
}

func TestLexicalShowsFaults(t *testing.T) {
	w := fresh()
	w.VM.RunString("let dead = dead")
	s := &saver{World: w}
	if _, state := s.lexical("dead"); state != lexicalDead {
		t.Errorf("a let without a value has the state %d", state)
	}
	if err := w.VM.Set("x", 1); err != nil {
		t.Fatal(err)
	}
	if !fails(func() { s.lexical("x") }) { // without inspectors
		t.Error("lexical hides a fault")
	}
}
