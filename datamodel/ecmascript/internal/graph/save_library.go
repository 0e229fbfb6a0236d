package graph

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/dom"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// libraryPaths are the paths of the objects and functions of the library, by the names of the
// functions; those of other objects are under "".
var libraryPaths = sync.OnceValue(func() map[string][]string {
	byName := map[string][]string{}
	vm := goja.New()
	type place struct {
		path string
		o    *goja.Object
	}
	seen := map[*goja.Object]bool{vm.GlobalObject(): true}
	for open := []place{{"", vm.GlobalObject()}}; len(open) > 0; open = open[1:] {
		at := open[0]
		names := at.o.GetOwnPropertyNames()
		slices.Sort(names)
		for _, name := range names {
			path := name
			if at.path != "" {
				path = at.path + "." + name
			}
			var o *goja.Object
			if ex := vm.Try(func() { o, _ = at.o.Get(name).(*goja.Object) }); ex != nil || o == nil || seen[o] {
				continue
			}
			seen[o] = true
			key := ""
			if _, ok := goja.AssertFunction(o); ok {
				key = o.Get("name").String()
			}
			byName[key] = append(byName[key], path)
			open = append(open, place{path, o})
		}
	}
	return byName
})

// isLibraryPath reports whether a path is one of libraryPaths.
func isLibraryPath(path string) bool {
	for _, paths := range libraryPaths() {
		if slices.Contains(paths, path) {
			return true
		}
	}
	return false
}

// library writes the path of o if it is an object of the library in its original place.
func (s *saver) library(o *goja.Object) bool {
	name := ""
	if _, ok := goja.AssertFunction(o); ok {
		n := s.functionName(o)
		if n == nil {
			return false
		}
		name = n.String()
	}
	if name == syntax.PredicateIn && s.VM.GlobalObject().Get(syntax.PredicateIn) == o {
		s.text(`{"$system":"In"}`)
		return true
	}
	for _, path := range libraryPaths()[name] {
		if s.in.resolve(s.VM, path) == o {
			s.text(`{"$library":"`).text(path).text(`"}`)
			return true
		}
	}
	return false
}

// resolve follows a path of properties that are not accessors.
func (in *inspector) resolve(vm *goja.Runtime, path string) *goja.Object {
	o := vm.GlobalObject()
	for name := range strings.SplitSeq(path, ".") {
		d, ok := in.descriptor(goja.FunctionCall{This: goja.Undefined(), Arguments: []goja.Value{o, vm.ToValue(name)}}).(*goja.Object)
		if !ok {
			return nil
		}
		if o, ok = d.Get("value").(*goja.Object); !ok {
			return nil
		}
	}
	return o
}

// genuine reports whether v is the original value of a name of the library.
func (s *saver) genuine(v goja.Value, name string) bool {
	o, ok := v.(*goja.Object)
	if !ok {
		return false
	}
	if o.ExportType() == native.TypeProxy {
		return false
	}
	if _, callable := goja.AssertFunction(o); !callable {
		tag := o.GetSymbol(goja.SymToStringTag)
		return o == s.VM.GlobalObject() || tag != nil && tag.String() == name
	}
	n := s.functionName(o)
	return n != nil && n.String() == name && s.in.isNative(o)
}

// system writes an object of the system variables, or an event.
func (s *saver) system(o *goja.Object, x *System) {
	switch {
	case x.Present && !s.past:
		s.number(o)
		s.present = true
		s.text(`{"$event":true}`)
	case x.Event != nil:
		s.number(o)
		s.text(`{"$event":[`).quotes(x.Event.Name, x.Event.Type.String(), x.Event.SendID, x.Event.Origin, x.Event.OriginType, x.Event.InvokeID, x.Event.Raw)
		s.text("]").member("$data", x.Data()).text("}")
	case x.Variable != "":
		s.text(`{"$system":"`).text(x.Variable).text(`"}`)
	case x.Processor != "":
		s.text(`{"$processor":`).quote(x.Processor).text("}")
	}
}

