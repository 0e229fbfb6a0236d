package ecmascript_test

import (
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// systemState is all that there is of the system variables.
const systemState = `JSON.stringify([_event, _sessionid, _name, _ioprocessors, _x].map(v => [typeof v, v])) +
	[_event, _ioprocessors, _ioprocessors.scxml, _x].map(o => [Reflect.ownKeys(o), Object.getPrototypeOf(o) === Object.prototype,
		Object.getOwnPropertySymbols(o).length, o.planted, 'planted' in o, o.toString === Object.prototype.toString,
		Reflect.ownKeys(o).map(k => JSON.stringify(Object.getOwnPropertyDescriptor(o, k)))].join(';')).join('|') +
	['_event', '_sessionid', '_name', '_ioprocessors', '_x'].map(k => Object.keys(Object.getOwnPropertyDescriptor(globalThis, k)).join()).join('|') +
	[In('s1'), In('s2'), _ioprocessors.scxml === _ioprocessors['http://www.w3.org/TR/scxml/#SCXMLEventProcessor']]`

// Roads to a variable V, and to a property of an object O with the key K, which
// it has or has not. Those that begin with "silent " may be without effect and
// without an error, since the language has them report false.
var (
	roadsToVariables = []string{
		"V = 1", "V += 1", "V++", "V ??= 1; V = 2", "V &&= 1", "[V] = [1]", "({a: V} = {a: 1})", "({V} = {V: 1})", "[...V] = [1]", "[{x: V = 3}] = [{}]",
		"for (V of [1]);", "for (V in {a: 1});", "this.V = 1", "globalThis['V'] = 1", "(function() { return this })()['V'] = 1", "(0, eval)('V = 1')",
		"new Function('V = 1')()", "[].concat.constructor('V = 1')()", "with (globalThis) V = 1", "Object.assign(globalThis, {V: 1})",
		"Object.defineProperty(globalThis, 'V', {value: 1})", "Object.defineProperty(globalThis, 'V', {get() { return 1 }})",
		"Object.defineProperties(this, {V: {value: 1, writable: true}})", "globalThis.__defineGetter__('V', () => 1)", "const g = globalThis; [g['V']] = [1]",
		"silent Reflect.set(globalThis, 'V', 1)", "silent Reflect.defineProperty(globalThis, 'V', {value: 1})", "silent Reflect.deleteProperty(globalThis, 'V')",
		"silent delete globalThis.V", "silent delete this['V']", "silent delete V", "silent globalThis.__proto__ = {V: 1}", "silent Object.setPrototypeOf(globalThis, {V: 1})",
		"var V = 1", "let V = 1", "const V = 1", "class V {}", "function V() {}", "var {V} = {V: 1}", "(function() { V = 1 })()", "[1].forEach(x => V = x)",
		"silent Object.create(globalThis).V = 1", "silent new Proxy(globalThis, {}).V = 1", "silent Object.prototype.V = 1",
		"var s = Object.getOwnPropertyDescriptor(globalThis, 'V').set; s.call(globalThis, 1)",
	}
	roadsToObjects = []string{
		"O.K = 1", "O['K'] = 1", "O['K'] += 1", "var o = O; o.K = 1", "[O.K] = [1]", "({a: O.K} = {a: 1})", "for (O.K of [1]);", "Object.assign(O, {K: 1})",
		"Object.defineProperty(O, 'K', {value: 1})", "Object.defineProperty(O, 'K', {value: 1, writable: true, enumerable: true, configurable: true})",
		"Object.defineProperty(O, 'K', {get() { return 1 }})", "O.__defineGetter__('K', () => 1)", "Object.defineProperties(O, {K: {value: 1}})",
		"delete O.K", "delete O['K']", "silent Reflect.set(O, 'K', 1)", "silent Reflect.defineProperty(O, 'K', {value: 1})", "silent Reflect.deleteProperty(O, 'K')",
		"silent Reflect.set({}, 'K', 1, O)", "new Proxy(O, {}).K = 1", "delete new Proxy(O, {}).K", "Object.defineProperty(new Proxy(O, {}), 'K', {value: 1})",
		"class A { constructor(o) { return o } }; class B extends A { K = 1 }; new B(O)", "silent Object.create(O).K = 1",
		"class A { constructor(o) { return o } }; class B extends A { #p = 1; static has(o) { return #p in o } }; new B(O); if (B.has(O)) O.planted = B",
	}
	roadsToPrototypes = []string{
		"O.__proto__ = {planted: 1}", "O['__pro' + 'to__'] = {planted: 1}", "O.__proto__ = null", "Object.setPrototypeOf(O, {planted: 1})", "Object['setPrototype' + 'Of'](O, {planted: 1})",
		"Reflect.setPrototypeOf(O, {planted: 1})", "Object.setPrototypeOf(O, null)", "Object.setPrototypeOf(new Proxy(O, {}), {planted: 1})", "new Proxy(O, {}).__proto__ = {planted: 1}",
		"Object.getOwnPropertyDescriptor(Object.prototype, '__proto__').set.call(O, {planted: 1})", "O.__lookupSetter__('__proto__').call(O, {planted: 1})",
		"Object.assign(O, {['__proto__']: {planted: 1}})", "Object.defineProperty(O, '__proto__', {value: {planted: 1}})",
		"Object.freeze(O)", "Object.seal(O)", "Object.preventExtensions(O)", "silent Reflect.preventExtensions(O)", "silent O[Symbol.toPrimitive] = 1",
		"Object.defineProperty(O, Symbol.iterator, {value: 1})", "Array.prototype.push.call(O, 1)", "Array.prototype.splice.call(O, 0, 0, 1)", "O.length = 5",
	}
)

// REC 5.10: "The Processor MUST cause any attempt to change the value of a system
// variable to fail", and error.execution, where the language lets it see the attempt.
func TestSystemVariablesCannotBeChanged(t *testing.T) {
	event := func() *datamodel.Event {
		return &datamodel.Event{Name: "foo", SendID: "s", Data: datamodel.NewObject("list", []datamodel.Value{int64(1)})}
	}
	var want string
	attack := func(script string) {
		silent := strings.HasPrefix(script, "silent ")
		script = strings.TrimPrefix(script, "silent ")
		for _, mode := range []string{"", "'use strict'; "} {
			st := newStoreOf(t, patientHost())
			st.SetEvent(event())
			if want == "" {
				want = st.get(systemState)
			}
			st.run("var kept = {e: _event, io: _ioprocessors, p: _ioprocessors.scxml, x: _x}")
			err := st.Run(expr(datamodel.Script, mode+script))
			if err == nil && !silent {
				t.Errorf("%s%s: no error", mode, script)
			}
			if got := st.get(systemState); got != want {
				t.Errorf("%s%s: %v\n got %s\nwant %s", mode, script, err, got, want)
			}
			st.want("kept.e === _event && kept.io === _ioprocessors && kept.p === _ioprocessors.scxml && kept.x === _x", "true")
		}
	}
	for _, name := range []string{"_event", "_sessionid", "_name", "_ioprocessors", "_x"} {
		for _, road := range roadsToVariables {
			if strings.HasPrefix(road, "silent Object.prototype") && name != "_name" {
				continue // the same for all
			}
			attack(strings.ReplaceAll(road, "V", name))
		}
	}
	for object, keys := range map[string][]string{
		"_event": {"name", "data", "origin", "planted"}, "_ioprocessors": {"scxml", "planted"}, "_ioprocessors.scxml": {"location", "planted"}, "_x": {"planted"},
	} {
		for _, road := range roadsToObjects {
			for _, key := range keys {
				attack(strings.NewReplacer("O.", object+".", "O[", object+"[", "O,", object+",", "O)", object+")", "O;", object+";", "K", key).Replace(road))
			}
		}
		for _, road := range roadsToPrototypes {
			attack(strings.NewReplacer("O.", object+".", "O[", object+"[", "O,", object+",", "O)", object+")").Replace(road))
		}
	}

	// The same by way of elements.
	st := newStoreOf(t, patientHost())
	st.SetEvent(event())
	for _, name := range []string{"_event", "_sessionid", "_name", "_ioprocessors", "_x", "_event.name", "_event.planted", "_event['data']", "_event.__proto__",
		"_ioprocessors.scxml", "_ioprocessors.scxml.location", "_ioprocessors.__proto__", "_x.planted", "this._name", "(_name)"} {
		for _, value := range []string{"1", "({planted: 1})"} {
			if err := st.Assign(expr(datamodel.Location, name), expr(datamodel.ValueExpr, value)); err == nil &&
				(value != "1" || !strings.HasSuffix(name, "__proto__")) { // a prototype that is not an object is ignored
				t.Errorf("<assign location=%q expr=%q>: no error", name, value)
			}
		}
		if st.Declare(name) == nil || st.Set(name, int64(1)) == nil || st.Init(name, expr(datamodel.ValueExpr, "1")) == nil {
			t.Errorf("%s can be a data item", name)
		}
		for _, names := range [][2]string{{name, ""}, {"item", name}} {
			if err := st.Foreach(expr(datamodel.ValueExpr, "[1]"), names[0], names[1], func() bool { return true }); err == nil && names[1] == "" {
				t.Errorf("<foreach item=%q index=%q>: no error", names[0], names[1])
			}
		}
	}
	if got := st.get(systemState); got != want {
		t.Errorf("by elements\n got %s\nwant %s", got, want)
	}
}

// What a script keeps of the system variables is still theirs after it was saved.
func TestSystemVariablesCannotBeChangedAfterLoad(t *testing.T) {
	s := newSaved(t)
	s.SetEvent(&datamodel.Event{Name: "first"})
	s.run("var kept = [_event, _ioprocessors, _ioprocessors.scxml, _x]")
	s.SetEvent(&datamodel.Event{Name: "second"})
	s.run("kept.push(_event)")
	next := &saved{bench: newStoreOf(t, patientHost()), exprs: s.exprs}
	next.SetEvent(&datamodel.Event{Name: "second"})
	if err := next.Store.(datamodel.Saver).Load(s.save(), next.exprs); err != nil {
		t.Fatal(err)
	}
	next.want("[kept[0].name, kept[1] === _ioprocessors, kept[2] === _ioprocessors.scxml, kept[3] === _x, kept[4] === _event]", `["first",true,true,true,true]`)
	next.run(`for (const o of kept) for (const attack of [() => o.__proto__ = {planted: 1}, () => o.planted = 1, () => Object.setPrototypeOf(o, null)]) {
		let failed = false
		try { attack() } catch (e) { failed = true }
		if (!failed || o.planted || !o.toString) throw new Error(attack + ' changes ' + JSON.stringify(o))
	}`)
	refused := newSaved(t, "x = new Proxy(_x, {})")
	if _, err := refused.Store.(datamodel.Saver).Save(refused.exprs); err == nil || err.Error() != "x: cannot save a proxy" {
		t.Errorf("got %v", err)
	}
}
