package doc

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// TestHostile reads documents that are made to take long, and checks the codes of their diagnostics.
// None takes more than a few seconds on a slow machine. A parser that is quadratic somewhere takes
// minutes.
func TestHostile(t *testing.T) {
	const head = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">`
	const n = 100_000
	states := strings.Repeat("<state/>", n)
	var ids strings.Builder
	for _, s := range strings.Fields(strings.Repeat("s ", n)) {
		ids.WriteString(`<state id="state` + s + time.Duration(ids.Len()).String() + `"/>`)
	}
	inContent := func(xml string) string {
		return head + `<state><onentry><send event="e"><content><a>` + xml + "</a></content></send></onentry></state></scxml>"
	}
	tests := map[string]struct{ src, want string }{
		"ampersands":                   {head + strings.Repeat("&", 10*n), "bad-entity"},
		"less in one attribute":        {head + `<state id="` + strings.Repeat("<", 10*n) + `"/>`, "unclosed-value"},
		"pieces of text":               {inContent(strings.Repeat("<![CDATA[xxxxxxxxxxxx]]>", 5*n)), ""},
		"text between instructions":    {inContent(strings.Repeat("text<?a?>", 5*n)), ""},
		"locations":                    {head + `<state><onentry><send event="e" namelist="` + strings.Repeat("a&#32;", 5*n) + `"/></onentry></state></scxml>`, ""},
		"illegal events":               {head + `<state><transition event="` + strings.Repeat("a..b ", 5*n) + `"/></state></scxml>`, "illegal-event"},
		"unknown targets of one":       {head + `<state><transition target="` + strings.Repeat("a\n", 5*n) + `"/></state></scxml>`, "unknown-target"},
		"long name":                    {head + "<" + strings.Repeat("a", 20*n) + strings.Repeat(` b=""`, 200) + "/></scxml>", "duplicate-attribute no-state unknown-element"},
		"references and ends of CDATA": {head + strings.Repeat("&x; ]]> &y;", n), "bad-character bad-entity"},
		"less in attributes":           {head + strings.Repeat(`<a b="&x; < &y;"/>`, n), "bad-character bad-entity"},
		"unknown attributes":           {"<scxml " + strings.Repeat(`inital="" `, n) + "/>", "document-limit"},
		"unknown elements":             {head + strings.Repeat("<stat/>", n) + "</scxml>", "unknown-element"},
		"unknown targets":              {head + ids.String() + `<state id="a">` + strings.Repeat(`<transition target="stat0s"/>`, 10_000) + "</state></scxml>", "unknown-target unusual-id"},
		"one target set":               {head + states + `<state id="a"><transition target="` + strings.Repeat("a ", n) + `"/></state></scxml>`, ""},
		"depth":                        {head + strings.Repeat("<state>", n), "document-limit"},
		"one line":                     {head + states + "</scxml>", ""},
		"loads":                        {head + "<datamodel>" + strings.Repeat(`<data id="a" src="big"/>`, 1000) + "</datamodel><state/></scxml>", "cannot-load duplicate-data"},
	}
	loader := fstest.MapFS{"big": {Data: make([]byte, 1<<20)}}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			_, diags := Parse("f", []byte(test.src), Options{Loader: loader})
			if took := time.Since(start); took > time.Minute {
				t.Errorf("took %v", took)
			} else {
				t.Log(took)
			}
			if len(diags) > 2*maxDiagnostics {
				t.Errorf("%d diagnostics", len(diags))
			}
			var codes []string
			for _, d := range diags {
				codes = append(codes, d.Code)
			}
			slices.Sort(codes)
			if got := strings.Join(slices.Compact(codes), " "); got != test.want {
				t.Errorf("diagnostics %q, want %q", got, test.want)
			}
			said := 0
			for _, d := range diags {
				said += len(d.Message)
			}
			if said > 10<<20 {
				t.Errorf("diagnostics of %d bytes", said)
			}
		})
	}
}
