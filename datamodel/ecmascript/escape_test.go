package ecmascript

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/datamodeltest"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/dom"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/guard"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// A walker visits all that a script could get hold of from some values: what is
// in properties and prototypes, what getters return, what functions return and
// throw. It looks for Go: objects by which goja shows a Go value, with its fields
// and methods, and texts that name Go code.
type walker struct {
	t     *testing.T
	st    *store
	parts goja.Callable // all that an object leads to
	seen  map[*goja.Object]bool
	open  []place
}

type place struct {
	path   string
	v      goja.Value
	depth  int  // how many steps led there
	called bool // one of them was a call
}

// walkDepth bounds the steps: some getters and functions return new objects for ever.
const walkDepth = 6

// partsOf yields [how, value, …] of an object. It has its own copies of the
// library, and what it throws itself is not a part.
const partsOf = `(() => {
	const {ownKeys, getOwnPropertyDescriptor, getPrototypeOf, apply, construct} = Reflect, {push} = Array.prototype, {isArray} = Array, text = String
	return (o, owner, call) => {
		const out = []
		const add = (how, v) => apply(push, out, [how, v])
		const attempt = (how, f) => { try { add(how, f()) } catch (e) { add(how + ' throws', e) } }
		const args = [[], [{}, {}], ['a', 'b'], [owner, 0]][call >> 2]
		if (args) {
			switch (call & 3) {
			case 0: attempt('()', () => apply(o, owner, args)); break
			case 1: attempt('() on nothing', () => apply(o, undefined, args)); break
			case 2: attempt('new', () => construct(o, args))
			}
			return out
		}
		attempt('prototype', () => getPrototypeOf(o))
		for (const key of ownKeys(o)) {
			let name = typeof key === 'symbol' ? '[' + text(key) + ']' : key, d
			add('a key', key)
			try { d = getOwnPropertyDescriptor(o, key) } catch (e) { add(name + ' throws', e); continue }
			if (!d) continue
			if ('value' in d) { add(name, d.value); continue }
			add('getter ' + name, d.get); add('setter ' + name, d.set)
			if (d.get) { attempt(name, () => apply(d.get, o, [])); attempt(name + ' of the owner', () => apply(d.get, owner, [])) }
			if (d.set) attempt('to set ' + name, () => apply(d.set, o, [d.get ? apply(d.get, o, []) : undefined]))
		}
		attempt('text', () => text(o))
		if (!isArray(o)) attempt('items', () => [...o].slice(0, 20))
		attempt('assignment', () => { 'use strict'; o.planted = 1; delete o.planted })
		return out
	}
})()`

func newWalker(t *testing.T, st *store) *walker {
	v, err := st.vm.RunString(partsOf)
	if err != nil {
		t.Fatal(err)
	}
	parts, _ := goja.AssertFunction(v)
	return &walker{t: t, st: st, parts: parts, seen: map[*goja.Object]bool{}}
}

func (w *walker) walk(path string, v goja.Value) {
	w.open = append(w.open, place{path, v, 0, false})
	for len(w.open) > 0 {
		at := w.open[0]
		w.open = w.open[1:]
		w.visit(at)
	}
}

func (w *walker) visit(at place) {
	if problem := foreign(at.v); problem != "" {
		w.t.Errorf("%s is %s", at.path, problem)
		return
	}
	o, ok := at.v.(*goja.Object)
	if !ok || w.seen[o] || at.depth > walkDepth {
		return
	}
	w.seen[o] = true
	_, callable := goja.AssertFunction(o)
	w.look(at, o, -1)
	for call := 0; callable && !at.called && call < 16; call++ {
		w.look(at, o, call)
	}
}

// look adds what o leads to, or what it returns or throws when it is called.
func (w *walker) look(at place, o *goja.Object, call int) {
	defer func() {
		// Some functions of goja panic when they are called in such ways, which
		// ends the evaluation; see store.panicked.
		if x := recover(); x != nil && call < 0 {
			w.t.Errorf("%s: %v", at.path, x)
		}
	}()
	list, err := w.parts(goja.Undefined(), o, o, w.st.vm.ToValue(call))
	if err != nil {
		var exception *goja.Exception
		if errors.As(err, &exception) {
			w.open = append(w.open, place{at.path + " throws", exception.Value(), at.depth + 1, true})
		}
		return
	}
	parts := list.(*goja.Object)
	for i := range int(parts.Get("length").ToInteger()) / 2 {
		how, v := parts.Get(fmt.Sprint(2*i)).String(), parts.Get(fmt.Sprint(2*i+1))
		w.open = append(w.open, place{at.path + "." + how, v, at.depth + 1, at.called || call >= 0})
	}
}

