package serve

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
)

// What a child draws comes through with the style, and says the same as a picture that is drawn here.
func TestCleanKeepsPictures(t *testing.T) {
	chart, err := scxml.Parse("c.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
		<state id="a"><onentry><log expr="'&lt;&amp;&quot;'"/></onentry><transition event="e" cond="1 &lt; 2" target="b"/></state>
		<parallel id="b"><state id="c"><history id="h"><transition target="d"/></history><state id="d"/></state><state id="f"/></parallel></scxml>`))
	if err != nil {
		t.Fatal(err)
	}
	svg, err := drawing(t.Context(), chart, diagram.SVGOptions{NoStyle: true})
	if err == nil {
		svg, err = clean(svg)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, rest, _ := bytes.Cut(svg, []byte("</svg>")); len(rest) > 0 { // encoding/xml accepts it, and browsers do not
		t.Errorf("after the picture there is %q", rest)
	}
	want, err := drawing(t.Context(), chart, diagram.SVGOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := read(t, svg), read(t, want); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// read writes what an XML parser understands of a picture.
func read(t *testing.T, svg []byte) string {
	var b strings.Builder
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if token == nil {
			if err.Error() != "EOF" {
				t.Fatalf("%v in\n%s", err, svg)
			}
			return b.String()
		}
		switch token := token.(type) {
		case xml.StartElement:
			b.WriteString("\n" + token.Name.Local)
			for _, a := range token.Attr {
				b.WriteString(" " + a.Name.Local + "=" + a.Value)
			}
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" {
				b.WriteString(" " + text)
			}
		}
	}
}

// A picture that could do more than be looked at is refused.
func TestCleanRefuses(t *testing.T) {
	const head = `<svg xmlns="http://www.w3.org/2000/svg">`
	for _, svg := range []string{
		"", "text", head, head + "<g></svg>", head + `</svg><g xmlns="http://www.w3.org/2000/svg"/>`, `<svg/>`, `<g xmlns="http://www.w3.org/2000/svg"/>`, head + `<svg/></svg>`,
		head + `<script>alert(1)</script></svg>`,
		head + `<style>g{}</style></svg>`,
		head + `<foreignObject/></svg>`,
		head + `<a href="https://example.com"><text>here</text></a></svg>`,
		head + `<image href="https://example.com/x.png"/></svg>`,
		head + `<g onclick="alert(1)"/></svg>`,
		head + `<g style="background:url(https://example.com)"/></svg>`,
		head + `<g xmlns:x="http://www.w3.org/1999/xlink" x:href="javascript:alert(1)"/></svg>`,
		head + `<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script></svg>`,
		head + `<g xmlns="http://www.w3.org/1999/xhtml"/></svg>`,
		`<?xml-stylesheet href="https://example.com"?>` + head + `</svg>`,
		`<!DOCTYPE svg [<!ENTITY e "x">]>` + head + `<text>&e;</text></svg>`,
		head + `<!-- --></svg>`,
		head + strings.Repeat(" ", maxPicture) + `</svg>`,
	} {
		if got, err := clean([]byte(svg)); err == nil {
			t.Errorf("%.100s\nis taken as\n%s", svg, got)
		}
	}
	got, err := clean([]byte(head + `<text class="&quot;&gt;&lt;script&gt;">&lt;script&gt;]]&gt;</text></svg>`))
	if err != nil || strings.Contains(string(got), "<script") {
		t.Errorf("%s, %v", got, err)
	}
}
