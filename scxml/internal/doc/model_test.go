package doc

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/delay"
)

// dump writes a value of the model as an outline: one line for each field that
// is not zero. States that are referred to are named, not followed.
func dump(b *strings.Builder, indent string, v reflect.Value) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch x := v.Interface().(type) {
	case datamodel.Source:
		fmt.Fprintf(b, " %d:%d %q", x.Pos.Line, x.Pos.Col, x.Text)
		if x.Raw != "" {
			fmt.Fprintf(b, " raw %q", x.Raw)
		}
		for _, n := range x.Nodes {
			fmt.Fprintf(b, " node %s%s", n.Local, n.Text)
		}
		b.WriteString("\n")
		return
	case datamodel.Position:
		fmt.Fprintf(b, " %d:%d\n", x.Line, x.Col)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		fmt.Fprintf(b, " %s\n", v.Type().Name())
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			f := v.Field(i)
			if f.IsZero() || !v.Type().Field(i).IsExported() && name != "execPos" {
				continue
			}
			switch name {
			case "Parent", "Source", "State", "Root", "Hash":
				continue
			case "Targets":
				fmt.Fprintf(b, "%sTargets: %s\n", indent, f.Interface())
				continue
			case "ByID":
				fmt.Fprintf(b, "%sByID: %d\n", indent, f.Len())
				continue
			case "States":
				for _, s := range f.Interface().([]*State) {
					fmt.Fprintf(b, "%sState %d: %s\n", indent, s.Index, s)
				}
				f = v.FieldByName("Root")
				name = "Root"
			case "execPos":
				f = f.Field(0)
				name = "Pos"
			}
			fmt.Fprintf(b, "%s%s:", indent, name)
			dump(b, indent+"  ", f)
		}
	case reflect.Slice:
		b.WriteString("\n")
		for i := range v.Len() {
			fmt.Fprintf(b, "%s-", indent)
			dump(b, indent+"  ", v.Index(i))
		}
	default:
		fmt.Fprintf(b, " %v\n", v.Interface())
	}
}

// TestModel reads a document that has every element and attribute of the REC.
func TestModel(t *testing.T) {
	const file, golden = "testdata/everything.scxml", "testdata/everything.golden"
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	loader := fstest.MapFS{
		"x.js":   {Data: []byte("\xEF\xBB\xBFvar x;\r\n")},
		"x.xml":  {Data: []byte("<?xml version='1.0'?>\n<books><book/></books>")},
		"x.json": {Data: []byte(`{"a": 1}`)},
	}
	d, diags := Parse("charts/everything.scxml", src, Options{Loader: loader})
	for _, diag := range diags {
		if diag.Code != "cannot-load" {
			t.Errorf("%s: %s", diag.Pos, diag.Message)
		}
	}
	if len(d.Hash) != 32 {
		t.Errorf("the hash has %d bytes", len(d.Hash))
	}
	d.Hash = nil // it changes with every edit
	for name, r := range rules {
		if r.name == "" {
			continue
		}
		for _, what := range append([]string{"<" + r.name}, r.attrs...) {
			if !strings.Contains(string(src), what) {
				t.Errorf("%s lacks %s (%d)", file, what, name)
			}
		}
	}
	var b strings.Builder
	b.WriteString("Document:")
	dump(&b, "  ", reflect.ValueOf(d))
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		got, want := "(end)", "(end)"
		if i < len(gotLines) {
			got = gotLines[i]
		}
		if i < len(wantLines) {
			want = wantLines[i]
		}
		if got != want {
			t.Fatalf("%s:%d:\n got %s\nwant %s", golden, i+1, got, want)
		}
	}
}

// TestInline reads the <scxml> in an <invoke>, from the document and as a node.
func TestInline(t *testing.T) {
	const src = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="s"><invoke><content>
    <scxml version="1.0" initial="b"><state id="s"/><final id="bb"/></scxml>
  </content></invoke></state>
</scxml>`
	outer, diags := Parse("f", []byte(src), Options{})
	if diags != nil {
		t.Fatal(diags)
	}
	content := outer.ByID["s"].Invokes[0].Content
	if !content.Scxml() {
		t.Fatal("inline document not seen")
	}
	inner, diags := content.Parse(Options{})
	if len(diags) != 1 || diags[0].Pos.String() != "f:3:35" || diags[0].Code != "unknown-target" {
		t.Errorf("diagnostics: %v", diags)
	}
	if len(inner.States) != 3 || inner.ByID["s"] == outer.ByID["s"] {
		t.Errorf("states: %v", inner.States)
	}
	var node *datamodel.Node
	for _, n := range content.Inline.Nodes {
		if n.Type == datamodel.ElementNode {
			node = n
		}
	}
	inner, diags = ParseNode("g", node, Options{})
	if len(diags) != 1 || diags[0].Pos.String() != "f:3:5" || diags[0].Code != "unknown-target" || len(inner.States) != 3 {
		t.Errorf("as a node: %v %v", diags, inner.States)
	}
	if _, diags = ParseNode("g", node, Options{Limits: Limits{Depth: 1}}); len(diags) != 1 || diags[0].Code != "document-limit" {
		t.Errorf("limit: %v", diags)
	}
}

func TestParseDelay(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"1s": time.Second, ".5s": 500 * time.Millisecond, "500ms": 500 * time.Millisecond, "1.25S": 1250 * time.Millisecond,
		"0": 0, "0s": 0, "-0s": 0, " 20 ": 20 * time.Millisecond, "1m": time.Minute, "2h": 2 * time.Hour, "366d": delay.Max,
		"1e3ms": time.Second, "1e-7": 0, "+1s": time.Second, "0.0000015s": 1500 * time.Nanosecond,
	} {
		if got, err := delay.Parse(s); err != nil || got != want {
			t.Errorf("%q: got %v, %v; want %v", s, got, err, want)
		}
	}
	for _, s := range []string{
		"", " ", "s", "ms", "-1s", "NaN", "NaNms", "Infinity", "inf s", "1 s", "1,5s", "0x1s", "1_0s", "367d", "1e400s", "--1s", "1.2.3s", "e1s", "1es", "1fortnight", "१s",
	} {
		if got, err := delay.Parse(s); err == nil {
			t.Errorf("%q: got %v, want an error", s, got)
		}
	}
}

func TestNear(t *testing.T) {
	candidates := func(yield func(string) bool) {
		for _, c := range []string{"s0", "playing", "unsolved", "solved", "", "transition", "é"} {
			if !yield(c) {
				return
			}
		}
	}
	for name, want := range map[string]string{
		"s9": "s0", "plaiyng": "playing", "Playing": "playing", "sovled": "solved", "unsolve": "unsolved", "trnsitoin": "transition", "x": "", "É": "é", "": "", "game": "",
	} {
		if got := near(name, candidates); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
