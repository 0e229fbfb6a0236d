package graph

import (
	"testing"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/guard"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

type session struct{}

func (session) Interrupted() bool { return false }

// Guards are saved as what they guard, and look like it: name, length, text and properties.
func TestGuardsLookLikeTheLibrary(t *testing.T) {
	plain, vm, in := goja.New(), goja.New(), newInspector()
	var g guard.Guards
	g.Make(session{}, vm, &native.Library{VM: vm}, syntax.DefaultLimits, 1000, 1000)
	g.Raise(guard.All)
	for name, paths := range libraryPaths() {
		for _, path := range paths {
			before, now := in.resolve(plain, path), in.resolve(vm, path)
			if before == nil || now == nil {
				if before != now {
					t.Errorf("%s is not what it was", path)
				}
				continue
			}
			was, is := in.summary(before), in.summary(now)
			for key := range was {
				if was[key] != is[key] {
					t.Errorf("%s.%s: got %q, want %q", path, key, is[key], was[key])
				}
			}
			if len(was) != len(is) {
				t.Errorf("%s has %d properties, want %d", path, len(is), len(was))
			}
			if name != "" && in.textOf(now) != in.textOf(before) {
				t.Errorf("%s: got %s, want %s", path, in.textOf(now), in.textOf(before))
			}
		}
	}
}
