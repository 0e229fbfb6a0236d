package scxml_test

import (
	"maps"
	"slices"
	"strings"
)

// A shrinker makes a trial smaller while it shows a difference. An illegal chart shows none.
type shrinker struct {
	run   func(*trial) *difference
	trial *trial
	d     *difference
	left  int // trials that it may still run
}

// shrink removes stimuli, elements, attributes and targets, and replaces elements by their
// children.
func shrink(run func(*trial) *difference, t *trial, d *difference) (*trial, *difference) {
	s := &shrinker{run, t, d, 20_000}
	for again := true; again && s.left > 0; {
		again = s.stimuli()
		again = s.element(s.trial.chart, func(t *trial, root *element) { t.chart = root }) || again
		for _, name := range slices.Sorted(maps.Keys(s.trial.files)) {
			again = s.element(s.trial.files[name], func(t *trial, root *element) {
				t.files = maps.Clone(t.files)
				t.files[name] = root
			}) || again
		}
	}
	return s.trial, s.d
}

// try runs the trial with the change, and keeps it if it still shows a difference.
func (s *shrinker) try(change func(t *trial)) bool {
	if s.left--; s.left < 0 {
		return false
	}
	smaller := *s.trial
	change(&smaller)
	d := s.run(&smaller)
	if d == nil || d.kind() != s.d.kind() {
		return false // or it is another one
	}
	s.trial, s.d = &smaller, d
	return true
}

// stimuli removes stimuli, in ever smaller pieces, and their data.
func (s *shrinker) stimuli() (any bool) {
	for n := len(s.trial.stimuli); n > 0; n /= 2 {
		for i := 0; i+n <= len(s.trial.stimuli); {
			if s.try(func(t *trial) { t.stimuli = slices.Delete(slices.Clone(t.stimuli), i, i+n) }) {
				any = true
			} else {
				i++
			}
		}
	}
	for i := range s.trial.stimuli {
		if s.trial.stimuli[i].data != nil {
			any = s.try(func(t *trial) {
				t.stimuli = slices.Clone(t.stimuli)
				t.stimuli[i].data = nil
			}) || any
		}
	}
	return any
}

// element tries every change on the tree of root, which put puts into a trial.
func (s *shrinker) element(root *element, put func(t *trial, root *element)) (any bool) {
	// at returns the element at a path of child numbers, and its parent.
	at := func(root *element, path []int) (e, parent *element) {
		e = root
		for _, i := range path {
			if i >= len(e.children) {
				return nil, nil
			}
			parent, e = e, e.children[i]
		}
		return e, parent
	}
	change := func(path []int, f func(e, parent *element, i int)) bool {
		clone := root.clone()
		e, parent := at(clone, path)
		i := 0
		if len(path) > 0 {
			i = path[len(path)-1]
		}
		f(e, parent, i)
		if !s.try(func(t *trial) { put(t, clone) }) {
			return false
		}
		root, any = clone, true
		return true
	}
	remove := func(e, parent *element, i int) { parent.children = slices.Delete(parent.children, i, i+1) }
	unwrap := func(e, parent *element, i int) {
		parent.children = slices.Replace(parent.children, i, i+1, e.children...)
	}
	var visit func(path []int)
	visit = func(path []int) {
		for len(path) > 0 {
			e, _ := at(root, path)
			if e == nil {
				return
			}
			if !change(path, remove) && (len(e.children) == 0 || !change(path, unwrap)) {
				break
			}
		}
		e, _ := at(root, path)
		for i := 0; i < len(e.attrs); {
			if slices.Contains([]string{"xmlns", "version", "datamodel"}, e.attrs[i]) {
				i += 2
				continue
			}
			if change(path, func(e, _ *element, _ int) { e.attrs = slices.Delete(e.attrs, i, i+2) }) {
				e, _ = at(root, path)
				continue
			}
			for j := 0; j < len(strings.Fields(e.attrs[i+1])); {
				words := strings.Fields(e.attrs[i+1])
				if len(words) > 1 && change(path, func(e, _ *element, _ int) {
					e.attrs[i+1] = strings.Join(slices.Delete(words, j, j+1), " ")
				}) {
					e, _ = at(root, path)
				} else {
					j++
				}
			}
			i += 2
		}
		for i := 0; i < len(e.children); i++ {
			visit(append(slices.Clip(path), i))
			if e, _ = at(root, path); e == nil {
				return
			}
		}
	}
	visit(nil)
	return any
}

// kind returns the beginning of a difference's description.
func (d *difference) kind() string { return d.what[:min(len(d.what), 15)] }

func (e *element) clone() *element {
	c := *e
	c.attrs = slices.Clone(e.attrs)
	c.children = make([]*element, len(e.children))
	for i := range e.children {
		c.children[i] = e.children[i].clone()
	}
	return &c
}
