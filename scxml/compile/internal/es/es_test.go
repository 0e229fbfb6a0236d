package es_test

import (
	"go/parser"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/es"
)

// turnstile has items of several types: the host may give any scalar for v.
func turnstile(text string, event bool) (*es.Chart, *es.Expr, *es.Expr, []es.Problem) {
	x := es.New([]es.Item{
		{ID: "coins", Init: source("0")}, {ID: "price", Init: source("1.5")}, {ID: "name", Init: source("'a'")},
		{ID: "open", Init: source("false")}, {ID: "v", Given: es.Scalar}, {ID: "none"},
	}, names)
	value, cond := x.Add(datamodel.ValueExpr, source(text), event), x.Add(datamodel.Condition, source(text), event)
	return x, value, cond, x.Solve()
}

// Expressions are what a Go programmer would write, where types are known.
func TestGoOfExpressions(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"coins + 1", "m.d.coins + 1"},
		{"coins + 1 < 3", "m.d.coins + 1 < 3"},
		{"(coins + 1) * (price - coins)", "float64((m.d.coins + 1) * (m.d.price - m.d.coins))"},
		{"coins - (price - 1)", "m.d.coins - (m.d.price - 1)"},
		{"coins * price + 1", "float64(m.d.coins * m.d.price) + 1"},
		{"coins * price > 1", "m.d.coins * m.d.price > 1"},
		{"coins / 3", "m.d.coins / 3"},
		{"-(-coins)", "-(-m.d.coins)"},
		{"- -0", "0"},
		{"-0", "js.NegativeZero()"},
		{"0 * -2", "js.NegativeZero()"},
		{"1 / 2", "0.5"},
		{"7 % 3 + 2 ** 10", "1025"},
		{"1 / 0", "js.Infinity()"},
		{"-1 / 0", "-js.Infinity()"},
		{"0 / 0", "js.NaN()"},
		{"1e308 * 10", "js.Infinity()"},
		{"9007199254740993", "9.007199254740992e+15"},
		{"1e21 | 0", "-559939584"},
		{"coins | 0", "float64(js.Int32(m.d.coins))"},
		{"coins & 6", "float64(js.Int32(m.d.coins) & 6)"},
		{"1 << coins", "float64(int32(1) << (js.Uint32(m.d.coins) & 31))"},
		{"coins >>> 33", "float64(js.Uint32(m.d.coins) >> 1)"},
		{"coins % 2 === 0", "js.Mod(m.d.coins, 2) == 0"},
		{"!open && coins != 3", "!m.d.open && m.d.coins != 3"},
		{"open === false || !(coins > 1)", "!m.d.open || !(m.d.coins > 1)"},
		{"name == 'b'", `m.d.name == "b"`},
		{"name < 'b'", `js.CompareText(m.d.name, "b") < 0`},
		{"'a' + 1 + 2", `"a12"`},
		{"name + ': ' + coins", `m.d.name + ": " + js.NumberText(m.d.coins)`},
		{"`${name}-${open}`", `m.d.name + "-" + js.BoolText(m.d.open)`},
		{"coins == '3'", "m.d.coins == 3"},
		{"coins === '3'", "false"},
		{"coins == null", "false"},
		{"v == null", "m.d.v.IsNullish()"},
		{"v !== undefined", "!m.d.v.IsUndefined()"},
		{"v === null", "m.d.v.IsNull()"},
		{"none", "m.d.none"},
		{"v + 1", "js.Add(m.d.v, js.Number(1))"},
		{"v - 1", "m.d.v.ToNumber() - 1"},
		{"v < coins", "m.d.v.ToNumber() < m.d.coins"},
		{"v < name", "js.Less(m.d.v, js.String(m.d.name))"},
		{"v || 3", "js.Or(m.d.v, js.Number(3))"},
		{"coins ?? 3", "m.d.coins"},
		{"open ? coins : price", "js.If(m.d.open, m.d.coins, m.d.price)"},
		{"open ? 1 : 2", "js.If[float64](m.d.open, 1, 2)"},
		{"open ? 1 : 'x'", `js.If(m.d.open, js.Number(1), js.String("x"))`},
		{"typeof coins", `"number"`},
		{"typeof v == 'string'", `m.d.v.TypeOf() == "string"`},
		{"typeof missing", `"undefined"`},
		{"missing", `js.Throw[js.Value](&m.err, "ReferenceError: missing is not defined")`},
		{"true || missing", "true"},
		{"open && missing", "func() js.Value {\nif v := js.Bool(m.d.open); !v.Truth() {\nreturn v\n}\nreturn js.Throw[js.Value](&m.err, \"ReferenceError: missing is not defined\")\n}().Bool()"},
		{"In('on') && In('nowhere')", "false"},
		{"In('on')", "m.in(3)"},
		{"_event.name", "m.ev.name"},
		{"_event.name == 'go'", `m.ev.name == "go"`},
		{"_event.sendid", "js.TextOrUndefined(m.ev.sendid)"},
		{"_event.data.code === 4711", `js.MemberIsNumber(&m.err, &m.ev.data, &m.ev.data_code, "code", 4711)`},
		{"_event.data?.code", `js.OptionalMember(&m.ev.data, &m.ev.data_code, "code")`},
		{"(name || 1).length", `js.Property(nil, js.Or(js.String(m.d.name), js.Number(1)), "length")`},
		{"name.length > 2", "js.Length(m.d.name) > 2"},
		{"Math.max(coins, 3, price)", "js.Max(m.d.coins, 3, m.d.price)"},
		{"Math.floor(coins / 2)", "js.Floor(m.d.coins / 2)"},
		{"parseInt(name)", "js.ParseInt(m.d.name, 0)"},
		{"'it\\'s \"*/\\n\\u2028'", `"it's \"*/\n\u2028"`},
		{"5;", "5"},
	} {
		x, value, cond, problems := turnstile(test.text, true)
		if len(problems) > 0 {
			t.Errorf("%s: %v", test.text, problems)
			continue
		}
		code := x.Value(value)
		if code.Text != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.text, code.Text, test.want)
		}
		for _, text := range []string{code.Text, code.Any(), x.Cond(cond).Text, x.Text(value).Text} {
			if _, err := parser.ParseExpr(text); err != nil {
				t.Errorf("%s: %s: %v", test.text, text, err)
			}
		}
	}
}

