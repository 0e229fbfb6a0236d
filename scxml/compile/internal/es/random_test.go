package es_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/format"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/es"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

var (
	charts = flag.Int("es.charts", 5, "random charts that are compiled")
	keep   = flag.String("es.keep", "", "where to write the program that they are compiled to")
	seed   = flag.Uint64("es.seed", 46, "of the random charts")
)

// A chart has data items, whose types are known to some extent, and expressions.
type chart struct {
	ids    []string
	types  []es.Type
	exprs  []string
	event  bool         // there is one
	rounds [][]js.Value // of the items
	data   []js.Value   // of the event, by round
	member []js.Value   // its member m
}

// write writes a random expression.
func (c *chart) write(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(8) == 0 {
		return c.leaf(r)
	}
	sub := func() string { return "(" + c.write(r, depth-1) + ")" }
	ops := []string{"+", "+", "+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>", "===", "!==", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "&&", "||", "??"}
	switch r.IntN(14) {
	case 0:
		return []string{"+", "-", "!", "~", "typeof ", "void ", "!!"}[r.IntN(7)] + sub()
	case 1, 2:
		return sub() + " ? " + sub() + " : " + sub()
	case 3:
		return "`" + "x${" + c.write(r, depth-1) + "}" + "`"
	case 4:
		return "(" + sub() + ", " + sub() + ")"
	case 5:
		f := []string{"Math.floor", "Math.round", "Math.abs", "Number", "String", "Boolean", "isNaN", "Math.max", "parseFloat"}[r.IntN(9)]
		return f + sub()
	case 6:
		return []string{"String" + sub() + ".length", "String" + sub() + ".trim()", "Math.min(" + sub() + ", " + sub() + ")"}[r.IntN(3)]
	}
	return sub() + " " + ops[r.IntN(len(ops))] + " " + sub()
}

func (c *chart) leaf(r *rand.Rand) string {
	switch r.IntN(12) {
	case 0:
		return []string{"null", "undefined", "true", "false", "NaN", "Infinity"}[r.IntN(6)]
	case 1:
		return strconv.Itoa(r.IntN(10))
	case 2:
		n := randomNumber(r)
		if n != n || n-n != 0 {
			return "0.5"
		}
		return "(" + js.NumberText(n) + ")"
	case 3:
		return quote(randomText(r))
	case 4:
		return []string{"In('on')", "In('off')", "_name", "_sessionid", "typeof missing", "missing", "Math.PI", "_event.sendid"}[r.IntN(8)]
	case 5:
		return []string{"_event.name", "_event.data", "_event.data.m", "_event.data?.m", "_event.type", "_event.invokeid", "!_event", "typeof _event.data"}[r.IntN(8)]
	}
	return c.ids[r.IntN(len(c.ids))]
}

// quote writes a string as ECMAScript does.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range s {
		switch {
		case r == '\'' || r == '\\' || r < ' ' || r == '\u2028' || r == '\u2029':
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + "'"
}

// ofType returns a random value of one of the types.
func ofType(r *rand.Rand, types es.Type) js.Value {
	for {
		if v := randomValue(r); types&(1<<v.Type()) != 0 {
			return v
		}
	}
}

func newChart(r *rand.Rand) *chart {
	c := &chart{event: r.IntN(3) > 0}
	for i := range 7 {
		c.ids = append(c.ids, "v"+strconv.Itoa(i))
		types := []es.Type{es.Number, es.String, es.Bool, es.Number, es.Number | es.String, es.Scalar, es.Undefined | es.Number}
		c.types = append(c.types, types[i])
	}
	for range 40 {
		c.exprs = append(c.exprs, c.write(r, 1+r.IntN(4)))
	}
	for range 4 {
		var values []js.Value
		for i := range c.ids {
			values = append(values, ofType(r, c.types[i]))
		}
		c.rounds = append(c.rounds, values)
		data := randomValue(r)
		if r.IntN(2) == 0 {
			data = js.ObjectValue()
		}
		c.data = append(c.data, data)
		c.member = append(c.member, randomValue(r))
	}
	return c
}

