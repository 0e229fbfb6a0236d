package scxmltest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

const counter = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="n" expr="0"/><data id="shop"/></datamodel>
  <script src="prices.js"/>
  <state id="s">
    <transition event="add.*" cond="_event.data.note.length &lt; shop.maxNote">
      <assign location="n" expr="n + _event.data.by + price(_event.data.items[0])"/>
      <assign location="shop.sum" expr="n"/>
      <log expr="shop.sum + _event.data.note.trim() + _event.data.at.getTime()"/>
      <script>const d = _event.data; for (const k in d) { n += d[k] } n += d.items.length</script>
    </transition>
  </state></scxml>`

// errorsOf collects the errors of a test.
type errorsOf struct {
	testing.TB
	all []string
}

func (e *errorsOf) Helper() {}
func (e *errorsOf) Errorf(format string, args ...any) {
	e.all = append(e.all, fmt.Sprintf(format, args...))
}

type cents struct {
	Cents int `json:"cents"`
}
type named struct {
	Price *cents `json:"price"`
}
type tagged struct {
	*Addition
	Note string    `json:"note,omitempty"`
	At   time.Time `json:"at"`
}
type Addition struct {
	By    int     `json:"by"`
	Items []named `json:"items"`
}
type untagged struct {
	By    int
	Items []struct{ Price struct{ Cents int } } `json:"items"`
	Note  string                                `json:"note"`
	At    time.Time                             `json:"at"`
}
type shop struct{ MaxNote int }

func TestNames(t *testing.T) {
	chart := scxml.MustParse("counter.scxml", []byte(counter), scxml.WithLoader(fstest.MapFS{
		"prices.js": {Data: []byte("function price(item) { return item.price.cents }")},
	}))
	type obj = map[string]any
	event := func(name string, v any) func(testing.TB) {
		return func(t testing.TB) { scxmltest.CheckEvent(t, chart, name, v) }
	}
	data := func(id string, v any) func(testing.TB) {
		return func(t testing.TB) { scxmltest.CheckData(t, chart, id, v) }
	}
	full := obj{"by": 1, "note": "", "at": time.Time{}, "items": []any{obj{"price": obj{"cents": 1}}}}
	for _, test := range []struct {
		check func(testing.TB)
		want  []string
	}{
		{event("add", struct {
			Addition
			Note, At any `json:"-"`
		}{}), []string{"the chart reads _event.data.note", "the chart reads _event.data.at"}},
		{event("add.one", &tagged{}), nil},
		{event("add", full), nil},
		{event("add", nil), nil},
		{event("add", obj{}), nil}, // nothing is known of it
		{event("add", untagged{}), []string{
			`the chart reads _event.data.by, which scxmltest_test.untagged does not have: it has "By"`,
			`the chart reads _event.data.items[].price, which scxmltest_test.untagged does not have: it has "Price"`,
		}},
		{event("add", map[string]int{"By": 1, "items": 1, "note": 1, "at": 1}), []string{
			`the chart reads _event.data.by, which map[string]int does not have: it has "By"`,
		}},
		{event("ad", full), []string{`no transition of counter.scxml takes the event "ad"`}},
		{data("shop", shop{}), []string{`the chart reads shop.maxNote, which scxmltest_test.shop does not have: it has "MaxNote"`}},
		{data("shop", obj{"maxNote": 1}), nil}, // sum is the chart's own
		{data("shops", shop{}), []string{`counter.scxml has no <data id="shops">`}},
	} {
		got := &errorsOf{TB: t}
		test.check(got)
		slices.Sort(got.all)
		slices.Sort(test.want)
		if !slices.EqualFunc(got.all, test.want, strings.HasPrefix) { // an anonymous struct has a long name
			t.Errorf("got  %q\nwant %q", got.all, test.want)
		}
	}
}