// What cannot be compiled is reported at its place, all of it at once.
func TestProblemsOfExpressions(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"[1, 2]", ""},
		{"coins + {a: 1}.a + (() => 1)()", ""},
		{"coins = 1", ""},
		{"coin = 1", "1:1 an assignment to coin, which is not declared"},
		{"new Date()", "1:1 the operator new with something else than Array, Object and errors: compiled charts do not have dates"},
		{"new Thing()", "1:1 the operator new with something else than Array, Object and errors: write an object literal"},
		{"(coins = 1)()", "1:2 a call of an assignment: call a function by its name"},
		{"(coins ? 1 : 2)(), (coins, 1)()", "1:2 a call of the operator ?: | 1:21 a call of a sequence of expressions"},
		{"name.test('a')", "1:1 a call of .test(): compiled charts do not have regular expressions"},
		{"Date", "1:1 Date of ECMAScript's library"},
		{"Math.random()", "1:1 a call of Math.random()"},
		{"name.match(',')", "1:1 a call of .match(), which compiled charts do not have"},
		{"name.trim", "1:1 trim of ECMAScript's library"},
		{"/a/", "1:1 a regular expression"},
		{"v instanceof name", "1:1 instanceof"},
		{"this", "1:1 this is not compiled: give the function a parameter"},
		{"10n", "1:1 a BigInt"},
		{"'\\ud800'", "1:1 a string with half a surrogate pair"},
		{"_ioprocessors", "1:1 _ioprocessors as a value"},
		{"In(name)", "1:1 In() with a computed id"},
		{"true || [/a/]", "1:10 a regular expression"},
		{"function() {}", "1:1 a function that is kept as data"},
		{"[Number, {a: () => 1}]", "1:2 a function that is kept as data | 1:14 a function that is kept as data"},
		{"{toString: 1}.x", "1:2 a property that is called toString"},
		{"f?.(1) + /a/", "1:1 a call with ?. | 1:10 a regular expression"},
	} {
		_, _, _, problems := turnstile(test.text, true)
		var got []string
		for _, p := range problems {
			got = append(got, strings.TrimPrefix(p.Pos.String(), "chart.scxml:")+" "+p.Msg)
		}
		want := strings.Split(test.want, " | ")
		if test.want == "" {
			want = nil
		}
		ok := len(got) == len(want)
		for i := range min(len(got), len(want)) {
			ok = ok && strings.HasPrefix(got[i], want[i])
		}
		if !ok {
			t.Errorf("%s\n got %s\nwant %s", test.text, strings.Join(got, " | "), test.want)
		}
	}
}