// foreign says what of Go a value shows, "" if it is one of the language. goja does
// not tell what an object is made of, so it is the type of its implementation that
// counts: those of Go values have names of their own.
func foreign(v goja.Value) string {
	o, ok := v.(*goja.Object)
	if !ok {
		if s, ok := v.(goja.String); ok && (strings.Contains(s.String(), "github.com/") || strings.Contains(s.String(), ".go:") || strings.Contains(s.String(), "s3cret")) {
			return fmt.Sprintf("a text about Go: %.200q", s)
		}
		return ""
	}
	implementation := reflect.ValueOf(o).Elem().FieldByName("self").Elem().Type().String()
	switch name := strings.TrimPrefix(implementation, "*goja."); {
	case strings.HasPrefix(name, "objectGo"), name == "wrappedFuncObject", name == "dynamicArray":
		return "a Go value: " + name
	case name == "dynamicObject":
		// Of these only the methods of the interface are called.
		if t := o.ExportType(); t != dom.Type && t != typeFixed {
			return "a dynamic object: " + t.String()
		}
	case name == "proxyObject":
		if target := o.Export().(goja.Proxy).Target(); target != nil {
			return foreign(target)
		}
	}
	return ""
}

// The test is worth what foreign sees.
func TestForeignSeesGoValues(t *testing.T) {
	vm := goja.New()
	for _, v := range []any{
		struct{ A int }{}, &http.Client{}, errors.New("e"), map[string]any{}, map[string]int{}, map[int]string{}, []any{1}, &[]any{1}, []string{"a"}, [2]int{},
		func(string) string { return "" }, time.Now(), time.Second, func(goja.FunctionCall) goja.Value { return nil }, vm.NewDynamicArray(nil), make(chan int),
	} {
		o := vm.ToValue(v)
		problem := foreign(o)
		if f, ok := o.(*goja.Object); ok && problem == "" {
			problem = foreign(f.Get("name")) // a native function, which has the name that it has in Go
		}
		if problem == "" {
			t.Errorf("%T is not seen", v)
		}
	}
	if foreign(vm.NewGoError(errors.New("x")).Get("value")) == "" {
		t.Error("the value of a GoError is not seen")
	}
	for _, code := range []string{"({})", "[]", "new Map", "new Proxy({}, {})", "() => 1", "class A {}; A", "new Date", "/x/", "1n", "Symbol()", "new Uint8Array(1)", "Promise.resolve()"} {
		if v, err := vm.RunString(code); err != nil || foreign(v) != "" {
			t.Errorf("%s: %s, %v", code, foreign(v), err)
		}
	}
}

// leakyError is an error as libraries of HTTP clients have them.
type leakyError struct {
	Request *http.Request
	Client  *http.Client
}

func (e *leakyError) Error() string             { return "cannot reach the server" }
func (e *leakyError) Unwrap() error             { return errors.New("inner") }
func (e *leakyError) Do() (*http.Client, error) { return e.Client, nil }

// Nothing that goja makes of a Go value ever enters a runtime, by whatever road
// data comes.
func TestNoGoValueEntersRuntime(t *testing.T) {
	request, _ := http.NewRequest("GET", "http://localhost/", nil)
	request.Header.Set("Authorization", "Bearer s3cret")
	leaky := &leakyError{request, http.DefaultClient}
	everything := datamodel.NewObject("n", 1.5, "b", true, "s", "text", "u", nil, "null", datamodel.Null, "l", []datamodel.Value{int64(1), nil, []datamodel.Value{}},
		"o", datamodel.NewObject("a", int64(1)), "d", time.Unix(0, 0), "f", datamodel.Function("f"), "x", native.Must1(datamodel.ParseXML(`<a b="c">t<!-- c --><d/></a>`)),
		// What is not a Value, as a language or a service might hand it over.
		"go", map[string]any{"x": []string{"y"}}, "client", leaky, "p", &struct{ E error }{leaky}, "fn", func() {}, "dur", time.Second)

	st := native.Must1(New().NewStore(datamodeltest.Host{Limit: time.Minute})).(*store)
	st.Begin(t.Context())
	defer st.End()
	results := map[string]datamodel.Func{
		"fails": func([]datamodel.Value) (datamodel.Value, error) { return nil, leaky },
		"wraps": func([]datamodel.Value) (datamodel.Value, error) { return nil, fmt.Errorf("wrapped: %w", leaky) },
		"joins": func([]datamodel.Value) (datamodel.Value, error) { return nil, errors.Join(leaky, leaky) },
		"fails2": func([]datamodel.Value) (datamodel.Value, error) {
			return leaky, &datamodel.EvalError{Msg: "no", Err: leaky}
		},
		"gives": func([]datamodel.Value) (datamodel.Value, error) { return everything, nil },
		"raw":   func([]datamodel.Value) (datamodel.Value, error) { return leaky, nil },
		"echo":  func(args []datamodel.Value) (datamodel.Value, error) { return args, nil },
	}
	for name, f := range results {
		native.Must(st.DefineFunc(name, f))
	}
	for i, set := range []datamodel.Value{everything, leaky, errors.New("x"), []datamodel.Value{leaky}, http.DefaultClient} {
		native.Must(st.Set(fmt.Sprint("data", i), set))
	}
	st.SetEvent(&datamodel.Event{Name: "e", Data: everything, Raw: "raw"})
	compile := func(kind datamodel.Kind, text string) datamodel.Expr {
		return native.Must1(New().Compile(kind, datamodel.Source{Text: text}))
	}
	run := func(text string) { native.Must(st.Run(compile(datamodel.Script, text))) }
	run(`var each = [], caught = []
		Object.defineProperty(Error.prototype, 'value', {configurable: true, get() { return 1 }, set(v) { caught.push(v) }})
		for (const f of [fails, wraps, joins, fails2, raw]) try { f() } catch (e) { caught.push(e) }
		delete Error.prototype.value
		for (const f of [fails, wraps, joins, fails2, raw, gives, echo]) try { caught.push(f(1, {}, [], () => 1, Symbol.iterator, globalThis)) } catch (e) { caught.push(e) }
		for (const attack of [() => _event.x = 1, () => _name = 1, () => JSON.parse('{'), () => eval('1 +'), () => new RegExp('('), () => null.x, () => [].repeat(), () => 'x'.repeat(-1),
			() => In(1), () => data0.x.documentElement.setAttribute('<', 1), () => Object.setPrototypeOf(_x, {}), () => BigInt('x'), () => decodeURI('%'), () => new Array(-1),
			() => (function f() { 'use strict'; undefinedVariable = 1 })(), () => Symbol() + ''])
			try { attack(); caught.push(attack) } catch (e) { caught.push(e, e.stack, Object.getOwnPropertyDescriptors(e)) }
		var promise = Promise.reject(caught[0]).catch(e => { caught.push(e) })`)
	native.Must(st.Foreach(compile(datamodel.ValueExpr, "[data0, data1, _event.data]"), "item", "index", func() bool { run("each.push(item, index)"); return true }))
	native.Must(st.Init("content", compile(datamodel.Content, `<r xmlns="urn:x"><s t="u"/></r>`)))
	run("var own = Reflect.ownKeys(globalThis), get = Object.getOwnPropertyDescriptor, m = 'se' + 'arch'; globalThis[m]") // puts up all guards
	if st.guards.Lacks(guard.All) {
		t.Error("not all guards are up")
	}

	w := newWalker(t, st)
	w.walk("globalThis", st.vm.GlobalObject())
	for _, text := range []string{"caught", "each", "content", "_event", "promise", "(function*() {})()", "(async () => {})()", "new Map([[1, 2]]).entries()", "new Proxy(data0, {})",
		"new Uint8Array(2)", "new Date(0)", "/x/g", "Object(1n)", "(function() { return arguments })(1)", "content.documentElement.attributes"} {
		w.walk(text, native.Must1(st.vm.RunString(text)))
	}
	if len(w.seen) < 1000 {
		t.Errorf("only %d objects are seen", len(w.seen))
	}
}

