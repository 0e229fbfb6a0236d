package scxml_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// A runtimeCounter counts which sessions have made a runtime.
type runtimeCounter struct {
	datamodel.Language
	stores []datamodel.Store
}

func (c *runtimeCounter) NewStore(h datamodel.Host) (datamodel.Store, error) {
	s, err := c.Language.NewStore(h)
	c.stores = append(c.stores, s)
	return s, err
}

func (c *runtimeCounter) count(t *testing.T) (runtimes int) {
	for _, s := range c.stores {
		realm := reflect.ValueOf(s).Elem().FieldByName("realm")
		if !realm.IsValid() {
			t.Fatal("the field has another name now")
		}
		if !realm.IsNil() {
			runtimes++
		}
	}
	return runtimes
}

// TestGoFunctionsTakeNoRuntime: charts whose expressions are simple, and call functions of the host, make
// no runtime of the script engine.
func TestGoFunctionsTakeNoRuntime(t *testing.T) {
	type item struct {
		Name string   `json:"name"`
		Tags []string `json:"tags"`
	}
	var log []string
	opts := scxml.Options{
		scxml.WithFunc("open", func() bool { return true }),
		scxml.WithFunc("note", func(args ...any) { log = append(log, fmt.Sprint(args...)) }),
		scxml.WithFunc("next", func(n float64) float64 { return n + 1 }),
		scxml.WithFunc("named", func(i item) (string, error) { return i.Name, nil }),
		scxml.WithFunc("make", func(name string) item { return item{name, []string{"é"}} }),
		scxml.WithFunc("fail", func() error { return errors.New("no") }),
	}
	for inside, simple := range map[string]bool{
		`<transition event="e" cond="open()" target="s"/>`:                                                                                                   true,
		`<transition event="e" cond="named(_event.data) === 'Zoë' &amp;&amp; !open(1, 2)"/>`:                                                                 true,
		`<transition event="e"><script>note(n); note(_event.data, 'x', null, named(_event.data)); open()</script></transition>`:                              true,
		`<transition event="e"><assign location="n" expr="next(n) + 1"/><if cond="next(n) &gt; 3"><log expr="make('a')"/></if></transition>`:                 true,
		`<transition event="e"><assign location="o" expr="make(named(_event.data))"/><script>note(o.name, o.tags.length, o)</script></transition>`:           true,
		`<transition event="e"><send event="f"><param name="p" expr="next(n)"/><param name="q" expr="_event.data"/></send></transition>`:                     true,
		`<transition event="e"><raise event="f"/></transition><transition event="f"><send event="g"><content expr="make('x')"/></send></transition>`:         true,
		`<transition event="e" cond="next(_event.data)"/><transition event="e"><script>fail()</script></transition><transition event="error.*" target="s"/>`: true,
		`<onentry><send eventexpr="named(make('f'))" delayexpr="next(0) + 's'"/></onentry><transition event="e" target="s"/>`:                                true,
		`<transition event="e"><script>var f = 1</script></transition>`:                                                                                      false,
		`<transition event="e"><script>note([1].map(next))</script></transition>`:                                                                            false,
	} {
		counter := &runtimeCounter{Language: ecmascript.New()}
		chart, err := scxml.Parse("x.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
			<datamodel><data id="n" expr="next(1)"/><data id="o" expr="make('ö')"/></datamodel><state id="s">`+inside+`</state></scxml>`), scxml.WithLanguage(counter))
		if err != nil {
			t.Fatal(err)
		}
		d := driven(t, chart, opts)
		for range 3 {
			d.process(scxml.Event{Name: "e", Data: item{Name: "Zoë", Tags: []string{"a"}}})
		}
		if n := counter.count(t); (n == 0) != simple {
			t.Errorf("%s\nmade %d runtimes", inside, n)
		}
	}
	if all := strings.Join(log, "\n"); !strings.Contains(all, "Zoë") {
		t.Error(all)
	}
}

// TestGoGuardsAndActionsAllocateNothing: nor do they allocate, unless a number or a text has to be copied.
func TestGoGuardsAndActionsAllocateNothing(t *testing.T) {
	var acted, noted int
	chart := parse(t, `<datamodel><data id="n" expr="7"/></datamodel>
		<state id="a"><transition event="t" cond="open() &amp;&amp; above(n)" target="b"><script>act(); note(n)</script></transition></state>
		<state id="b"><transition event="t" cond="is(true)" target="a"/></state>`)
	d := driven(t, chart, scxml.WithFunc("open", func() bool { return true }), scxml.WithFunc("above", func(n float64) bool { return n > 3 }),
		scxml.WithFunc("act", func() { acted++ }), scxml.WithFunc("note", func(n int) { noted += n }), scxml.WithFunc("is", func(bool) bool { return true }))
	step := func() { d.process(scxml.Event{Name: "t"}) }
	for range 10 {
		step()
	}
	if n := testing.AllocsPerRun(100, step); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if acted == 0 || noted != 7*acted {
		t.Error(acted, noted)
	}
}
