package suite_test

import (
	"testing"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/suite"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

func TestSuggest(t *testing.T) {
	const (
		head = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel>
		  <data id="limit" expr="10"/><data id="n" expr="0"/><data id="amount"/><data id="prices" expr="({tea: 3, milk: 2})"/>
		  <data id="cart" expr="[]"/><data id="board" expr="[[0, 1, 2], [3, 4, 5]]"/></datamodel>`
		tail = `</scxml>`
	)
	for name, test := range map[string]struct{ body, want string }{
		"literal":      {`<state id="s"><transition event="e" cond="_event.data.x &gt; 5"/></state>`, `{"e":{"x":"4..6"}}`},
		"type":         {`<state id="s"><transition event="e" cond="typeof _event.data.x === 'string' || 'number' == typeof _event.data.y"/></state>`, `{"e":{"x":["text"],"y":[1]}}`},
		"whole data":   {`<state id="s"><transition event="e" cond="_event.data === 'on'"/></state>`, `{"e":["on",""]}`},
		"data":         {`<state id="s"><transition event="e" cond="_event.data.x &gt; limit"/></state>`, `{"e":{"x":"9..11"}}`},
		"sum":          {`<state id="s"><transition event="e" cond="limit - _event.data.x &lt; 3"/></state>`, `{"e":{"x":"6..8"}}`},
		"variable":     {`<state id="s"><transition event="e"><assign location="amount" expr="_event.data.x"/></transition><transition event="f" cond="amount == 7"/></state>`, `{"e":{"x":[7,8]}}`},
		"members":      {`<state id="s"><transition event="e"><script>var o = _event.data.order; if (o.count &gt; 2 &amp;&amp; o.paid) n = 1</script></transition></state>`, `{"e":{"order":{"count":"1..3","paid":[true,false]}}}`},
		"function":     {`<script>function cheap(item) { return prices[item] &lt; limit }</script><state id="s"><transition event="e" cond="cheap(_event.data.item)"/></state>`, `{"e":{"item":["tea","milk"]}}`},
		"its event":    {`<script>function big() { return _event.data.x &gt; limit }</script><state id="s"><transition event="e" cond="big()"/><transition event="f"/></state>`, `{"e":{"x":"9..11"}}`},
		"lookup":       {`<state id="s"><transition event="e" cond="board[_event.data.y][_event.data.x] &gt; 1"/></state>`, `{"e":{"x":"0..2","y":[0,1]}}`},
		"membership":   {`<state id="s"><transition event="e" cond="['a', 'b'].includes(_event.data.k)"/></state>`, `{"e":{"k":["a","b"]}}`},
		"state":        {`<state id="s"><transition event="add"><assign location="n" expr="5"/></transition><transition event="e" cond="_event.data == n"/></state>`, `{"e":[0,1,5,6]}`},
		"second round": {`<state id="s"><transition event="add" cond="_event.data in prices"><script>cart.push({id: _event.data})</script></transition><transition event="drop" cond="cart.length &gt; 0 &amp;&amp; cart[0].id == _event.data"/></state>`, `{"add":["tea","milk"],"drop":["tea","","milk"]}`},
		"callback":     {`<state id="s"><transition event="add"><script>if (cart.length == 0) cart.push({id: 3})</script></transition><transition event="drop" cond="cart.some(i =&gt; i.id == _event.data.id)"/></state>`, `{"drop":{"id":[3,4]}}`},
		"switch":       {`<state id="s"><transition event="e"><script>switch (_event.data.kind) { case 'a': n = 1; break; case 'b': n = 2 }</script></transition></state>`, `{"e":{"kind":["a","","b"]}}`},
		"several":      {`<state id="s"><transition event="e f.*" cond="_event.data.x === null"/></state>`, `{"e":{"x":[null,1]},"f":{"x":[null,1]}}`},
		"unknown":      {`<state id="s"><transition event="e"><assign location="n" expr="n + _event.data.by"/></transition></state>`, `{"e":{"by":[1]}}`},
		"own events":   {`<state id="s"><onentry><raise event="e"/></onentry><transition event="e" cond="_event.data.x &gt; 5"/></state>`, `{}`},
		"no data":      {`<state id="s"><transition event="e" cond="n &gt; 5"/></state>`, `{}`},
		"a file":       {`<script src="lib/f.js"/><state id="s"><transition event="e" cond="f(_event.data)"/></state>`, `{"e":{"z":"0..2"}}`},
	} {
		files := fstest.MapFS{
			"c.scxml":  {Data: []byte(head + test.body + tail)},
			"lib/f.js": {Data: []byte("function f(d) { return d.z > 1 }")},
		}
		chart, err := scxml.Load(files, "c.scxml")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := suite.Suggest(t.Context(), chart, files, explore.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text := datamodel.AppendJSON(nil, got)
		if string(text) != test.want {
			t.Errorf("%s: got %s, want %s", name, text, test.want)
		}
		if _, err := explore.ParseData(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// However many values the parts of an event have, their combinations can be tried.
func TestSuggestionIsBounded(t *testing.T) {
	body := ""
	for _, member := range []string{"a", "b", "c", "d"} {
		for _, limit := range []string{"10", "20", "30", "40", "50", "60", "70"} {
			body += `<transition event="e" cond="_event.data.` + member + ` &gt; ` + limit + `"/>`
		}
	}
	chart := parse(t, "c.scxml", `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="s">`+body+`</state></scxml>`)
	got, err := suite.Suggest(t.Context(), chart, nil, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := explore.ParseData(datamodel.AppendJSON(nil, got))
	if n := len(data["e"]); err != nil || n < 1000 || n > 2000 {
		t.Errorf("%d values, %v", n, err)
	}
}
