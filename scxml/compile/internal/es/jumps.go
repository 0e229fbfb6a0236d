package es

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
)

// This file writes break and continue, and try: its blocks are Go functions, which jumps and returns leave in two steps.

// A target is a loop, or a switch.
type target struct {
	label, goLabel string // "" without one
	loop, used     bool
}

// A try is what the body of a statement try does besides: it returns, or jumps out of it.
type try struct {
	depth   int // in others
	returns bool
	jumps   []*tree.Jump
}

// jump writes a break or continue.
func (w *writer) jump(s *tree.Jump) {
	word := "break"
	if s.Continue {
		word = "continue"
	}
	for _, t := range slices.Backward(w.targets) {
		switch {
		case s.Label != "" && t.label == s.Label:
			t.used = true
			w.p("%s %s", word, t.goLabel)
			return
		case s.Label == "" && (t.loop || !s.Continue):
			w.p("%s", word)
			return
		}
	}
	w.try.jumps = append(w.try.jumps, s)
	w.p("jump%d = %d\nreturn", w.try.depth, len(w.try.jumps))
}

// to writes what a jump goes to.
func (w *writer) to(label string, loop bool, f func()) *target {
	t := &target{label: label, goLabel: goLabel(label), loop: loop}
	if w.labels == nil {
		w.labels = map[string]int{}
	}
	if w.labels[label]++; w.labels[label] > 1 {
		t.goLabel += "_" + strconv.Itoa(w.labels[label])
	}
	w.targets = append(w.targets, t)
	f()
	w.targets = w.targets[:len(w.targets)-1]
	return t
}

func goLabel(name string) string {
	for i := range len(name) {
		if c := name[i]; !(c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') {
			return fmt.Sprintf("label%x", name)
		}
	}
	return "label_" + name
}

// tryStmt writes a try: its blocks are Go functions.
func (w *writer) tryStmt(s *tree.Try) {
	w.fails = true
	outer, targets, t := w.try, w.targets, &try{depth: 1}
	if outer != nil {
		t.depth += outer.depth
	}
	w.try, w.targets = t, nil
	function := func(n tree.Node, list []tree.Stmt) string {
		b := w.b
		w.b = &strings.Builder{}
		w.inner(n, func() { w.stmts(list) })
		text := w.b.String()
		w.b = b
		return text
	}
	body := function(s, s.Body)
	handler := ""
	if s.Catch != nil {
		handler = function(s.Catch, s.Catch.List)
		if s.Param != "" {
			w.inner(s.Catch, func() {
				v := w.local(s.Param)
				handler = fmt.Sprintf("%s := thrown\n%s\n%s", v.text, mayBeUnused(v), handler)
			})
		}
	}
	w.try, w.targets = outer, targets
	finally := ""
	if s.Finally != nil {
		b := w.b
		w.b = &strings.Builder{}
		w.inner(s.Finally, func() { w.stmts(s.Finally.List) })
		finally = w.b.String()
		w.b = b
	}
	w.p("{")
	if t.returns {
		typ := "js.Value"
		if w.in == w.root {
			typ = w.in.result.typ.Go()
		}
		w.p("var result%d %s\nreturned%d := false", t.depth, typ, t.depth)
	}
	if len(t.jumps) > 0 {
		w.p("jump%d := 0", t.depth)
	}
	w.p("thrown, failed := js.Try(func() {\n%s})", body)
	if s.Catch != nil {
		w.p("if failed {")
		if s.Finally != nil {
			w.p("thrown, failed = js.Try(func() {\n%s})", handler)
		} else {
			w.p("func() {\n%s}()", handler)
		}
		w.p("}")
	}
	if s.Finally != nil {
		w.p("%s", strings.TrimSuffix(finally, "\n"))
	}
	if s.Catch == nil || s.Finally != nil {
		w.p("if failed {\npanic(js.Thrown(thrown))\n}")
	}
	w.p("_ = thrown")
	if t.returns {
		w.p("if returned%d {", t.depth)
		if outer != nil {
			outer.returns = true
			w.p("result%d, returned%d = result%d, true\nreturn", outer.depth, outer.depth, t.depth)
		} else {
			w.p("return result%d", t.depth)
		}
		w.p("}")
	}
	for i, j := range t.jumps {
		w.p("if jump%d == %d {", t.depth, i+1)
		w.jump(j)
		w.p("}")
	}
	w.p("}")
}
