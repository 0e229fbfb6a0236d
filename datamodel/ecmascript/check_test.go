package ecmascript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		kind datamodel.Kind
		text string
		want string // column and text of each finding
	}{
		{datamodel.Condition, "x == 1 && y >= 2", ""},
		{datamodel.Condition, "x = 1", "5 x = 1"},
		{datamodel.Condition, "  (a.b[0] = 1) && y", "8 a.b[0] = 1"},
		{datamodel.Condition, "x += 1", "5 x += 1"},
		{datamodel.Condition, "a==b||a<=b||a>=b||a!=b||a!==b||a===b||(a=b)", "44 a=b"},
		{datamodel.Condition, "x <<= 1", "5 x <<= 1"},
		{datamodel.Condition, "x>>>=1", "5 x>>>=1"},
		{datamodel.Condition, "x=>1", ""},
		{datamodel.Condition, "x==(y=1)", "9 y=1"},
		{datamodel.Condition, "n++ < 3", "5 n++"},
		{datamodel.Condition, "--n > 3", "5 --n"},
		{datamodel.Condition, "delete a.b", "5 delete a.b"},
		{datamodel.Condition, "'é' + (x = 1)", "12 x = 1"},
		{datamodel.Condition, "list.some(i => { let y = 1; y = 2; return y == i })", ""},
		{datamodel.Condition, "(x = )", ""},
		{datamodel.Condition, "1) + (x = 1", ""},
		{datamodel.Condition, "In('s1')", "9 In s1"},
		{datamodel.Condition, "!In(\"a\") && In('b') && In(c) && In() && In('d', 1)", "10 In a, 21 In b"},
		{datamodel.Condition, "list.some(i => In('s1'))", "24 In s1"},
		{datamodel.Condition, "a.In('s1')", ""},
		{datamodel.ValueExpr, "In('s1') ? 1 : 2;", "9 In s1"},
		{datamodel.Script, "var a = 1; if (In('s1')) { b = 2 }", "24 In s1, 32 b = 2"},
		{datamodel.Script, "function f() { return In('s1') } var g = f", "31 In s1"},
		{datamodel.Script, "class A { f() { return In('s1') } }", "32 In s1"},
		{datamodel.Content, "In('s1')", ""},
		{datamodel.Condition, strings.Repeat("(", 5000) + "x = 1" + strings.Repeat(")", 5000), ""},
	} {
		var got []string
		for _, f := range ecmascript.New().(datamodel.Checker).Check(tt.kind, source(tt.text)) {
			in := ""
			if f.Kind == datamodel.StatePredicate {
				in = "In "
			}
			got = append(got, fmt.Sprintf("%d %s%s", f.Pos.Col, in, f.Text))
		}
		if got := strings.Join(got, ", "); got != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// Check does not panic, and finds nothing in what does not compile.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{"x = 1", "In('a')", "`${x = 1}`", "[a, b] = [1, 2]", "async () => { for await (x of y) ; }", "({a = 1} = {})", "a?.b?.(c = 1)", "class A { #p = 1; static { x = 2 } }"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l := ecmascript.New()
		for _, kind := range []datamodel.Kind{datamodel.Condition, datamodel.Script} {
			found := l.(datamodel.Checker).Check(kind, source(text))
			_, err := l.Compile(kind, source(text))
			for _, f := range found {
				if err != nil || !f.Pos.IsValid() {
					t.Errorf("%q: %v, but found %+v", text, err, f)
				}
			}
		}
	})
}
