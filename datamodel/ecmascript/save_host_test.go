package ecmascript_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// restoredInto is restored into a store that prepare has dealt with before.
func (s *saved) restoredInto(prepare func(*saved)) *saved {
	s.t.Helper()
	data := s.save()
	next := &saved{bench: newStoreOf(s.t, patientHost()), exprs: s.exprs}
	prepare(next)
	if err := next.Store.(datamodel.Saver).Load(data, next.exprs); err != nil {
		s.t.Fatalf("%v\n%s", err, data)
	}
	if again := next.save(); string(again) != string(data) {
		s.t.Errorf("saved again\n got %s\nwant %s", again, data)
	}
	return next
}

// add runs one more script of the chart.
func (s *saved) add(text string) {
	s.t.Helper()
	e := expr(datamodel.Script, text)
	s.exprs = append(s.exprs, e)
	if err := s.Run(e); err != nil {
		s.t.Fatal(err)
	}
}

func TestSaveEvent(t *testing.T) {
	ev := &datamodel.Event{Name: "tap", Type: datamodel.Internal, SendID: "s", Data: datamodel.NewObject("x", int64(1), "list", []datamodel.Value{int64(2)})}
	s := newSaved(t)
	s.SetEvent(ev)
	s.add(`old = _event; oldData = _event.data; oldData.list.push(3)`)
	next := &datamodel.Event{Name: "next", Data: datamodel.NewObject("y", []datamodel.Value{})}
	s.SetEvent(next)
	s.add(`now = _event; part = _event.data.y; part.push(7)`)
	r := s.restoredInto(func(r *saved) { r.SetEvent(next) })
	r.want(`now === _event && _event.name === 'next' && _event.data.y === part && part[0] === 7`, "true")
	r.want(`old !== _event && old.name === 'tap' && old.type === 'internal' && old.sendid === 's' && old.origin === undefined && old.data === oldData && oldData.list.join() === '2,3'`, "true")
	if err := newStore(t).Store.(datamodel.Saver).Load(s.save(), s.exprs); err == nil {
		t.Error("the data of an event was restored without the event")
	}
	// An event that no script has looked at is not saved.
	s = newSaved(t, `x = 1`)
	s.SetEvent(next)
	if got := string(s.save()); got != `{"format":1,"data":{"x":1}}` {
		t.Errorf("got %s", got)
	}
}

func TestSaveXML(t *testing.T) {
	s := newSaved(t)
	root, err := datamodel.ParseXML(`<a xmlns="urn:x" xmlns:p="urn:p" k="v"><!-- c --><p:b p:z="1">t</p:b>&lt;u</a>`)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Set("doc", root); err != nil {
		t.Fatal(err)
	}
	s.add(`b = doc.getElementsByTagName("p:b")[0]; again = [doc, b, doc.documentElement]; other = b.firstChild; doc.documentElement.setAttribute("k", "w")`)
	s.Set("text", doc(t, "<x/>"))
	r := s.restored()
	r.want(`again[0] === doc && again[1] === b && b.parentNode === again[2] && other.parentNode === b && other.data === 't'`, "true")
	r.want(`doc.getAttribute('k') === 'w' && b.getAttributeNS('urn:p', 'z') === '1' && b.namespaceURI === 'urn:p'`, "true")
	r.want(`String(doc)`, s.get(`String(doc)`))
}

