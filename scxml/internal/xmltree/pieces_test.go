package xmltree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beevik/etree"
)

// TestPieces compares a tree that is joined from pieces with one that is read whole.
func TestPieces(t *testing.T) {
	var mixed strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&mixed, "text %d <a x='%d'><b/>&lt;<!-- c --><![CDATA[<d>]]></a> <e/>", i, i)
	}
	children := mixed.String()
	for name, test := range map[string]struct {
		src    string
		pieces int // at most
	}{
		"flat":           {string(ring(2000)), 5},
		"mixed content":  {"<r>" + children + "</r>", 5},
		"in an element":  {"<!-- --><r><first/> <s><t/>" + children + "</s>tail<last>x</last></r><!-- -->", 5},
		"deep inside":    {"<r><s><s><s><s>" + children + "</s></s></s></s></r>", 5},
		"deeper inside":  {"<r><s><s><s><s><s><s>" + children + "</s></s></s></s></s></s></r>", 1},
		"one large text": {"<r><a/>" + strings.Repeat("text ", 50_000) + "<b/></r>", 2},
		"small":          {"<r><a/><b/></r>", 1},
		"empty":          {"<r/>", 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScanner(&document{src: test.src}, Limits{}.WithDefaults())
			if s.scan(); s.failed {
				t.Fatal(s.problems)
			}
			from := strings.Index(test.src, "<r")
			if from < 0 {
				from = strings.Index(test.src, "<scxml")
			}
			to := strings.LastIndex(test.src, ">") + 1
			if c := strings.LastIndex(test.src, "<!-- -->"); c > from && strings.HasSuffix(test.src, "<!-- -->") {
				to = c
			}
			whole, err := s.readPiece(strings.NewReader(test.src[from:to]))
			if err != nil {
				t.Fatal(err)
			}
			most := 1
			for n := 1; n <= 5; n++ {
				c, ok := s.cut(n)
				if !ok {
					continue
				}
				most = max(most, len(c.at))
				if got, want := write(s.readPieces(from, to, c)), write(whole.Root()); got != want {
					t.Errorf("in %d pieces, cut at %d in %d: it has %d bytes, want %d", n, c.at, c.path, len(got), len(want))
				}
			}
			if most != test.pieces {
				t.Errorf("%d pieces, want %d", most, test.pieces)
			}
		})
	}
}

func write(root *etree.Element) string {
	if root == nil {
		return "nothing"
	}
	var b strings.Builder
	root.WriteTo(&b, &etree.WriteSettings{})
	return b.String()
}
