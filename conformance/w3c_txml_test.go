package conformance_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/conformance"
)

// TestConvertTXMLAll compares the results of ConvertTXML with those of the
// W3C's own conversion, as XML.
func TestConvertTXMLAll(t *testing.T) {
	openConverted(t)
	dir := w3cDir(t)
	files, err := filepath.Glob(filepath.Join(dir, "txml", "*.txml"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txml")
		if name == "test301" { // the tester fills in a file name
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := conformance.ConvertTXML(source)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var want []byte
		for _, folder := range []string{"ecmascript/unaltered", "null/unaltered", "ecmascript"} {
			if want, err = os.ReadFile(filepath.Join(dir, folder, name+".scxml")); err == nil {
				break
			}
		}
		if err != nil {
			t.Errorf("%s: cannot find a converted form to compare with", name)
			continue
		}
		compared++
		g, w := canonical(t, got), canonical(t, want)
		if g != w {
			t.Errorf("%s:\ngot  %s\nwant %s", name, g, w)
		}
	}
	if compared < 200 {
		t.Errorf("only %d documents were compared", compared)
	}
	t.Logf("%d documents are equal", compared)
}

// canonical returns an XML document without comments, blank text, prefixes and
// the order of attributes, for comparison.
func canonical(t *testing.T, source []byte) string {
	t.Helper()
	var out, text strings.Builder
	flush := func() {
		if s := text.String(); strings.TrimSpace(s) != "" {
			fmt.Fprintf(&out, "%q", s)
		}
		text.Reset()
	}
	for dec := xml.NewDecoder(bytes.NewReader(source)); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return out.String()
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		switch token := token.(type) {
		case xml.StartElement:
			flush()
			var attrs []string
			for _, a := range token.Attr {
				if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" {
					attrs = append(attrs, fmt.Sprintf("{%s}%s=%q", a.Name.Space, a.Name.Local, a.Value))
				}
			}
			slices.Sort(attrs)
			fmt.Fprintf(&out, "<{%s}%s %s>", token.Name.Space, token.Name.Local, strings.Join(attrs, " "))
		case xml.EndElement:
			flush()
			out.WriteString("</>\n")
		case xml.CharData:
			text.Write(token)
		}
	}
}

func TestConvertTXML(t *testing.T) {
	const namespaces = `xmlns="http://www.w3.org/2005/07/scxml" xmlns:x="http://www.w3.org/2005/scxml-conformance"`
	for _, test := range []struct{ name, in, want string }{
		{"layout stays", "<?xml version=\"1.0\"?>\n<!-- x:id -->\n<scxml   version='1.0'\n>\n &#65;<![CDATA[<]]></scxml >\n", ""},
		{"any prefix", `<scxml ` + namespaces + ` x:datamodel=""><x:pass/></scxml>`,
			`<scxml xmlns="http://www.w3.org/2005/07/scxml" datamodel="ecmascript"><final id="pass"><onentry><log label="Outcome" expr="'pass'"/></onentry></final></scxml>`},
		{"the null data model", `<a ` + namespaces + ` datamodel="null"><transition x:inState="s&amp;1"/></a>`,
			`<a xmlns="http://www.w3.org/2005/07/scxml" datamodel="null"><transition cond="In('s&amp;1')"/></a>`},
		{"two parts", `<a ` + namespaces + `><if x:compareIDVal="1&lt;2"></if></a>`,
			`<a xmlns="http://www.w3.org/2005/07/scxml"><if cond="Var1&lt;Var2"></if></a>`},
		{"element with an attribute", `<a ` + namespaces + `><x:incrementID id="2"><!-- c --></x:incrementID></a>`,
			`<a xmlns="http://www.w3.org/2005/07/scxml"><assign location="Var2" expr="Var2 + 1"/></a>`},
		{"scope of the prefix", `<a ` + namespaces + `><b xmlns:x="urn:y" x:id="1"/></a>`,
			`<a xmlns="http://www.w3.org/2005/07/scxml"><b xmlns:x="urn:y" x:id="1"/></a>`},
		{"unknown attribute", "<a " + namespaces + ">\n<b x:nothing=''/></a>", `error: line 2: unknown attribute "x:nothing"`},
		{"unknown element", `<a ` + namespaces + `><x:nothing/></a>`, `error: line 1: unknown element "x:nothing"`},
		{"no second part", `<a ` + namespaces + `><b x:idVal="1"/></a>`, `error: line 1: attribute "x:idVal": value "1" does not contain "="`},
		{"attribute twice", `<a ` + namespaces + `><b id="1" x:id="1"/></a>`, `error: line 1: element "b" would have two attributes "id"`},
		{"attribute missing", `<a ` + namespaces + `><x:incrementID/></a>`, `error: line 1: element "x:incrementID" lacks an attribute`},
		{"text inside", `<a ` + namespaces + `><x:pass>1</x:pass></a>`, `error: line 1: text inside`},
		{"element inside", `<a ` + namespaces + `><x:pass><b/></x:pass></a>`, `error: line 1: element "b" inside`},
		{"end missing", `<a>`, `error: line 1: unexpected EOF`},
		{"end too many", `<a/></a>`, `error: line 1: </a> without a start tag`},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, err := conformance.ConvertTXML([]byte(test.in))
			got, want := string(out), test.want
			if want == "" {
				want = test.in
			}
			if err != nil {
				got = "error: " + err.Error()
			}
			if got != want && (err == nil || !strings.HasPrefix(got, want)) {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}
