package ecmascript_test

import (
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

func TestConditionIsToBoolean(t *testing.T) {
	st := newStore(t)
	for text, want := range map[string]bool{
		"1": true, "0": false, "''": false, "'false'": true, "null": false, "undefined": false,
		"{}": true, "[]": true, "0/0": false, "In('s1')": true, "In('s2')": false, "In('') || 1 > 0": true,
	} {
		if got, err := st.Condition(expr(datamodel.Condition, text)); err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
	}
	_, err := st.Condition(expr(datamodel.Condition, "In(1)"))
	fails(t, err, "TypeError: In() wants the id of a state")
}

func TestDataItems(t *testing.T) {
	st := newStore(t)
	st.set("a", "{n: 1}")
	st.want("typeof nope", `"undefined"`)
	st.want("nope", "! ReferenceError: nope is not defined")
	if err := st.Declare("b"); err != nil {
		t.Fatal(err)
	}
	st.want("b", `{"$undefined":true}`)
	st.want("'b' in this", "true")
	st.run("b = 3; var c = 4")
	for _, id := range []string{"a", "b", "c"} { // REC: does not touch what is there
		if err := st.Declare(id); err != nil {
			t.Fatal(err)
		}
	}
	st.want("[a.n, b, c]", "[1,3,4]")
	if err := st.Set("fresh", int64(5)); err != nil {
		t.Fatal(err)
	}
	st.want("fresh", "5")
	// Names of the library can be declared.
	for _, id := range []string{"name", "Map", "escape", "toString", "é", "$", "_mine", "constructor"} {
		if err := st.Declare(id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		st.want(id, `{"$undefined":true}`)
	}
	for _, id := range []string{"", "1a", "a b", "a-b", "'continue'", "continue", "let", "yield", "eval", "undefined", "NaN", "a.b", "\\u0061"} {
		fails(t, st.Declare(id), "is not the name of a variable")
		fails(t, st.Set(id, nil), "is not the name of a variable")
		fails(t, st.Init(id, expr(datamodel.ValueExpr, "1")), "is not the name of a variable")
	}
	for _, id := range []string{"_event", "_sessionid", "_name", "_ioprocessors", "_x"} {
		fails(t, st.Declare(id), "the system variable "+id+" cannot be changed")
	}
	fails(t, st.Declare("In"), "cannot be a variable")
}

func TestLexicalVariablesOfScripts(t *testing.T) {
	st := newStore(t)
	st.set("shadowed", "1")
	st.run("let a = 1; const c = 2; class K {}; let shadowed = 5")
	for _, id := range []string{"a", "c", "K", "shadowed"} {
		if err := st.Declare(id); err != nil {
			t.Fatal(err)
		}
	}
	st.want("[a, c, shadowed, typeof K]", `[1,2,5,"function"]`)
	if err := st.AssignValue(expr(datamodel.Location, "a"), int64(9)); err != nil {
		t.Fatal(err)
	}
	if err := st.Set("shadowed", int64(6)); err != nil {
		t.Fatal(err)
	}
	st.want("[a, shadowed]", "[9,6]")
	fails(t, st.Set("c", int64(3)), "TypeError")
	fails(t, st.AssignValue(expr(datamodel.Location, "c"), int64(3)), "TypeError")
	st.want("c", "2")
}

func TestAssign(t *testing.T) {
	for _, tt := range []struct{ location, value, look, want string }{
		{"x", "1", "x", "1"},
		{" x ", "1", "x", "1"},
		{"x;", "1", "x", "1"},
		{"(x)", "1", "x", "1"},
		{"o.a.b", "1", "o.a.b", "1"},
		{"o['a'] // c", "1", "o.a", "1"},
		{"l[l.length]", "7", "l", "[1,2,7]"},
		{"l[(function(v){ return v })(1)]", "7", "l", "[1,7]"},
		{"this.x", "2", "x", "2"},
		{"globalThis.made", "2", "made", "2"},
		{"o.v", "v", "o.v", `"v"`},
		{"nope", "5", "typeof nope", "!ReferenceError: nope is not defined"},
		{"foo.bar.baz ", "1", "x", "!ReferenceError: foo is not defined"},
		{"o.no.such", "1", "x", "!TypeError"},
		{"frozen.a", "2", "x", "!TypeError"},
		{"undefined", "2", "x", "!TypeError"},
		{"getter.g", "2", "x", "!TypeError"},
		{"'abc'.length", "2", "x", "!TypeError"},
		{"_event", "1", "x", "!TypeError: the system variable _event cannot be changed"},
		{"_sessionid", "1", "x", "!TypeError: the system variable _sessionid cannot be changed"},
		{"(_name)", "1", "x", "!TypeError: the system variable _name cannot be changed"},
		{"this._x", "1", "x", "!TypeError: the system variable _x cannot be changed"},
		{"_ioprocessors.scxml", "1", "x", "!TypeError: _ioprocessors cannot be changed"},
		{"_ioprocessors.scxml.location", "1", "x", "!TypeError: _ioprocessors cannot be changed"},
		{"_x.foo", "1", "x", "!TypeError: _x cannot be changed"},
		{"In", "1", "x", "!TypeError"},
	} {
		st := newStore(t)
		st.set("x", "0")
		st.set("v", "'v'")
		st.set("o", "{a: {}}")
		st.set("l", "[1,2]")
		st.set("frozen", "Object.freeze({a: 1})")
		st.set("getter", "{get g(){ return 1 }}")
		err := st.Assign(expr(datamodel.Location, tt.location), expr(datamodel.ValueExpr, tt.value))
		if tt.want[0] == '!' {
			fails(t, err, tt.want[1:])
			st.want("x", "0")
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.location, err)
		}
		st.want(tt.look, tt.want)
	}
}

func TestAssignMakesNoCopy(t *testing.T) {
	st := newStore(t)
	st.set("a", "{}")
	st.set("b", "a")
	st.want("a === b", "true")
	if err := st.Assign(expr(datamodel.Location, "a.self"), expr(datamodel.ValueExpr, "a")); err != nil {
		t.Fatal(err)
	}
	st.want("b.self === a", "true")
}

func TestSystemVariables(t *testing.T) {
	st := newStore(t)
	st.want("_sessionid", `"session-1"`)
	st.want("_name", `"machine"`)
	st.want("typeof _event", `"undefined"`)
	st.want("_x", "{}")
	st.want("_ioprocessors['http://www.w3.org/TR/scxml/#SCXMLEventProcessor'].location", `"#_scxml_session-1"`)
	st.want("_ioprocessors.scxml === _ioprocessors['http://www.w3.org/TR/scxml/#SCXMLEventProcessor']", "true")
	st.want("_ioprocessors['basichttp'].location", `"http://127.0.0.1/x"`)
	st.want("'basichttp' in _ioprocessors", "true")
	st.want("Object.keys(_ioprocessors).length", "2")
	st.want("_ioprocessors === _ioprocessors", "true")
	st.want("typeof In", `"function"`)

	st.SetEvent(&datamodel.Event{Name: "foo"})
	for _, script := range []string{
		"_event = 1", "_sessionid = 1", "_name = 1", "_ioprocessors = 1", "_x = 1",
		"_event.name = 'x'", "_event.data = 1", "_event.other = 1", "delete _event.name",
		"_ioprocessors.x = 1", "_ioprocessors.scxml.location = 1", "_x.y = 1",
		"var _event = 5", "this._name = 1", "Object.defineProperty(_event, 'name', {value: 'x'})",
		"delete _event.name",
	} {
		fails(t, st.Run(expr(datamodel.Script, script)), "TypeError")
	}
	for _, script := range []string{"let _event = 1", "function _event(){}", "const _name = 1"} {
		if err := st.Run(expr(datamodel.Script, script)); err == nil {
			t.Errorf("%s: no error", script)
		}
	}
	st.run("delete this._event; In = 5")
	st.want("_event.name", `"foo"`)
	st.want("In('s1')", "true")
}

func TestEvent(t *testing.T) {
	st := newStore(t)
	data := datamodel.NewObject("list", []datamodel.Value{int64(1)})
	st.SetEvent(&datamodel.Event{Name: "foo.bar", Type: datamodel.Internal, SendID: "s", Data: data})
	st.want("_event", `{"name":"foo.bar","type":"internal","sendid":"s","origin":{"$undefined":true},`+
		`"origintype":{"$undefined":true},"invokeid":{"$undefined":true},"data":{"list":[1]}}`)
	st.want("['name','type','sendid','origin','origintype','invokeid','data'].every(function(k){ return k in _event })", "true")
	st.want("JSON.stringify(_event)", `"{\"name\":\"foo.bar\",\"type\":\"internal\",\"sendid\":\"s\",\"data\":{\"list\":[1]}}"`)
	st.want("_event === _event && _event.data === _event.data", "true")
	st.want("_event.nope", `{"$undefined":true}`)
	st.want("String(_event)", `"[object Object]"`)
	st.set("kept", "_event")
	st.run("_event.data.list.push(2)")
	st.want("_event.data.list", "[1,2]")
	if got := datamodel.Text(data); got != `{"list":[1]}` {
		t.Errorf("the event's own data became %s", got)
	}
	st.SetEvent(&datamodel.Event{Name: "next"})
	st.want("[_event.name, _event.data, kept.name, kept.data.list.length, kept === _event]", `["next",{"$undefined":true},"foo.bar",2,false]`)
	st.SetEvent(&datamodel.Event{Name: "n", Data: datamodel.Null})
	st.want("_event.data", "null")
}

func TestForeach(t *testing.T) {
	st := newStore(t)
	st.set("list", "[1,2,3]")
	var seen []string
	err := st.Foreach(expr(datamodel.ValueExpr, "list"), "item", "i", func() bool {
		st.run("list.push(9)") // a shallow copy is gone over
		seen = append(seen, st.get("[item, i]"))
		return len(seen) < 10
	})
	if err != nil || len(seen) != 3 || seen[2] != "[3,2]" {
		t.Errorf("got %v, %v", seen, err)
	}
	st.want("[item, i]", "[3,2]")

	st.set("objects", "[{n: 1}, null, , 'x']")
	seen = nil
	err = st.Foreach(expr(datamodel.ValueExpr, "objects"), "o", "", func() bool {
		seen = append(seen, st.get("[o, o === objects[0]]"))
		return len(seen) < 3
	})
	if err != nil || len(seen) != 3 || seen[0] != `[{"n":1},true]` || seen[1] != "[null,false]" || seen[2] != `[{"$undefined":true},false]` {
		t.Errorf("got %v, %v", seen, err)
	}

	// W3C tests 150, 151: declared although there is nothing to go over.
	if err := st.Foreach(expr(datamodel.ValueExpr, "[]"), "none", "noIndex", func() bool { return true }); err != nil {
		t.Error(err)
	}
	st.want("[none, noIndex]", `[{"$undefined":true},{"$undefined":true}]`)

	never := func() bool { t.Error("body was called"); return false }
	for _, array := range []string{"7", "'abc'", "null", "undefined", "{length: 2}", "new Set([1])", "function(){}"} {
		fails(t, st.Foreach(expr(datamodel.ValueExpr, array), "a", "", never), "the value is not an array")
	}
	fails(t, st.Foreach(expr(datamodel.ValueExpr, "new Array(4294967295)"), "a", "", never), "more than 10000000 items")
	for _, item := range []string{"'continue'", "continue", "", "a.b", "_event"} {
		fails(t, st.Foreach(expr(datamodel.ValueExpr, "[1]"), item, "", never), "")
		if item != "" {
			fails(t, st.Foreach(expr(datamodel.ValueExpr, "[1]"), "a", item, never), "")
		}
	}
	fails(t, st.Foreach(expr(datamodel.ValueExpr, "nope"), "a", "", never), "ReferenceError")
	st.run("const fixed = 1")
	fails(t, st.Foreach(expr(datamodel.ValueExpr, "[1]"), "fixed", "", never), "TypeError")
}

func TestContent(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"123", "123"},
		{" [1,2,3]\n", "[1,2,3]"},
		{`{ "productName" : "bar", "size" : 27 }`, `{"productName":"bar","size":27}`},
		{`{"$ref": 1}`, `{"$$ref":1}`},
		{"true", "true"},
		{"null", "null"},
		{`"x"`, `"x"`},
		{"foo", `"foo"`},
		{"\nthis  is \na string \n", `"this is a string"`},
		{"{a: 1}", `"{a: 1}"`},
		{"'x'", `"'x'"`},
		{"", `""`},
		{"a\u00a0\u00a0b", `"a` + "\u00a0\u00a0" + `b"`},
		{"<a><b/></a>", `{"$xml":"<a><b/></a>"}`},
		{"<a><b></a>", `"<a><b></a>"`},
		{"a < b", `"a < b"`},
	} {
		st := newStore(t)
		e := expr(datamodel.Content, tt.text)
		v, err := st.Value(e)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
		}
		if got := string(datamodel.AppendJSON(nil, v)); got != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.text, got, tt.want)
		}
		if err := st.Init("x", e); err != nil {
			t.Errorf("%q: %v", tt.text, err)
		}
		st.want("x", tt.want)
	}
	// Stores share nothing.
	e := expr(datamodel.Content, `{"a":[1]}`)
	one, two := newStore(t), newStore(t)
	if one.Init("x", e) != nil || two.Init("x", e) != nil || two.Init("y", e) != nil {
		t.Fatal("Init failed")
	}
	one.run("x.a.push(2)")
	two.run("y.a.push(3)")
	one.want("x", `{"a":[1,2]}`)
	two.want("[x, y]", `[{"a":[1]},{"a":[1,3]}]`)
}

func TestScriptsShareTheGlobalScope(t *testing.T) {
	st := newStore(t)
	st.run("var n = 1; function add(k) { n += k; return n }")
	st.run("add(2)")
	st.want("add(3)", "6")
	if err := st.Assign(expr(datamodel.Location, "n"), expr(datamodel.ValueExpr, "0")); err != nil {
		t.Fatal(err)
	}
	st.want("add(1)", "1")
	st.run("//# sourceMappingURL=/etc/passwd\nn = 7")
	st.want("eval('n + 1\\n//# sourceMappingURL=/nowhere')", "8")
	st.run("Promise.resolve(5).then(function(v){ n = v })")
	st.want("n", "5")
}
