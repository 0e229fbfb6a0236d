package ecmascript_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// libraryWalk makes a list of all objects of the library, and a function that describes them.
const libraryWalk = `
var names = Reflect.ownKeys(globalThis)
var objects = [globalThis, [][Symbol.iterator](), new Map().entries(), new Set().values(), ''[Symbol.iterator](), /a/[Symbol.matchAll]('')]
	.map((o, i) => i ? Object.getPrototypeOf(o) : o).concat(function* () {}, async function () {})
var known = new Map(objects.map((o, i) => [o, i]))
var walked = {keys: Reflect.ownKeys, of: Reflect.getOwnPropertyDescriptor, proto: Reflect.getPrototypeOf, open: Reflect.isExtensible}
var mapGet = known.get.bind(known), mapSet = known.set.bind(known)
function number(v) {
	if (typeof v !== 'object' && typeof v !== 'function' || v === null) return typeof v + String(v)
	if (mapGet(v) === undefined) { mapSet(v, objects.length); objects[objects.length] = v }
	return '#' + mapGet(v)
}
function describe() {
	var list = [], n = 0
	for (var i = 0; i < objects.length; i++) {
		list[n++] = walked.open(objects[i]) + number(walked.proto(objects[i]))
		var keys = walked.keys(objects[i])
		for (var k = 0; k < keys.length; k++) {
			if (i == 0 && !builtin[keys[k]]) continue // a variable
			var d = walked.of(objects[i], keys[k])
			list[n++] = keys[k]
			list[n++] = '' + d.writable + d.configurable + d.enumerable + number(d.value) + number(d.get) + number(d.set)
		}
	}
	return list
}
function same() {
	var after = describe()
	for (var i = 0; i < after.length; i++) if (after[i] !== before[i]) return false
	return after.length == before.length
}
var before, builtin = {}
for (var k = 0; k < names.length; k++) builtin[names[k]] = Object.getOwnPropertyDescriptor(globalThis, names[k]).configurable
before = describe()`

var (
	watchedCalls = flag.Int("watched.calls", 5, "how often TestWatchedLibrary calls each function")
	watchedEvery = flag.Int("watched.every", 13, "how many objects of the library have one that TestWatchedLibrary looks at")
)

// TestWatchedLibrary: whatever a function of the library gets, a store that watches notes it if that changes
// an object of the library. A constructor may return one.
func TestWatchedLibrary(t *testing.T) {
	values := []string{"parseInt", "Math", "Array.prototype", "RegExp.prototype", "Map", "globalThis", "function () { return Math }", "function () { return parseInt }",
		"class extends Array { constructor() { return Math } }", "'q'", "'max'", "'global'", "1", "0", "null", "undefined", "{value: 1, configurable: true}", "[1, 2]", "[Math, parseInt]", "{length: 1, 0: 5}",
		"Object.assign([1, 2], {constructor: {[Symbol.species]: function () { return Math }}})", "new Proxy(Math, {})", "() => 1", "'lastIndex'", "Symbol.iterator"}
	random := rand.New(rand.NewPCG(1, 2))
	value := func() string { return values[random.IntN(len(values))] }
	call := func() string {
		args := strings.Join([]string{value(), value(), value(), value()}[:random.IntN(5)], ", ")
		if random.IntN(4) == 0 {
			return fmt.Sprintf("Reflect.construct(f, [%s], %s)", args, value())
		}
		return fmt.Sprintf("Reflect.apply(f, %s, [%s])", value(), args)
	}
	// try reports whether calls of the library's function of a number change it, and whether that was noted.
	host := newHost()
	try := func(number int, calls ...string) (name string, changed, noted bool) {
		st := newStoreOf(t, host)
		watched := st.Store.(datamodel.Looker)
		watched.Watch()
		st.run(libraryWalk)
		if looks := watched.Looks(); looks&datamodel.LookLibrary != 0 {
			t.Fatal("looking at the library changes it")
		}
		var b strings.Builder
		for _, c := range calls {
			fmt.Fprintf(&b, "try { f = objects[%d]; (%s) } catch (e) {}\n", number, c)
		}
		host.limit = time.Second
		_ = st.Run(expr(datamodel.Script, "var f; if (typeof objects["+fmt.Sprint(number)+"] == 'function') {"+b.String()+"}")) // it may take too long
		host.limit = time.Minute
		noted = watched.Looks()&datamodel.LookLibrary != 0
		name = st.get(fmt.Sprintf("String(objects[%d].name)", number))
		return name, st.get("same()") != "true", noted
	}
	if testing.Short() {
		*watchedEvery *= 3
	}
	changing := 0
	for number := *watchedEvery - 1; number < 470; number += *watchedEvery {
		var calls []string
		for range *watchedCalls {
			calls = append(calls, call())
		}
		_, changed, noted := try(number, calls...)
		if !changed && !noted {
			continue
		}
		changing++
		for _, c := range calls {
			if name, changed, noted := try(number, c); changed && !noted {
				t.Errorf("%s: %s changes the library, which was not noted", name, c)
			}
		}
	}
	t.Logf("%d functions may change the library", changing)
}