// The time for an expression grows with its length.
func TestDeepExpressions(t *testing.T) {
	for _, text := range []string{
		"v" + strings.Repeat(".trim()", 400), "v" + strings.Repeat(".toString()", 400), strings.Repeat("(", 400) + "v" + strings.Repeat(" || missing)", 400),
		strings.Repeat("v ? missing : ", 400) + "1", strings.Repeat("!(v && ", 400) + "v" + strings.Repeat(")", 400), "v" + strings.Repeat(".a", 400), "_event?.data" + strings.Repeat("?.a", 400),
		"v" + strings.Repeat(" === v", 400), strings.Repeat("String(v + ", 400) + "v" + strings.Repeat(")", 400),
	} {
		x, value, _, _ := turnstile(text, false)
		if n := len(x.Value(value).Text); n > 100*len(text) {
			t.Errorf("%.40s…: %d bytes become %d", text, len(text), n)
		}
	}
}

// Names that no variable can have are reported.
func TestNamesOfItems(t *testing.T) {
	for _, name := range []string{"undefined", "NaN", "_event", "In", "a b", "a;b", "a\nb", "1a", "let", "class", `\u0061`, "a/**/", ""} {
		x := es.New([]es.Item{{ID: name, Pos: datamodel.Position{Line: 1, Col: 1}}}, names)
		if len(x.Solve()) != 1 {
			t.Errorf("%q can be the name of an item", name)
		}
	}
}

// Types follow from what is assigned, wherever that is.
func TestTypes(t *testing.T) {
	for _, test := range []struct{ items, script, content, want string }{
		{"a=1", "", "", "number"},
		{"a=1", "", "a = 'x'", "number|string"},
		{"a=1 b=a+1", "", "", "number number"},
		{"a=b b=1", "", "", "number|undefined number|undefined"},
		{"a=missing", "", "", "undefined"},
		{"a=1 b=missing||1", "", "b = 2", "number number|undefined"},
		{"a", "", "a = 1", "number|undefined"},
		{"a=1 b=2", "", "a = b", "number number"},
		{"a=1 b=2", "", "a = b; b = 'x'", "number|string number|string"},
		{"a=1", "var g = a;", "a = g + ''", "number|string"},
		{"a=''", "", "a += 1", "string"},
		{"a=1", "", "a += ''", "number|string"},
		{"a=true", "", "a ||= 1; a++", "bool|number"},
		{"a=1 b", "", "a = b || 1; b = 2", "number number|undefined"},
		{"a=1 b", "", "a = b ?? 1; b = 2", "number number|undefined"},
		{"a=1", "", "a = _event.name", "number|string"},
		{"a=1", "", "a = a === 'x'", "bool|number"},
		{"a=null", "", "", "null"},
		{"a='x'", "", "a += true; a = false", "bool|number|string"},
		{"a=1 b", "", "a = b ?? 1; b = 'x'", "number|string string|undefined"},
		{"a=1", "var g = missing; g = 1;", "a = g", "number|undefined"},
		{"a=1", "a = g; var g = 1;", "", "number|undefined"},
		{"a=1", "var g = 1;", "a = g", "number"},
		{"a=_event.name b=1", "", "a = ''", "string|undefined number"},
		{"a=1", "", "var t = a; a = t", "number|undefined"},
	} {
		var items []es.Item
		for _, text := range strings.Fields(test.items) {
			id, init, ok := strings.Cut(text, "=")
			it := es.Item{ID: id, Kind: datamodel.ValueExpr}
			if ok {
				it.Init = source(init)
			}
			items = append(items, it)
		}
		x := es.New(items, names)
		x.AddScript(source(test.script), true, false)
		x.AddScript(source(test.content), false, true)
		if problems := x.Solve(); len(problems) > 0 {
			t.Errorf("%+v: %v", test, problems)
			continue
		}
		var got []string
		for _, it := range items {
			got = append(got, x.Type(it.ID).String())
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%+v\n got %s\nwant %s", test, s, test.want)
		}
	}
}