var names = es.Names{
	Err:   "m.err",
	Field: func(id string) string { return "m.d." + id },
	Depth: "m.depth",
	Func:  func(id string, n int) string { return fmt.Sprintf("m.f%d_%s", n, id) },
	Shape: func(names []string) string { return fmt.Sprintf("js.NewShape(%q)", names) },
	In: func(state string) string {
		switch state {
		case "on":
			return "m.in(3)"
		case "off":
			return "m.in(4)"
		}
		return ""
	},
	Name: `"chart"`, SessionID: "m.id",
	Present: func() string { return "m.ev.present" },
	Event:   func(field string) string { return "m.ev." + field },
	Data:    func() string { return "m.ev.data" },
	Member:  func(name string) string { return "m.ev.data_" + name },
}

const header = `package main

import (
	"bufio"
	"fmt"
	"math"
	"os"

	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

var out = bufio.NewWriter(os.Stdout)

type event struct {
	present bool
	name, type_, sendid, invokeid, origin, origintype string
	data, data_m js.Value
}

func value(v any) js.Value {
	switch v := v.(type) {
	case bool:
		return js.Bool(v)
	case float64:
		return js.Number(v)
	case string:
		return js.String(v)
	}
	return v.(js.Value)
}

func show(err *string, x any) {
	v := value(x)
	switch {
	case *err != "":
		fmt.Fprintf(out, "! %s\n", *err)
	case v.Type() == js.TypeNumber && v.Number() == 0 && math.Signbit(v.Number()):
		fmt.Fprintln(out, "-0")
	default:
		fmt.Fprintln(out, v)
	}
	*err = ""
}

func item(x any) { fmt.Fprint(out, " ", value(x)) }

func main() { run(); out.Flush() }
`

// program writes a chart as a Go function, and returns what its expressions are known to be.
func (c *chart) program(t *testing.T, b *bytes.Buffer, number int) {
	var items []es.Item
	for i, id := range c.ids {
		items = append(items, es.Item{ID: id, Init: source("0"), Given: c.types[i]})
		if c.types[i]&es.Number == 0 {
			items[i].Init = source("''")
			if c.types[i] == es.Bool {
				items[i].Init = source("false")
			}
		}
	}
	names := names
	names.Event = func(field string) string {
		if field == "type" {
			field = "type_"
		}
		return "m.ev." + field
	}
	x := es.New(items, names)
	var exprs, conds []*es.Expr
	for _, text := range c.exprs {
		exprs = append(exprs, x.Add(datamodel.ValueExpr, source(text), c.event))
		conds = append(conds, x.Add(datamodel.Condition, source(text), c.event))
	}
	for _, p := range x.Solve() {
		t.Fatalf("%s: %s\n%s", p.Pos, p.Msg, strings.Join(c.exprs, "\n"))
	}
	fmt.Fprintf(b, "\ntype chart%d struct {\nerr, id string\nev event\nd struct {\n", number)
	for _, id := range c.ids {
		fmt.Fprintf(b, "%s %s\n", id, x.Type(id).Go())
	}
	fmt.Fprintf(b, "}\n}\n\nfunc (m *chart%d) in(n int) bool { return n == 3 }\n", number)
	fmt.Fprintf(b, "\nfunc run%d() {\nm := &chart%d{id: \"session\"}\n", number, number)
	if c.event {
		b.WriteString("m.ev = event{present: true, name: \"go.on\", type_: \"external\", sendid: \"s1\"}\n")
	}
	for round, values := range c.rounds {
		for i, id := range c.ids {
			b.WriteString(x.SetItem(id, es.Literal(values[i])) + "\n")
		}
		if c.event {
			data := "js.NewObject().With(\"m\", " + es.Literal(c.member[round]) + ").Value()"
			if v := c.data[round]; v.Type() != js.TypeObject {
				data = es.Literal(v)
			}
			fmt.Fprintf(b, "m.ev.data, m.ev.data_m = %s, %s\n", data, es.Literal(c.member[round]))
		}
		fmt.Fprintf(b, "m.all()\n")
	}
	fmt.Fprintf(b, "}\n\nfunc (m *chart%d) all() {\n", number)
	for i := range exprs {
		v := x.Value(exprs[i])
		text := v.Text
		if v.Constant != nil && v.Type == es.Number {
			text = "float64(" + text + ")"
		}
		fmt.Fprintf(b, "show(&m.err, %s)\nshow(&m.err, %s)\n", text, x.Cond(conds[i]).Text)
	}
	b.WriteString("}\n")
}

