package forms_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/forms"
)

const data = `<datamodel><data id="limit" expr="10"/><data id="name" expr="'Ada'"/><data id="amount" expr="3"/><data id="open"/>
<data id="prices" expr="({tea: 3, milk: 2})"/><data id="board" expr="[['x', '', 'o'], ['', '', 'x']]"/></datamodel>`

func start(t *testing.T, body string) (*scxml.Chart, *scxml.Session) {
	t.Helper()
	chart, err := scxml.Parse("c.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`+data+body+`</scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := scxml.New(chart, scxml.WithMissing(), scxml.WithSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return chart, s
}

// show returns an event in a line.
func show(ev forms.Event) string {
	text := ev.Name
	if ev.Open {
		text += "*"
	}
	if ev.Own {
		text += " own"
	}
	for _, f := range ev.Fields {
		text += fmt.Sprintf(" %s(%s %s)", f.Name(), f.Kind, datamodel.AppendJSON(nil, f.Values))
		if f.Default != nil {
			text += "=" + f.Format(f.Default)
		}
	}
	if g := ev.Grid; g != nil {
		text += fmt.Sprintf(" grid %d %d %s", g.Row, g.Column, cells(g))
	}
	return text
}

func cells(g *forms.Grid) string {
	var rows []string
	for _, row := range g.Cells {
		rows = append(rows, string(datamodel.AppendJSON(nil, row)))
	}
	return strings.Join(rows, "")
}

func TestNow(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		want []string
	}{
		"order of the document": {`<parallel id="p"><transition event="c"/><state id="a"><transition event="b"/></state><state><transition event="a"/><transition event="b"/></state></parallel>`,
			[]string{"c", "b", "a"}},
		"active states only": {`<state id="a"><transition event="x" target="b"/></state><state id="b"><transition event="y"/></state>`, []string{"x"}},
		"open":               {`<state><transition event="a.*"/><transition event="a"/><transition event="*"/></state>`, []string{"a*", "*"}},
		"own events":         {`<state><onentry><send event="late" delay="1s"/></onentry><transition event="late"/><transition event="mine"/><transition event="done.state.x"/></state>`, []string{"late own", "mine"}},
		"number":             {`<state><transition event="e" cond="_event.data.x &gt; limit"/></state>`, []string{"e x(number [9,10,11])=9"}},
		"text":               {`<state><transition event="e" cond="_event.data === 'on' || _event.data == 'off'"/></state>`, []string{`e (text ["on","","off"])=on`}},
		"boolean":            {`<state><transition event="e" cond="_event.data.sure"/></state>`, []string{`e sure(boolean [true,false])=true`}},
		"choice":             {`<state><transition event="e" cond="_event.data.item in prices"/></state>`, []string{`e item(choice ["tea","milk"])=tea`}},
		"length":             {`<state><transition event="e" cond="_event.data.x.length &lt; 9"/></state>`, []string{`e x(any [])`}},
		"length of all":      {`<state><transition event="e" cond="_event.data.length &lt; 9"/></state>`, []string{`e (any [])`}},
		"length and value":   {`<state><transition event="e" cond="_event.data.x.length &lt; 9"><assign location="name" expr="_event.data.x"/></transition></state>`, []string{`e x(text [])=Ada`}},
		"length and more":    {`<state><transition event="e" cond="_event.data.length &lt; _event.data.width"/></state>`, []string{`e width(any [])`}},
		"any":                {`<state><transition event="e" cond="f(_event.data.x)"/></state>`, []string{`e x(any [])`}},
		"assigned text":      {`<state><transition event="e"><assign location="name" expr="_event.data.name"/></transition></state>`, []string{`e name(text [])=Ada`}},
		"assigned number":    {`<state><transition event="e"><assign location="amount" expr="_event.data"/></transition></state>`, []string{`e (number [])=3`}},
		"assigned anything":  {`<state><transition event="e"><assign location="open" expr="_event.data"/></transition></state>`, []string{`e (any [])`}},
		"nested":             {`<state><transition event="e" cond="_event.data.order.n == 2 &amp;&amp; _event.data.order.paid"/></state>`, []string{`e order.n(number [2,3])=2 order.paid(boolean [true,false])=true`}},
		"grid": {`<state><transition event="e" cond="board[_event.data.y][_event.data.x] === ''"/></state>`,
			[]string{`e x(choice [0,1,2])=0 y(choice [0,1])=0 grid 1 0 ["x","","o"]["","","x"]`}},
	} {
		chart, s := start(t, test.body)
		var got []string
		for _, ev := range forms.New(chart, nil).Now(t.Context(), s) {
			got = append(got, show(ev))
		}
		if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

// The values of a form are those of the present state.
func TestNowFollowsTheSession(t *testing.T) {
	chart, s := start(t, `<state><transition event="set"><assign location="limit" expr="50"/></transition><transition event="e" cond="_event.data &lt; limit"/></state>`)
	f := forms.New(chart, nil)
	for _, want := range []string{"[9,10,11]", "[49,50,51]"} {
		if got := string(datamodel.AppendJSON(nil, f.Now(t.Context(), s)[1].Fields[0].Values)); got != want {
			t.Errorf("the values are %s, want %s", got, want)
		}
		if _, err := s.Do(t.Context(), s.Now(), scxml.Event{Name: "set"}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestData(t *testing.T) {
	field := func(path ...string) forms.Field { return forms.Field{Path: path} }
	for _, test := range []struct {
		fields []forms.Field
		want   string
	}{
		{nil, `{"$undefined":true}`},
		{[]forms.Field{field()}, `1`},
		{[]forms.Field{field("x"), field("y")}, `{"x":1,"y":2}`},
		{[]forms.Field{field("o", "x"), field("z"), field("o", "p", "q")}, `{"o":{"x":1,"p":{"q":3}},"z":2}`},
	} {
		got := forms.Event{Fields: test.fields}.Data([]datamodel.Value{int64(1), int64(2), int64(3)})
		if text := string(datamodel.AppendJSON(nil, got)); text != test.want {
			t.Errorf("%v: got %s, want %s", test.fields, text, test.want)
		}
	}
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		kind       forms.Kind
		text, want string
	}{
		{forms.Text, "on", `"on"`}, {forms.Text, "12", `"12"`}, {forms.Text, ` "a b"`, `"a b"`}, {forms.Text, " a", `" a"`}, {forms.Text, "", `""`},
		{forms.Number, "12", "12"}, {forms.Number, " 0.5 ", "0.5"}, {forms.Number, "", `{"$undefined":true}`},
		{forms.Number, "many", `"many" is not a number: write digits, for example 12 or 0.5`},
		{forms.Boolean, "true", "true"}, {forms.Boolean, "yes", `"yes" is not true or false`},
		{forms.Any, "12", "12"}, {forms.Any, "on", `"on"`}, {forms.Any, `{"a":[1]}`, `{"a":[1]}`}, {forms.Any, `"12"`, `"12"`},
		{forms.Any, `{a`, `{a is not JSON: `},
	} {
		f := forms.Field{Kind: test.kind}
		v, err := f.Parse(test.text)
		got := string(datamodel.AppendJSON(nil, v))
		if err != nil {
			if got = err.Error(); !strings.HasPrefix(got, test.want) {
				t.Errorf("%s %q: got %s, want %s", test.kind, test.text, got, test.want)
			}
			continue
		}
		if got != test.want {
			t.Errorf("%s %q: got %s, want %s", test.kind, test.text, got, test.want)
		}
		if back, err := f.Parse(f.Format(v)); err != nil || !datamodel.Equal(back, v) {
			t.Errorf("%s %q: the text %q of its value means another: %v, %v", test.kind, test.text, f.Format(v), back, err)
		}
	}
}