// Statements are short where types are known, and a failure ends a script.
func TestGoOfStatements(t *testing.T) {
	x, _, _, _ := turnstile("1", true)
	_ = x
	for _, test := range []struct{ script, want string }{
		{"coins++", "m.d.coins++"},
		{"coins += price; coins -= 1", "m.d.coins += m.d.price\nm.d.coins -= 1"},
		{"coins *= 2", "m.d.coins = float64(m.d.coins * 2)"},
		{"name += coins", "m.d.name += js.NumberText(m.d.coins)"},
		{"v = 1", "m.d.v = js.Number(1)"},
		{"if (coins > 2) open = true; else { v++ }", "if m.d.coins > 2 {\nm.d.open = true\n} else {\nm.d.v = js.Number(m.d.v.ToNumber() + 1)\n}"},
		{"coins = 1, open = true", "m.d.coins = 1\nm.d.open = true"},
		{"coins = +_event.data.n", "defer js.Catch(&m.err)\nm.d.coins = js.MemberNumber(nil, &m.ev.data, &m.ev.data_n, \"n\")"},
		{"_event = 1", "defer js.Catch(&m.err)\njs.Throw[js.Value](nil, \"TypeError: the system variable _event cannot be changed\")"},
		{"missing; coins = 1", "defer js.Catch(&m.err)\njs.Throw[js.Value](nil, \"ReferenceError: missing is not defined\")\nm.d.coins = 1"},
		{"1; ;", ""},
		{"coins = ", "m.err = \"SyntaxError: unexpected end of input\""},
	} {
		x := es.New([]es.Item{
			{ID: "coins", Init: source("0")}, {ID: "price", Init: source("1.5")}, {ID: "name", Init: source("'a'")},
			{ID: "open", Init: source("false")}, {ID: "v", Given: es.Scalar},
		}, names)
		e := x.AddScript(source(test.script), false, true)
		if problems := x.Solve(); len(problems) > 0 {
			t.Errorf("%s: %v", test.script, problems)
			continue
		}
		if got := x.Script(e).Text; got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.script, got, test.want)
		}
	}
	for script, want := range map[string]string{
		"for (;;) {}": "", "x = 1": "an assignment to x, which is not declared", "let a = 1": "let a in executable content",
		"function f() {}": "a function that a script in executable content declares", "v.a = 1": "", "var [a] = v": "a destructuring pattern",
		"return": "", "coins = (open = true)": "", "a: v = 1": "a label of something else", "for (;;) try { break } catch (e) {}": "",
	} {
		x := es.New([]es.Item{{ID: "coins", Init: source("0")}, {ID: "open", Init: source("false")}, {ID: "v", Given: es.Scalar}}, names)
		x.AddScript(source(script), false, true)
		problems := x.Solve()
		if want == "" && len(problems) == 0 {
			continue
		}
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Msg, want) {
			t.Errorf("%s\n got %v\nwant %s", script, problems, want)
		}
	}
}

// What is assigned to where that cannot be fails when it is evaluated, with the words of the interpreter.
func TestRefusedAssignments(t *testing.T) {
	st := newStore(t)
	for _, location := range []string{"_name", "_event", "_event.name", "_x.a", "missing", "missing.a", "missing.a.b", "_ioprocessors", "_sessionid", "1"} {
		x := es.New(nil, names)
		loc, value := x.Add(datamodel.Location, source(location), true), x.Add(datamodel.ValueExpr, source("1"), true)
		x.AddAssign(loc, value)
		if problems := x.Solve(); len(problems) > 0 {
			t.Errorf("%s: %v", location, problems)
			continue
		}
		st.SetEvent(&datamodel.Event{Name: "a"})
		err := st.Assign(compiled(datamodel.Location, location), compiled(datamodel.ValueExpr, "1"))
		if err == nil {
			t.Fatalf("%s can be assigned to", location)
		}
		if code := x.Assign(loc, value); !code.Fails || !strings.Contains(code.Text, strings.ReplaceAll(err.Error(), `"`, `\"`)) {
			t.Errorf("%s\n got %s\nwant %s", location, code.Text, err)
		}
	}
}
