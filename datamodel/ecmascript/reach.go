package ecmascript

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// A reach is what code can get hold of in the library, as far as that concerns
// the guards of guards.go. A store puts up those guards before it runs the
// code, so the code of most charts pays for none.
//
// A function of the library is reached by its name, or by a name that is
// computed at run time, which may be any. It may be reached in one evaluation
// and called in another, but it is the first that needs the guard: what is
// fetched afterwards is the guarded function.
type reach struct {
	guards  guardSet
	methods methodSet // methods of arrays, or of something else, that are spelled
	taken   []string  // methods of the library that are not called on the spot, but may become methods of something else

	// The code computes the name of a property, but can neither call what it
	// finds nor keep it anywhere: only its result can be a function.
	reads bool
}

// wordGuards are the guards for what has a certain name, and the system variables.
var wordGuards = func() map[string]guardSet {
	m := map[string]guardSet{}
	for g, words := range map[guardSet][]string{
		guardEval:                {"eval"},
		guardFunction:            {"Function", "constructor"},
		guardJSON:                {"JSON"},
		guardJoin:                {"join", "toLocaleString"},
		guardFlat:                {"flat"},
		guardArray:               {"fill", "concat", "from"},
		guardString:              {"repeat", "padStart", "padEnd", "concat"},
		guardMatch:               {"match", "matchAll", "search"},
		guardPattern:             {"RegExp"},
		guardBuffer:              append(slices.Clone(typedArrays), "ArrayBuffer"),
		guardBind:                {"bind"},
		guardError:               append(slices.Clone(errorClasses), "then", "catch"),
		guardLength:              {"call", "Proxy", "setPrototypeOf", "__proto__", "create", "constructor"},
		guardApply | guardLength: {"apply", "Reflect"},
		systemEvent:              {sysEvent},
		systemID:                 {sysSessionID},
		systemName:               {sysName},
		systemIO:                 {sysIO},
		systemPlatform:           {sysPlatform},
		systemIn:                 {predicateIn},
	} {
		for _, w := range words {
			m[w] |= g
		}
	}
	return m
}()

// factGuards are the guards for what code can do.
var factGuards = map[syntax.Facts]guardSet{
	syntax.SeesGlobal: seesGlobal,
	syntax.Computes:   guardComputed,
	syntax.Accessors:  accessors,
	syntax.Deletes:    deletes,
	syntax.Proxies:    guardProxy,
	syntax.Calls:      guardJoin,
	syntax.Pauses:     guardKinds,
	syntax.Delegates:  guardGenerator,
	syntax.Patterns:   guardPattern,
	syntax.Lengths:    guardLength,
	syntax.Catches:    guardError,
}

// name notes that a name occurs, of which the value is called at once or not.
func (r *reach) name(word string, called bool) {
	r.guards |= wordGuards[word]
	if i := slices.Index(arrayMethods[:], word); i >= 0 {
		r.methods |= 1 << i
	}
	if !called && methodHolders()[word] != nil && !slices.Contains(r.taken, word) {
		r.taken = append(r.taken, word)
	}
}

// add notes what else code can do.
func (r *reach) add(facts syntax.Facts) {
	for fact, guards := range factGuards {
		if facts&fact != 0 {
			r.guards |= guards
		}
	}
	r.reads = facts&syntax.Reads != 0
}
