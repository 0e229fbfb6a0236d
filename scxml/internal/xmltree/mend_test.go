package xmltree

import (
	"fmt"
	"strings"
	"testing"
)

// A mistake that leaves the meaning clear is reported, and the document is read nevertheless, with
// the right places.
func TestMended(t *testing.T) {
	const src = `<a b="x && y < z &amp; 1 < 2" c="&nbsp;,&#0;,
é && 'q'"><d>if (p && q ]]> r &amp; s) &lt;</d>
 <e x:f=""/></a>`
	root, problems := Parse("f", []byte(src), Limits{})
	if root == nil || len(problems) != 8 {
		t.Fatalf("got %v and %d problems: %v", root, len(problems), problems)
	}
	for _, test := range []struct{ name, value, part, at string }{
		{"b", "x && y < z & 1 < 2", "y", "1:12"},
		{"b", "x && y < z & 1 < 2", "2", "1:28"},
		{"c", "_,_, é && 'q'", "q", "2:7"},
	} {
		s := root.Source(root.Attr(test.name))
		pos := s.Position(strings.Index(s.Text, test.part))
		if at := fmt.Sprintf("%d:%d", pos.Line, pos.Col); s.Text != test.value || at != test.at {
			t.Errorf("%s: got %q, %q at %s, want %q at %s", test.name, s.Text, test.part, at, test.value, test.at)
		}
	}
	s := root.Children[0].Content()
	if want := "if (p && q ]]> r & s) <"; s.Text != want {
		t.Errorf("got %q, want %q", s.Text, want)
	}
	if pos := s.Position(strings.Index(s.Text, "r")); pos.Line != 2 || pos.Col != 29 {
		t.Errorf("r is at %v", pos)
	}
	if pos := root.Children[1].Pos(); pos.Line != 3 || pos.Col != 2 {
		t.Errorf("<e> is at %v", pos)
	}
	if last := problems[len(problems)-1]; last.Code != "unbound-prefix" {
		t.Errorf("the tree's own problem is not reported: %v", last)
	}
}

// A mistake inside of another one is mended once.
func TestMendedOnce(t *testing.T) {
	root, problems := Parse("f", []byte(`<a b="1 < 2 &#x2<3; &x<4;"/>`), Limits{})
	if root == nil || len(problems) != 3 {
		t.Fatalf("got %v and %d problems: %v", root, len(problems), problems)
	}
	if got, want := root.Source(root.Attr("b")).Text, "1 < 2 &#x2<3; &x<4;"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Nothing is mended in a document that also has a problem whose meaning is not clear.
func TestNotMended(t *testing.T) {
	for _, src := range []string{`<a b="x && y"><c></a>`, `<a b="&"/><c/>`, `<a b="&">&`, `<a b="x & y" c=d/>`, `&`, `<a>` + strings.Repeat("& ", maxProblems) + `</a>`} {
		if root, problems := Parse("f", []byte(src), Limits{}); root != nil || len(problems) == 0 {
			t.Errorf("%s: got %v, %v", src, root, problems)
		}
	}
}
