package es_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/compile/internal/es"
	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// A flowChart has data items whose types follow from what is assigned to them: first each gets its
// initial value or that of the host, then the global script runs, then the steps are taken in some order.
type flowChart struct {
	items  []es.Item
	given  []js.Value // by the host, by item; an object for nothing
	script string
	steps  []step
	order  []int // of the steps that are taken
}

// A step assigns to a location, runs a script, or initialises a late item.
type step struct {
	location, value, script string
	item                    int
}

func (s step) String() string {
	return s.location + " = " + s.value + " | " + s.script + " | " + strconv.Itoa(s.item)
}

// simple writes an expression that goja has no faults with.
func simple(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(4) == 0 {
		switch r.IntN(9) {
		case 0:
			return []string{"null", "undefined", "true", "false"}[r.IntN(4)]
		case 1, 2:
			return strconv.Itoa(r.IntN(4))
		case 3:
			return []string{"'a'", "'b'", "'1'", "''"}[r.IntN(4)]
		case 4:
			return []string{"_event.data.m", "missing", "g", "typeof g", "_name"}[r.IntN(5)]
		}
		return "w" + strconv.Itoa(r.IntN(6))
	}
	sub := func() string { return "(" + simple(r, depth-1) + ")" }
	switch r.IntN(6) {
	case 0:
		return sub() + " ? " + sub() + " : " + sub()
	case 1:
		return []string{"!", "+", "typeof "}[r.IntN(3)] + sub()
	}
	ops := []string{"+", "+", "-", "===", "!=", "<", ">=", "&&", "||", "??"}
	return sub() + " " + ops[r.IntN(len(ops))] + " " + sub()
}

func simpleScript(r *rand.Rand, depth int) string {
	var b strings.Builder
	for range 1 + r.IntN(3) {
		w := "w" + strconv.Itoa(r.IntN(6))
		if r.IntN(8) == 0 {
			w = "g"
		}
		switch r.IntN(9) {
		case 0:
			fmt.Fprintf(&b, "%s++; ", w)
		case 1:
			fmt.Fprintf(&b, "--%s; ", w)
		case 2, 3:
			fmt.Fprintf(&b, "%s %s= %s; ", w, []string{"+", "-", "||", "&&", "??"}[r.IntN(5)], simple(r, 1))
		case 4, 5:
			if depth > 0 {
				fmt.Fprintf(&b, "if (%s) { %s} ", simple(r, 1), simpleScript(r, depth-1))
				if r.IntN(2) == 0 {
					fmt.Fprintf(&b, "else %s = %s; ", w, simple(r, 1))
				}
				continue
			}
			fallthrough
		default:
			fmt.Fprintf(&b, "%s = %s; ", w, simple(r, 2))
		}
	}
	return b.String()
}

func newFlowChart(r *rand.Rand) *flowChart {
	c := &flowChart{}
	for i := range 6 {
		it := es.Item{ID: "w" + strconv.Itoa(i), Kind: datamodel.ValueExpr, Late: r.IntN(5) == 0}
		switch r.IntN(6) {
		case 0:
		case 1:
			it.Init = source([]string{simple(r, 2), simple(r, 2), "(" + simple(r, 1) + ") ? missing : 2", "_event.name"}[r.IntN(4)])
		default:
			it.Init = source([]string{"1", "'a'", "true", "2"}[r.IntN(4)])
		}
		given := js.ObjectValue()
		if !it.Late && r.IntN(6) == 0 {
			given = js.Number(3)
			it.Given = es.Number
		}
		c.items, c.given = append(c.items, it), append(c.given, given)
		if it.Late && it.Init != nil {
			c.steps = append(c.steps, step{item: i})
		}
	}
	if r.IntN(3) == 0 {
		c.script = simpleScript(r, 0)
	}
	c.script += "var g = " + []string{"1", "'x'", "w0", "w1 ? missing : 1"}[r.IntN(4)] + "; " + simpleScript(r, 1)
	for range 2 + r.IntN(3) {
		if r.IntN(2) == 0 {
			c.steps = append(c.steps, step{script: simpleScript(r, 1), item: -1})
			continue
		}
		location := "w" + strconv.Itoa(r.IntN(6))
		if r.IntN(8) == 0 {
			location = []string{"_name", "missing", "_event.name"}[r.IntN(3)]
		}
		c.steps = append(c.steps, step{location: location, value: simple(r, 1), item: -1})
	}
	for range 8 {
		c.order = append(c.order, r.IntN(len(c.steps)))
	}
	return c
}

