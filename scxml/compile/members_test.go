package compile

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

// TestMemberTypes: the struct of an event has the type for a member that the operators of the chart show.
func TestMemberTypes(t *testing.T) {
	for cond, want := range map[string]string{
		"_event.data.m === 1":                                    "float64",
		"5 - _event.data.m":                                      "float64",
		"-_event.data.m":                                         "float64",
		"Math.max(1, _event.data.m) > n":                         "float64",
		"Number(_event.data.m) === n":                            "float64",
		"_event.data.m !== 'a'":                                  "string",
		"_event.data.m === s":                                    "string",
		"_event.data.m == true":                                  "bool",
		"_event.data.m &lt; n &amp;&amp; 's' + _event.data.m":    "float64",
		"_event.data.m":                                          "any",
		"!_event.data.m":                                         "any",
		"_event.data.m &amp;&amp; _event.data.m > 1":             "any",
		"(_event.data.m ? 1 : 2) === n || _event.data.m === 'a'": "any",
		"_event.data.m > 1 &amp;&amp; _event.data.m !== 'all'":   "any",
		"_event.data.m !== undefined &amp;&amp; _event.data.m>1": "any",
		"_event.data.m ?? n &gt; 1":                              "any",
		"'s' + _event.data.m":                                    "any",
		"_event.data.m === _event.data.other":                    "any",
		"_event.data.m in {a: n}":                                "any",
	} {
		source := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript"><datamodel><data id="n" expr="1"/><data id="s" expr="'a'"/></datamodel>
			<state id="a"><transition event="e" cond="` + cond + `"><log expr="_event.data.m"/></transition></state></scxml>`
		code, err := Source(fstest.MapFS{}, "c.scxml", []byte(source), Options{Package: "p"})
		if err != nil {
			t.Errorf("%s: %v", cond, err)
			continue
		}
		found := regexp.MustCompile(`(?m)^\s*M +(\S+) +// m$`).FindSubmatch(code)
		if found == nil {
			t.Fatalf("%s: the event has no member m:\n%s", cond, code)
		}
		if got := string(found[1]); got != want {
			t.Errorf("%s: m is a %s, want %s", strings.ReplaceAll(cond, "&lt;", "<"), got, want)
		}
	}
}

// TestSentMemberTypes: where operators do not show a type, what the chart itself sends does.
func TestSentMemberTypes(t *testing.T) {
	for send, want := range map[string]string{
		`<param name="m" expr="n"/>`:                                     "float64",
		`<param name="m" location="s"/>`:                                 "string",
		`<param name="m" expr="n &gt; 1"/>`:                              "bool",
		`<param name="other" expr="n"/>`:                                 "any",
		`<param name="m" expr="[n]"/>`:                                   "any",
		`<param name="m" expr="s"/><param name="m" expr="n"/>`:           "float64",
		`<content expr="{m: n}"/>`:                                       "any",
		`<param name="m" expr="n"/></send><send event="e">`:              "any",
		`<param name="m" expr="n"/></send><send eventexpr="s + n">`:      "float64",
		`<param name="m" expr="n"/></send><send event="e" namelist="m">`: "any",
	} {
		source := `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript"><datamodel><data id="n" expr="1"/><data id="s" expr="'a'"/><data id="m" expr="'a'"/></datamodel>
			<state id="a"><onentry><send event="e">` + send + `</send></onentry><transition event="e"><log expr="_event.data.m"/></transition></state></scxml>`
		code, err := Source(fstest.MapFS{}, "c.scxml", []byte(source), Options{Package: "p"})
		if err != nil {
			t.Errorf("%s: %v", send, err)
			continue
		}
		found := regexp.MustCompile(`(?s)is what the chart reads of .*?\sM +(\S+) +// m\n`).FindSubmatch(code)
		if found == nil {
			t.Fatalf("%s: the event has no member m:\n%s", send, code)
		}
		if got := string(found[1]); got != want {
			t.Errorf("%s: m is a %s, want %s", send, got, want)
		}
	}
}
