package xmltree

import (
	"fmt"
	"strings"
	"testing"
)

// TestPositions finds the place of each character in values and texts that are written in unusual
// ways.
func TestPositions(t *testing.T) {
	const src = "<?xml version='1.0'?>\n" +
		"<ä ö='x &lt; &#228;\n\ty'\r\n" +
		"   cond = \"plain\">\n" +
		"<!-- ü --> <b><c>text &amp;<!-- no --><![CDATA[ <raw>]]>\r\nend</c></b><d/>\n" +
		"</ä>"
	root, problems := Parse("f.xml", []byte(src), Limits{})
	if problems != nil {
		t.Fatal(problems)
	}
	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	b := root.Children[0]
	c := b.Children[0]
	check("root", root.Pos().String(), "f.xml:2:1")
	check("b", b.Pos().String(), "f.xml:5:12")
	check("c", c.Pos().String(), "f.xml:5:15")
	check("d", root.Children[1].Pos().String(), "f.xml:6:12")

	ö := root.Source(&root.Attrs[0])
	check("ö", ö.Text, "x < ä  y") // the line end and the tab become blanks, the reference does not
	for i, want := range map[int]string{0: "2:7", 2: "2:9", 4: "2:14", 6: "2:20", 7: "3:1", 8: "3:2"} {
		check(fmt.Sprint("ö at ", i), strings.TrimPrefix(ö.Position(i).String(), "f.xml:"), want)
	}
	cond := root.Attr("cond")
	check("name of cond", root.NamePos(cond).String(), "f.xml:4:4")
	check("cond", root.Source(cond).Pos.String(), "f.xml:4:12")
	check("raw of cond", cond.Raw, "")

	text := c.Content()
	check("c", text.Text, "text & <raw>\nend")
	for what, want := range map[string]string{"text": "5:18", "&": "5:23", "<raw>": "5:49", "end": "6:1"} {
		check(what, strings.TrimPrefix(text.Position(strings.Index(text.Text, what)).String(), "f.xml:"), want)
	}
	check("first text of c", c.TextPos().String(), "f.xml:5:18")
	if !c.HasText() || b.HasText() || root.HasText() {
		t.Error("wrong idea of where text is")
	}
}

// TestNode converts an element to a neutral tree and back.
func TestNode(t *testing.T) {
	const src = `<a xmlns="urn:a" xmlns:p="urn:p"><p:b x="1" p:y="2">t<![CDATA[<]]><!--c--><c xmlns=""/></p:b></a>`
	root, problems := Parse("f", []byte(src), Limits{})
	if problems != nil {
		t.Fatal(problems)
	}
	back, problem := FromNode("g", root.Node(), Limits{})
	if problem != nil {
		t.Fatal(problem)
	}
	for _, e := range []*Element{root, back} {
		b := e.Children[0]
		c := b.Children[0]
		if e.Space != "urn:a" || b.Space != "urn:p" || b.Prefix != "p" || c.Space != "" || b.Attrs[1].Space != "urn:p" || b.Attrs[0].Space != "" {
			t.Errorf("wrong namespaces: %+v %+v %+v", e, b, c)
		}
		if b.Attr("x").Value != "1" || b.Attr("y") != nil {
			t.Error("wrong attributes")
		}
		n := b.Node()
		if len(n.Children) != 3 || n.Children[0].Text != "t<" || n.Children[1].Text != "c" || n.Pos.Col != 34 {
			t.Errorf("wrong nodes: %+v", n)
		}
		if src := b.Content(); src.Text != "t<" || len(src.Nodes) != 3 || src.Raw != "" {
			t.Errorf("wrong content: %+v", src)
		}
	}
	if _, problem := FromNode("g", root.Node(), Limits{Depth: 2}); problem == nil || problem.Code != "document-limit" {
		t.Errorf("limit of depth: %v", problem)
	}
}

// TestLongLine makes sure that places are not slower to find in a document of one line.
func TestLongLine(t *testing.T) {
	src := "<a>" + strings.Repeat("<b c='d'/>", 200_000) + "</a>"
	root, problems := Parse("f", []byte(src), Limits{})
	if problems != nil {
		t.Fatal(problems)
	}
	if got := root.Children[199_999].Pos().Col; got != 4+199_999*10 {
		t.Errorf("last element in column %d", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"<a/>", "<a b='c'>&lt;<![CDATA[x]]><!--y--><?z?></a>", "<x:a xmlns:x='y' x:z=''/>", "\xFF\xFE<\x00a\x00/\x00>\x00",
		"<?xml version='1.0' encoding='latin1'?><a>\xE9</a>", "<!DOCTYPE a><a/>", "<a b=\"\t\r\n&#10;\"/>", "<a", "<a></b>", "<:a/>", "<a xmlns:b=''/>",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		root, problems := Parse("f", src, Limits{Size: 1 << 16, Depth: 50})
		if root == nil && len(problems) == 0 {
			t.Fatal("neither a tree nor a problem")
		}
		for _, p := range problems {
			if !p.Pos.IsValid() || p.Pos.Col < 1 || p.Code == "" {
				t.Fatalf("malformed problem: %+v", p)
			}
		}
		if root == nil {
			return
		}
		var walk func(e *Element)
		walk = func(e *Element) {
			for i := range e.Attrs {
				e.Source(&e.Attrs[i]).Position(len(e.Attrs[i].Value))
			}
			s := e.Content()
			s.Position(len(s.Text))
			for _, c := range e.Children {
				walk(c)
			}
		}
		walk(root)
		if _, problem := FromNode("f", root.Node(), Limits{}); problem != nil {
			t.Fatal(problem)
		}
	})
}
