package ecmascript_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

// Whatever is loaded, nothing panics, and what was accepted can be used: it is
// saved, loaded again and saved again as the same bytes.
func FuzzLoad(f *testing.F) {
	script := expr(datamodel.Script, `
		function f(a) { return a + n }
		class A { m() { return 1 } static s = 2 }
		class B extends A { constructor() { super() } }
		let n = 1; const c = [n];
		var lib = {arrow: x => x, *gen() { yield 1 }}`)
	more := []string{
		`x = [1, , "é\ud800", -0, NaN, 5n, undefined, null, true, {a: {}, $b: 1}]; x.push(x); x.extra = x[9]`,
		`x = new Map([[{}, new Set([1, "a"])], [NaN, new Date(5)]]); x.set(x, new Date(NaN)); y = /a(b)/gi; y.lastIndex = 4`,
		`x = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]).buffer; y = new Uint16Array(x, 2, 1); z = new DataView(x, 1)`,
		`x = new TypeError("m", {cause: 5}); y = Object("ab"); z = Object(5n); w = Symbol.iterator; v = Math.max; u = _ioprocessors; t = Object.create(null)`,
		`x = Object.freeze({a: [1]}); y = Object.seal([1, , 3]); z = {}; Object.defineProperty(z, "q", {value: 1}); w = []; w[1e6] = 1; e = _event; d = e && e.data`,
		`x = []; for (i = 0; i < 250; i++) x = i % 2 ? {x: x} : new Set([x])`,
		`function P() {} P.prototype.a = 1; function Q() {} Q.prototype = Object.create(P.prototype); A.count = 1; Q.self = Q; A.last = [new B, new Q]`,
		`doc.documentElement.setAttribute("k", "v"); t = doc.getElementsByTagName("b")[0]`,
	}
	exprs := []datamodel.Expr{script}
	for _, text := range more {
		exprs = append(exprs, expr(datamodel.Script, text))
	}
	lang := ecmascript.New()
	host := newHost()
	host.limit = 0
	event := &datamodel.Event{Name: "e", Data: datamodel.NewObject("x", int64(1))}
	store := func() datamodel.Store {
		st, err := lang.NewStore(host)
		if err != nil {
			f.Fatal(err)
		}
		st.SetEvent(event)
		return st
	}
	root, err := datamodel.ParseXML(`<a k="1"><!--c--><b>t</b>u</a>`)
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range exprs[1:] {
		st := store()
		if err := st.Run(script); err != nil {
			f.Fatal(err)
		}
		if err := st.Set("doc", root); err != nil {
			f.Fatal(err)
		}
		if err := st.Run(e); err != nil {
			f.Fatal(err)
		}
		data, err := st.(datamodel.Saver).Save(exprs)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		st := store()
		if err := st.(datamodel.Saver).Load(data, exprs); err != nil {
			return
		}
		once, err := st.(datamodel.Saver).Save(exprs)
		if err != nil {
			return // not everything that can be read could have been written
		}
		next := store()
		if err := next.(datamodel.Saver).Load(once, exprs); err != nil {
			t.Fatalf("%v\n%s\nfrom %s", err, once, data)
		}
		if twice, err := next.(datamodel.Saver).Save(exprs); err != nil || string(twice) != string(once) {
			t.Fatalf("%v\n got %s\nwant %s\nfrom %s", err, twice, once, data)
		}
	})
}
