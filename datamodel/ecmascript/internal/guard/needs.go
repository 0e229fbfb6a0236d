package guard

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// Needs are the guards that have to be up before code runs.
//
// A function of the library is reached by its name, or by a name that is
// computed at run time, which may be any. It may be reached in one evaluation
// and called in another, but it is the first that needs the guard: what is
// fetched afterwards is the guarded function.
type Needs struct {
	set     set
	methods methodSet // methods of arrays, or of something else, that are spelled
	taken   []string  // methods of the library that are not called on the spot, but may become methods of something else
}

// What code needs that gets hold of something by computed names, and what puts
// arrays into arrays; and what code needs that nobody has looked at.
var (
	Computed = Needs{set: guardComputed}
	Joins    = Needs{set: guardJoin}
	All      = Needs{set: guardAll, methods: allMethods}
)

// wordGuards are the guards for what has a certain name.
var wordGuards = func() map[string]set {
	m := map[string]set{}
	for g, words := range map[set][]string{
		guardEval:                {"eval"},
		guardFunction:            {"Function", "constructor"},
		guardJSON:                {"JSON"},
		guardJoin:                {"join", "toLocaleString"},
		guardFlat:                {"flat"},
		guardArray:               {"fill", "concat", "from"},
		guardString:              {"repeat", "padStart", "padEnd", "concat"},
		guardMatch:               {"match", "matchAll", "search"},
		guardPattern:             {"RegExp"},
		guardBuffer:              append(slices.Clone(native.TypedArrays), "ArrayBuffer"),
		guardBind:                {"bind"},
		guardError:               append(slices.Clone(errorClasses), "then", "catch"),
		guardLength:              {"call", "Proxy", "setPrototypeOf", "__proto__", "create", "constructor"},
		guardApply | guardLength: {"apply", "Reflect"},
	} {
		for _, w := range words {
			m[w] |= g
		}
	}
	return m
}()

// factGuards are the guards for what code can do.
var factGuards = map[syntax.Facts]set{
	syntax.Computes:  guardComputed,
	syntax.Proxies:   guardProxy,
	syntax.Calls:     guardJoin,
	syntax.Pauses:    guardKinds,
	syntax.Delegates: guardGenerator,
	syntax.Patterns:  guardPattern,
	syntax.Lengths:   guardLength,
	syntax.Catches:   guardError,
}

// Name notes that a name occurs, of which the value is called at once or not.
func (n *Needs) Name(word string, called bool) {
	n.set |= wordGuards[word]
	if i := slices.Index(arrayMethods[:], word); i >= 0 {
		n.methods |= 1 << i
	}
	if !called && methodHolders()[word] != nil && !slices.Contains(n.taken, word) {
		n.taken = append(n.taken, word)
	}
}

// Add notes what else code can do.
func (n *Needs) Add(facts syntax.Facts) {
	for fact, guards := range factGuards {
		if facts&fact != 0 {
			n.set |= guards
		}
	}
}
