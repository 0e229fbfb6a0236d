package ecmascript

import (
	"slices"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// A reach is what code can get hold of. Before a store runs the code it defines
// the system variables and puts up the guards, so the code of most charts pays for
// none.
//
// A function of the library is reached by its name, or by a name that is
// computed at run time, which may be any. It may be reached in one evaluation
// and called in another, but it is the first that needs the guard: what is
// fetched afterwards is the guarded function.
type reach struct {
	facts   syntax.Facts
	system  systemSet
	guards  guardSet
	methods methodSet // methods of arrays, or of something else, that are spelled
	taken   []string  // methods of the library that are not called on the spot, but may become methods of something else
}

// computedReach is what code can get hold of by computed names.
var computedReach = reach{facts: syntax.Computes, guards: guardComputed}

// wordGuards are the guards for what has a certain name.
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
	} {
		for _, w := range words {
			m[w] |= g
		}
	}
	return m
}()

// factGuards are the guards for what code can do.
var factGuards = map[syntax.Facts]guardSet{
	syntax.Computes:  guardComputed,
	syntax.Proxies:   guardProxy,
	syntax.Calls:     guardJoin,
	syntax.Pauses:    guardKinds,
	syntax.Delegates: guardGenerator,
	syntax.Patterns:  guardPattern,
	syntax.Lengths:   guardLength,
	syntax.Catches:   guardError,
}

// name notes that a name occurs, of which the value is called at once or not.
func (r *reach) name(word string, called bool) {
	r.system |= systemWords[word]
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
	r.facts |= facts
	for fact, guards := range factGuards {
		if facts&fact != 0 {
			r.guards |= guards
		}
	}
}

// admit makes ready what code has in reach that is to run.
func (st *store) admit(r *reach) {
	if st.env.Facts |= r.facts; st.env.Facts&syntax.SeesGlobal != 0 {
		if st.env.Facts&syntax.Computes != 0 { // together it can get hold of everything
			st.admitAll()
			return
		}
		st.define(systemAll)
	}
	st.define(r.system)
	st.guard(r)
}

// admitAll is for code that nobody has looked at.
func (st *store) admitAll() {
	st.env.Facts = syntax.AllFacts
	st.define(systemAll)
	st.guard(&reach{guards: guardAll, methods: allMethods})
}