// REC 5.9 wants error.execution. A script that catches the error of a function of
// the host gets an Error of its own, with the text alone; the host gets its own error.
func TestErrorOfFuncIsPlainError(t *testing.T) {
	st := native.Must1(New().NewStore(datamodeltest.Host{})).(*store)
	leaky := &leakyError{Client: http.DefaultClient}
	native.Must(st.DefineFunc("fails", func(args []datamodel.Value) (datamodel.Value, error) { return nil, leaky }))
	value := func(text string) (datamodel.Value, error) {
		return st.Value(native.Must1(New().Compile(datamodel.ValueExpr, datamodel.Source{Text: text})))
	}
	const caught = `(function() { Error = function() { return {value: 'mine'} }; try { fails(1) } catch (e) {
		return [Object.getPrototypeOf(e) === e.constructor.prototype, e.constructor.name, e.message, String(e), Reflect.ownKeys(e), e.value, Object.keys(e), e instanceof TypeError] } })()`
	v, err := value(caught)
	if got, want := datamodel.Text(v), `[true,"Error","cannot reach the server","Error: cannot reach the server",["stack","message"],undefined,[],false]`; err != nil || got != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
	for _, text := range []string{"fails()", "(function() { try { fails() } catch (e) { throw e } })()", "[1].map(fails)"} {
		_, err := value(text)
		var host *leakyError
		if err == nil || err.Error() != "Error: cannot reach the server" || !errors.As(err, &host) || host != leaky {
			t.Errorf("%s: the host gets %v", text, err)
		}
	}
	for _, text := range []string{"(function() { try { fails() } catch (e) { throw new Error('another') } })()", "(function() { try { fails() } catch (e) { throw e.message } })()", "nowhere"} {
		if _, err := value(text); err == nil || errors.Is(err, leaky) {
			t.Errorf("%s: the host gets %v", text, err)
		}
	}
	// A panic that nobody has turned into an error does not end up in a text either.
	native.Must(st.DefineFunc("panics", func([]datamodel.Value) (datamodel.Value, error) { panic("s3cret") }))
	for _, text := range []string{"panics()", "(function() { try { panics() } catch (e) { return String(e) } finally { return 'finally' } })()"} {
		if v, err := value(text); err == nil || strings.Contains(err.Error(), "s3cret") || !strings.Contains(fmt.Sprint(errors.Unwrap(err)), "s3cret") {
			t.Errorf("%s: got %v, %v, %v", text, v, err, errors.Unwrap(err))
		}
	}
	if v, err := value("1 + [1].length"); err != nil || v != int64(2) {
		t.Errorf("then got %v, %v", v, err)
	}
}