// Random expressions, compiled to Go, yield what goja yields, and fail where they fail there, but for
// goja's own faults. Random assignments and scripts leave the same data.
func TestCompiledExpressionsAreThoseOfGoja(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go tool is missing: nothing is compiled")
	}
	r := rand.New(rand.NewPCG(*seed, 1))
	var all []*chart
	var b bytes.Buffer
	b.WriteString(header)
	run := ""
	for i := range *charts {
		c := newChart(r)
		c.program(t, &b, i)
		all = append(all, c)
		run += fmt.Sprintf("run%d()\n", i)
	}
	var flows []*flowChart
	for i := range *charts * 6 {
		c := newFlowChart(r)
		c.program(t, &b, i)
		flows = append(flows, c)
		run += fmt.Sprintf("runFlow%d()\n", i)
	}
	fmt.Fprintf(&b, "\nfunc run() {\n%s}\n", run)
	text, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, b.Bytes())
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if *keep != "" {
		file = *keep
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(goTool, "run", file)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("go run: %v\n%.3000s\n%s", err, stderr.Bytes(), text)
	}
	lines := strings.Split(string(output), "\n")
	counts := map[string]int{}
	for _, c := range all {
		lines = c.compare(t, lines, counts)
	}
	for _, c := range flows {
		lines = c.compare(t, lines)
	}
	if len(lines) != 1 {
		t.Errorf("%d lines of output are left", len(lines))
	}
	t.Logf("%v", counts)
	if counts["value"] < 200 || counts["failure"] < 20 {
		t.Errorf("too few of a kind: %v", counts)
	}
}

// compare compares the output of the compiled chart with goja, and returns the rest.
func (c *chart) compare(t *testing.T, lines []string, counts map[string]int) []string {
	for round, values := range c.rounds {
		st := newStore(t)
		for i, id := range c.ids {
			if err := st.Set(id, neutral(values[i])); err != nil {
				t.Fatal(err)
			}
		}
		if c.event {
			ev := &datamodel.Event{Name: "go.on", SendID: "s1", Data: neutral(c.data[round])}
			if c.data[round].Type() == js.TypeObject {
				ev.Data = datamodel.NewObject("m", neutral(c.member[round]))
			}
			st.SetEvent(ev)
		}
		for _, text := range c.exprs {
			interp := &interpreter{chart: c, round: round}
			code, err := ecmascript.Tree(datamodel.ValueExpr, *source(text))
			if err != nil {
				t.Fatal(err)
			}
			v := interp.eval(code.Expr)
			want := show(v)
			wantTruth := strconv.FormatBool(v.Truth())
			if interp.err != "" {
				want, wantTruth = "! "+interp.err, "! "+interp.err
			}
			got, gotTruth := lines[0], lines[1]
			lines = lines[2:]
			if got != want || gotTruth != wantTruth {
				t.Errorf("%s\nwith %v, %v, %v\n got %s, as a condition %s\nwant %s", text, values, c.data[round], c.member[round], got, gotTruth, want)
			}
			x, err := st.Value(compiled(datamodel.ValueExpr, text))
			goja := ""
			switch {
			case err != nil:
				goja = "! " + err.Error()
				counts["failure"]++
			case v.Type() == js.TypeObject:
				continue
			default:
				goja = show(scalar(t, x))
				counts["value"]++
			}
			if goja != want {
				if len(interp.faults) == 0 {
					t.Errorf("%s\nwith %v, %v, %v\n got %s\nwant %s, as goja", text, values, c.data[round], c.member[round], got, goja)
				} else {
					counts["fault of goja"]++
				}
			}
		}
	}
	return lines
}

// An interpreter evaluates a tree with the operators of package machine, and notes where goja may have
// others.
type interpreter struct {
	*chart
	round  int
	err    string
	faults []string
}

func (in *interpreter) fail(msg string) js.Value {
	in.err = cmp.Or(in.err, msg)
	return js.Value{}
}

func (in *interpreter) apply(op string, a, b js.Value) js.Value {
	if in.err != "" {
		return js.Value{}
	}
	if why := fault(op, a, b); why != "" {
		in.faults = append(in.faults, why)
	}
	return operators[op](a, b)
}

