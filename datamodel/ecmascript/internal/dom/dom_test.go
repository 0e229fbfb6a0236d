package dom

import (
	"slices"
	"testing"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A change of an attribute is in what is exported, and not in the node that it was made of.
func TestExport(t *testing.T) {
	root, err := datamodel.ParseXML(`<a b="1"><c/>text<d><e f="2"/></d></a>`)
	if err != nil {
		t.Fatal(err)
	}
	vm := goja.New()
	w := New(vm, func(*goja.Object) {})
	doc := w.Wrap(root)
	if n := Of(doc); n != n.Document || n.Export() != root || len(n.Path()) != 0 {
		t.Error("the object for an element is not its document")
	}
	if err := vm.Set("d", doc); err != nil {
		t.Fatal(err)
	}
	v, err := vm.RunString(`e = d.getElementsByTagName('e')[0]; e.setAttribute('f', 3); e`)
	if err != nil {
		t.Fatal(err)
	}
	e := Of(v.(*goja.Object))
	if got := e.Path(); !slices.Equal(got, []int{0, 2, 0}) {
		t.Errorf("the path of e is %v", got)
	}
	if got, want := Of(doc).Export().XML(), `<a b="1"><c/>text<d><e f="3"/></d></a>`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if root.Children[2].Children[0].Attrs[0].Value != "2" {
		t.Error("the neutral node has changed")
	}
	if _, err := vm.RunString(`d.documentElement.tagName = 'x'`); err == nil {
		t.Error("a name could be changed")
	}
}