func doc(t *testing.T, text string) *datamodel.Node {
	root, err := datamodel.ParseXML(text)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestSaveNatives(t *testing.T) {
	s := newSaved(t)
	calls := 0
	define := func(s *saved) {
		for _, name := range []string{"solve", "hint"} {
			if err := s.Store.(datamodel.FuncDefiner).DefineFunc(name, func([]datamodel.Value) (datamodel.Value, error) {
				calls++
				return name, nil
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	define(s)
	s.add(`keep = [solve]; hint = 5`)
	data := string(s.save())
	r := s.restoredInto(define)
	if calls != 0 {
		t.Errorf("%d calls of functions of the host", calls)
	}
	r.want(`keep[0] === solve && solve() === 'solve' && hint === 5`, "true")
	if err := newStore(t).Store.(datamodel.Saver).Load([]byte(data), s.exprs); err == nil || !strings.Contains(err.Error(), `the host no longer has a function "solve"`) {
		t.Errorf("got %v", err)
	}
}

// A restored session works as before: guards are installed, places in the chart are
// known, declarations are kept apart.
func TestSaveGoesOn(t *testing.T) {
	s := newSaved(t, "function f() {\n  return nowhere\n}\nfunction deep(a) { return JSON.stringify(a) }\nlet n = 1; const c = 2")
	r := s.restored().restored()
	_, err := r.Value(expr(datamodel.ValueExpr, "f()"))
	e := fails(t, err, "nowhere is not defined")
	if e.Pos.Line != 2 {
		t.Errorf("the error is said to be at %v", e.Pos)
	}
	r.run(`a = []; for (var i = 0; i < 5000; i++) a = [a]`)
	_, err = r.Value(expr(datamodel.ValueExpr, "deep(a)"))
	fails(t, err, "nested deeper")
	fails(t, r.Run(expr(datamodel.Script, "let n = 3")), "n")
	r.want("n += 1", "2")
	if err := r.Declare("fresh"); err != nil {
		t.Fatal(err)
	}
	r.want("fresh", `{"$undefined":true}`)
	if err := r.Declare("f"); err != nil {
		t.Fatal(err)
	}
	r.want("typeof f", `"function"`)
	r.restored().want("n", "2")
}

// The data may have been laid out anew on its way.
func TestLoadIndented(t *testing.T) {
	s := newSaved(t, `x = [1, , {a: undefined, $b: -0}, new Map([[1, 2]])]; x.y = 5; z = x; function f() {}`)
	data := s.save()
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "\t"); err != nil {
		t.Fatal(err)
	}
	next := &saved{bench: newStore(t), exprs: s.exprs}
	if err := next.Store.(datamodel.Saver).Load(b.Bytes(), s.exprs); err != nil {
		t.Fatalf("%v\n%s", err, b.Bytes())
	}
	if again := next.save(); string(again) != string(data) {
		t.Errorf("saved again\n got %s\nwant %s", again, data)
	}
}

func TestLoadRefuses(t *testing.T) {
	function := expr(datamodel.Script, `function f() {} function mk(n) { return () => n }`)
	other := "Uint16Array of a big-endian processor"
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		other = "Uint16Array"
	}
	for _, tt := range []struct{ data, want string }{
		{``, `'{' expected`},
		{`[]`, `'{' expected`},
		{`{"format":2}`, "format 1 expected, not 2"},
		{`{"data":{}}`, "begins with its format"},
		{`{"format":1} x`, "something follows"},
		{`{"format":1,"data":{"x":1}`, `'}' expected`},
		{`{"format":1,"var":{"x":1},"data":{"y":1}}`, `"data" does not belong here`},
		{`{"format":1,"other":{"x":1}}`, `"other" does not belong here`},
		{`{"format":1,"data":{"_event":1}}`, `"_event" is not a variable`},
		{`{"format":1,"data":{"In":1}}`, `"In" is not a variable`},
		{`{"format":1,"data":{"x":01}}`, "a number must not begin with 0"},
		{`{"format":1,"data":{"x":1e999}}`, "a number is not well-formed"},
		{`{"format":1,"data":{"x":tru}}`, "a value expected"},
		{`{"format":1,"data":{"x":"\q"}}`, "unknown escape"},
		{`{"format":1,"data":{"x":"a`, "string without end"},
		{`{"format":1,"data":{"x":{"$ref":0}}}`, "a reference to what is not there"},
		{`{"format":1,"data":{"x":[{"$ref":1}]}}`, "an integer from 0 to 0 expected"},
		{`{"format":1,"data":{"x":{"$more":0}}}`, "a reference to what is not there"},
		{`{"format":1,"deep":"[","data":{"x":{"$more":0}}}`, `"more" is missing`},
		{`{"format":1,"deep":"[","more":[{}]}`, "another kind than announced"},
		{`{"format":1,"deep":"?","more":[{}]}`, "an unknown kind"},
		{`{"format":1,"deep":"[","more":[]}`, "another kind than announced"},
		{`{"format":1,"data":{"x":[{"$hole":1000}]}}`, "an integer from 0 to"},
		{`{"format":1,"data":{"x":{"$hole":1}}}`, "a hole that is not in an array"},
		{`{"format":1,"data":{"x":{"a":1,"$b":2}}}`, `"$b" cannot be the key`},
		{`{"format":1,"data":{"x":{"$nothing":1}}}`, `"$nothing" is an unknown kind`},
		{`{"format":1,"data":{"x":{"$function":"g"}}}`, `the chart has no function "g"`},
		{`{"format":1,"data":{"x":{"$function":"() => n"}}}`, `the chart has no function`},
		{`{"format":1,"data":{"x":{"$library":"Math.nothing"}}}`, "is not of the library"},
		{`{"format":1,"data":{"x":{"$view":["Uint8Array",0,9],"$of":{"$buffer":"AA=="}}}}`, "RangeError"},
		{`{"format":1,"data":{"x":{"$view":["` + other + `",0,1],"$of":{"$buffer":"AAA="}}}}`, "the bytes of a Uint16Array are in the order of another processor"},
		{`{"format":1,"data":{"x":{"$view":["Uint8Array",0,9],"$of":5}}}`, "an ArrayBuffer expected"},
		{`{"format":1,"data":{"x":{"$view":["Uint8Array",0,1]}}}`, `"$of" is missing`},
		{`{"format":1,"data":{"x":{"$prototypeOf":true,"$of":5}}}`, "a function with a prototype expected"},
		{`{"format":1,"data":{"x":{"$prototypeOf":true}}}`, `"$of" is missing`},
		{`{"format":1,"data":{"x":{"$buffer":"?"}}}`, "base64"},
		{`{"format":1,"data":{"x":{"$regexp":["(",""]}}}`, "SyntaxError"},
		{`{"format":1,"data":{"x":{"$regexp":["` + strings.Repeat("(", 2000) + `",""]}}}`, "groups"},
		{`{"format":1,"data":{"x":{"$map":[1]}}}`, "a key that has no value"},
		{`{"format":1,"data":{"x":{"$date":1,"$of":5}}}`, `"$of" does not belong here`},
		{`{"format":1,"data":{"x":{"$object":{},"$proto":{"$ref":0}}}}`, "TypeError"},
		{`{"format":1,"data":{"x":{"$object":{},"$attributes":{"a":"x"}}}}`, "is not a list of attributes"},
		{`{"format":1,"let":{"x":1}}`, "no script of the chart declares it"},
		{`{"format":1,"data":{"x":` + strings.Repeat("[", 100000), "nested deeper than"},
		{`{"format":1,"data":{"x":{"$xml":` + strings.Repeat(`["","a","",[],`, 100000), "nested deeper than"},
	} {
		st := newStore(t)
		err := st.Store.(datamodel.Saver).Load([]byte(tt.data), []datamodel.Expr{function})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.100s\n got %v\nwant %s", tt.data, err, tt.want)
		}
	}
}