// node writes a node of XML: with the first of a document all of it, and the place of the node as
// indexes of children.
func (s *saver) node(n *dom.Node) {
	if at, known := s.trees[n.Tree]; known {
		s.text(`{"$node":`).int(int64(at))
	} else {
		if s.trees == nil {
			s.trees = map[*dom.Tree]int{}
		}
		s.trees[n.Tree] = len(s.trees)
		s.text(`{"$xml":`).xml(n.Document.Export(), 0)
	}
	if n != n.Document {
		s.text(`,"$at":[`)
		for i, index := range n.Path() {
			if i > 0 {
				s.text(",")
			}
			s.int(int64(index))
		}
		s.text("]")
	}
	s.text("}")
}

// xml writes a node: text as a string, a comment as an array of its text, and an element as an
// array of its prefix, name, namespace, attributes and children.
func (s *saver) xml(n *datamodel.Node, depth int) {
	if depth > datamodel.MaxDepth {
		s.refuse("XML that is nested too deeply")
	}
	switch n.Type {
	case datamodel.TextNode:
		s.quote(n.Text)
		return
	case datamodel.CommentNode:
		s.text("[").quote(n.Text).text("]")
		return
	}
	s.text("[").quotes(n.Prefix, n.Local, n.Space).text(",[")
	for i, a := range n.Attrs {
		if i > 0 {
			s.text(",")
		}
		s.quotes(a.Prefix, a.Local, a.Space, a.Value)
	}
	s.text("]")
	for _, kid := range n.Children {
		s.text(",").xml(kid, depth+1)
	}
	s.text("]")
}

// libraryObjects are the objects of the library that scripts may extend, by their paths, in a new
// runtime: constructors, prototypes and objects like Math.
var libraryObjects = sync.OnceValue(func() map[string]map[string]string {
	vm, in := goja.New(), newInspector()
	all := map[string]map[string]string{}
	for _, paths := range libraryPaths() {
		for _, path := range paths {
			o := in.resolve(vm, path)
			if o == nil {
				continue
			}
			x := in.summary(o)
			if _, callable := goja.AssertFunction(o); !callable || x["prototype"] != "" {
				all[path] = x
			}
		}
	}
	return all
})

// summary describes each own property of an object of the library in a word, and the object itself
// under the empty key. A guard counts as what it guards.
func (in *inspector) summary(o *goja.Object) map[string]string {
	list, _ := in.properties(o)
	m := make(map[string]string, len(list)+1)
	for i := range list {
		p := &list[i]
		o, isObject := p.value.(*goja.Object)
		_, callable := goja.AssertFunction(p.value)
		switch {
		case p.accessor:
			m[p.key] = "accessor"
		case callable && o.ExportType() != native.TypeProxy && !in.isNative(o):
			m[p.key] = "script"
		case isObject:
			m[p.key] = "object"
		default:
			m[p.key] = fmt.Sprintf("%v %s", p.value.ExportType(), p.value) // there are several types of strings
		}
	}
	m[""] = strconv.Itoa(in.symbolCount(o)) + strconv.FormatBool(in.extensible(o))
	return m
}

// checkLibrary refuses a library that the chart has changed: restored sessions have that of the
// script engine.
func (s *saver) checkLibrary() {
	for _, path := range slices.Sorted(maps.Keys(libraryObjects())) {
		o, before := s.in.resolve(s.VM, path), libraryObjects()[path]
		if o == nil || o.ExportType() == native.TypeProxy {
			continue // another value has the name
		}
		now := s.in.summary(o)
		if maps.Equal(before, now) {
			continue
		}
		keys := maps.Clone(before)
		maps.Copy(keys, now)
		s.root = path
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			if key != "" && before[key] != now[key] {
				s.refuseAt(key, "a change of the library")
			}
		}
		s.refuse("a change of the library")
	}
}