// program writes the chart as a Go function.
func (c *flowChart) program(t *testing.T, b *bytes.Buffer, number int) {
	x := es.New(c.items, names)
	script := x.AddScript(source(c.script), true, false)
	type added struct{ location, value, script *es.Expr }
	var steps []added
	for _, s := range c.steps {
		var a added
		switch {
		case s.item >= 0:
		case s.script != "":
			a.script = x.AddScript(source(s.script), false, true)
		default:
			a.location, a.value = x.Add(datamodel.Location, source(s.location), true), x.Add(datamodel.ValueExpr, source(s.value), true)
			x.AddAssign(a.location, a.value)
		}
		steps = append(steps, a)
	}
	for _, p := range x.Solve() {
		t.Fatalf("%s: %s in %v", p.Pos, p.Msg, c)
	}
	fmt.Fprintf(b, "\ntype flow%d struct {\nerr string\nev event\nd struct {\n", number)
	for _, it := range c.items {
		fmt.Fprintf(b, "%s %s\n", it.ID, x.Type(it.ID).Go())
	}
	for _, v := range x.Vars() {
		fmt.Fprintf(b, "%s %s\n", v, x.Type(v).Go())
	}
	fmt.Fprintf(b, "}\n}\n\nfunc (m *flow%d) show(n int) {\nfmt.Fprint(out, m.err, \" |\")\nm.err = \"\"\n", number)
	for i, it := range c.items {
		fmt.Fprintf(b, "if n > %d {\nitem(m.d.%s)\n}\n", i, it.ID)
	}
	b.WriteString("fmt.Fprintln(out)\n}\n")
	function := func(name, body string) {
		fmt.Fprintf(b, "\nfunc (m *flow%d) %s() {\n%s\n}\n", number, name, body)
	}
	run := ""
	for i, it := range c.items {
		body := x.Init(i).Text
		if it.Late {
			continue
		}
		if v := c.given[i]; v.Type() != js.TypeObject {
			body = x.SetItem(it.ID, es.Literal(v))
		}
		function("init"+strconv.Itoa(i), body)
		run += fmt.Sprintf("m.init%d()\nm.show(%d)\n", i, i+1)
	}
	function("script", x.Script(script).Text)
	run += "m.script()\nm.show(6)\nm.ev = event{present: true, name: \"go.on\", data: js.NewObject().With(\"m\", js.Number(2)).Value(), data_m: js.Number(2)}\n"
	for i, s := range c.steps {
		switch {
		case s.item >= 0:
			function("step"+strconv.Itoa(i), x.Init(s.item).Text)
		case s.script != "":
			function("step"+strconv.Itoa(i), x.Script(steps[i].script).Text)
		default:
			function("step"+strconv.Itoa(i), x.Assign(steps[i].location, steps[i].value).Text)
		}
	}
	for _, i := range c.order {
		run += fmt.Sprintf("m.step%d()\nm.show(6)\n", i)
	}
	fmt.Fprintf(b, "\nfunc runFlow%d() {\nm := &flow%d{}\n%s}\n", number, number, run)
}

// String returns the chart.
func (c *flowChart) String() string {
	var b strings.Builder
	for i, it := range c.items {
		text := ""
		if it.Init != nil {
			text = it.Init.Text
		}
		fmt.Fprintf(&b, "%s: %s, late %t, given %v\n", it.ID, text, it.Late, c.given[i])
	}
	fmt.Fprintf(&b, "%s\n", c.script)
	for _, s := range c.steps {
		fmt.Fprintln(&b, s)
	}
	return b.String()
}

// compare compares the output of the compiled chart with goja, and returns the rest.
func (c *flowChart) compare(t *testing.T, lines []string) []string {
	st := newStore(t)
	for _, it := range c.items {
		if err := st.Declare(it.ID); err != nil {
			t.Fatal(err)
		}
	}
	failed := false
	n := 0 // items that are initialised
	after := func(what string, err error) {
		msg := ""
		if err != nil {
			msg = err.Error()
		}
		want := msg + " |"
		for _, it := range c.items[:n] {
			v, err := st.Value(compiled(datamodel.ValueExpr, it.ID))
			if err != nil {
				t.Fatal(err)
			}
			want += " " + show(scalar(t, v))
		}
		if got := lines[0]; got != want && !failed {
			t.Errorf("%v\nafter %s\n got %s\nwant %s", c, what, got, want)
			failed = true
		}
		lines = lines[1:]
	}
	for i, it := range c.items {
		n = i + 1
		switch v := c.given[i]; {
		case it.Late:
		case v.Type() != js.TypeObject:
			after("init", st.Set(it.ID, neutral(v)))
		case it.Init == nil:
			after("init", nil)
		default:
			after("init", st.Init(it.ID, compiled(datamodel.ValueExpr, it.Init.Text)))
		}
	}
	n = len(c.items)
	after(c.script, st.Run(compiled(datamodel.Script, c.script)))
	st.SetEvent(&datamodel.Event{Name: "go.on", Data: datamodel.NewObject("m", int64(2))})
	for _, i := range c.order {
		switch s := c.steps[i]; {
		case s.item >= 0:
			it := c.items[s.item]
			after("late "+it.ID, st.Init(it.ID, compiled(datamodel.ValueExpr, it.Init.Text)))
		case s.script != "":
			after(s.script, st.Run(compiled(datamodel.Script, s.script)))
		default:
			after(s.String(), st.Assign(compiled(datamodel.Location, s.location), compiled(datamodel.ValueExpr, s.value)))
		}
	}
	return lines
}