func (in *interpreter) eval(x tree.Expr) js.Value {
	if in.err != "" {
		return js.Value{}
	}
	switch x := x.(type) {
	case *tree.Number:
		return js.Number(x.Value)
	case *tree.String:
		return js.String(x.Value)
	case *tree.Bool:
		return js.Bool(x.Value)
	case *tree.Null:
		return js.NullValue()
	case *tree.Name:
		return in.name(x.Name)
	case *tree.Chain:
		return in.eval(x.X)
	case *tree.Member:
		return in.member(x)
	case *tree.Call:
		return in.call(x)
	case *tree.Unary:
		if n, ok := x.X.(*tree.Name); ok && x.Op == "typeof" && n.Name == "missing" {
			return js.String("undefined")
		}
		v := in.eval(x.X)
		switch x.Op {
		case "void":
			return js.Value{}
		case "typeof":
			return in.apply("typeof a", v, js.Value{})
		}
		return in.apply(x.Op+"a", v, js.Value{})
	case *tree.Binary:
		a := in.eval(x.X)
		switch {
		case x.Op == "&&" && !a.Truth(), x.Op == "||" && a.Truth(), x.Op == "??" && !a.IsNullish():
			return a
		}
		b := in.eval(x.Y)
		return in.apply(x.Op, a, b)
	case *tree.Conditional:
		if in.eval(x.Test).Truth() {
			return in.eval(x.Then)
		}
		return in.eval(x.Else)
	case *tree.Sequence:
		var v js.Value
		for _, x := range x.List {
			if b, ok := x.(*tree.Binary); ok && b.Op == "&&" { // 5 + ((0 && 1), 7) is 7
				in.faults = append(in.faults, "&& after a false constant, in a sequence")
			}
			v = in.eval(x)
		}
		return v
	case *tree.Template:
		text := x.Texts[0]
		for i, v := range x.Values {
			text += in.eval(v).ToText() + x.Texts[i+1]
		}
		return js.String(text)
	}
	panic(fmt.Sprintf("unknown node %T", x))
}

func (in *interpreter) name(name string) js.Value {
	for i, id := range in.ids {
		if id == name {
			return in.rounds[in.round][i]
		}
	}
	switch name {
	case "undefined":
		return js.Value{}
	case "NaN":
		return js.Number(js.NaN())
	case "Infinity":
		return js.Number(js.Infinity())
	case "_name":
		return js.String("chart")
	case "_sessionid":
		return js.String("session")
	case "_event":
		if in.event {
			return js.ObjectValue()
		}
		return js.Value{}
	}
	return in.fail("ReferenceError: " + name + " is not defined")
}

func (in *interpreter) member(x *tree.Member) js.Value {
	if n, ok := x.Of.(*tree.Name); ok && n.Name == "Math" {
		return js.Number(3.141592653589793)
	}
	of := in.eval(x.Of)
	switch {
	case in.err != "":
		return js.Value{}
	case of.IsNullish() && x.Optional:
		return js.Value{}
	case of.IsNullish():
		return in.fail("TypeError: Cannot read property '" + x.Name + "' of undefined")
	case x.Name == "length" && of.Type() == js.TypeString:
		return js.Number(js.Length(of.Text()))
	}
	switch x.Name {
	case "name":
		return js.String("go.on")
	case "type":
		return js.String("external")
	case "sendid":
		return js.String("s1")
	case "data":
		return in.data[in.round]
	case "m":
		if of.Type() == js.TypeObject {
			return in.chart.member[in.round]
		}
	}
	return js.Value{}
}

func (in *interpreter) call(x *tree.Call) js.Value {
	var args [2]js.Value
	if f, ok := x.Func.(*tree.Member); ok && f.Name == "trim" {
		return in.apply("String(a).trim()", in.eval(f.Of), js.Value{})
	}
	for i, a := range x.Args {
		args[i] = in.eval(a)
	}
	if in.err != "" {
		return js.Value{}
	}
	switch f := x.Func.(type) {
	case *tree.Name:
		switch f.Name {
		case "In":
			return js.Bool(args[0].Text() == "on")
		case "Number":
			return in.apply("+a", args[0], args[1])
		case "Boolean":
			return js.Bool(args[0].Truth())
		}
		return in.apply(f.Name+"(a)", args[0], args[1])
	case *tree.Member:
		switch {
		case f.Name == "max" && len(x.Args) == 1:
			return in.apply("Math.max(a, b)", args[0], js.Number(-js.Infinity()))
		case f.Name == "max", f.Name == "min":
			return in.apply("Math."+f.Name+"(a, b)", args[0], args[1])
		}
		return in.apply("Math."+f.Name+"(a)", args[0], args[1])
	}
	panic("unknown function")
}
