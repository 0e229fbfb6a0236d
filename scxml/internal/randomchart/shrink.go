package randomchart

import (
	"maps"
	"slices"
	"strings"
)

// A shrinker makes a trial smaller while it shows a difference. An illegal chart shows none.
type shrinker struct {
	shows func(*Trial) bool
	trial *Trial
	left  int // trials that it may still run
}

// Shrink removes stimuli, elements, attributes and targets, and replaces elements by their children, while
// the trial shows what was found. It asks shows at most n times.
func Shrink(t *Trial, n int, shows func(*Trial) bool) *Trial {
	s := &shrinker{shows, t, n}
	for again := true; again && s.left > 0; {
		again = s.stimuli()
		again = s.element(s.trial.Chart, func(t *Trial, root *Element) { t.Chart = root }) || again
		for _, name := range slices.Sorted(maps.Keys(s.trial.Files)) {
			again = s.element(s.trial.Files[name], func(t *Trial, root *Element) {
				t.Files = maps.Clone(t.Files)
				t.Files[name] = root
			}) || again
		}
	}
	return s.trial
}

// try runs the trial with the change, and keeps it if it still shows a difference.
func (s *shrinker) try(change func(t *Trial)) bool {
	if s.left--; s.left < 0 {
		return false
	}
	smaller := *s.trial
	change(&smaller)
	if !s.shows(&smaller) {
		return false
	}
	s.trial = &smaller
	return true
}

// stimuli removes stimuli, in ever smaller pieces, and their data.
func (s *shrinker) stimuli() (any bool) {
	for n := len(s.trial.Stimuli); n > 0; n /= 2 {
		for i := 0; i+n <= len(s.trial.Stimuli); {
			if s.try(func(t *Trial) { t.Stimuli = slices.Delete(slices.Clone(t.Stimuli), i, i+n) }) {
				any = true
			} else {
				i++
			}
		}
	}
	for i := range s.trial.Stimuli {
		if s.trial.Stimuli[i].Data != nil {
			any = s.try(func(t *Trial) {
				t.Stimuli = slices.Clone(t.Stimuli)
				t.Stimuli[i].Data = nil
			}) || any
		}
	}
	return any
}

// element tries every change on the tree of root, which put puts into a trial.
func (s *shrinker) element(root *Element, put func(t *Trial, root *Element)) (any bool) {
	// at returns the element at a path of child numbers, and its parent.
	at := func(root *Element, path []int) (e, parent *Element) {
		e = root
		for _, i := range path {
			if i >= len(e.Children) {
				return nil, nil
			}
			parent, e = e, e.Children[i]
		}
		return e, parent
	}
	change := func(path []int, f func(e, parent *Element, i int)) bool {
		clone := root.clone()
		e, parent := at(clone, path)
		i := 0
		if len(path) > 0 {
			i = path[len(path)-1]
		}
		f(e, parent, i)
		if !s.try(func(t *Trial) { put(t, clone) }) {
			return false
		}
		root, any = clone, true
		return true
	}
	remove := func(e, parent *Element, i int) { parent.Children = slices.Delete(parent.Children, i, i+1) }
	unwrap := func(e, parent *Element, i int) {
		parent.Children = slices.Replace(parent.Children, i, i+1, e.Children...)
	}
	var visit func(path []int)
	visit = func(path []int) {
		for len(path) > 0 {
			e, _ := at(root, path)
			if e == nil {
				return
			}
			if !change(path, remove) && (len(e.Children) == 0 || !change(path, unwrap)) {
				break
			}
		}
		e, _ := at(root, path)
		for i := 0; i < len(e.Attrs); {
			if slices.Contains([]string{"xmlns", "version", "datamodel"}, e.Attrs[i]) {
				i += 2
				continue
			}
			if change(path, func(e, _ *Element, _ int) { e.Attrs = slices.Delete(e.Attrs, i, i+2) }) {
				e, _ = at(root, path)
				continue
			}
			for j := 0; j < len(strings.Fields(e.Attrs[i+1])); {
				words := strings.Fields(e.Attrs[i+1])
				if len(words) > 1 && change(path, func(e, _ *Element, _ int) {
					e.Attrs[i+1] = strings.Join(slices.Delete(words, j, j+1), " ")
				}) {
					e, _ = at(root, path)
				} else {
					j++
				}
			}
			i += 2
		}
		for i := 0; i < len(e.Children); i++ {
			visit(append(slices.Clip(path), i))
			if e, _ = at(root, path); e == nil {
				return
			}
		}
	}
	visit(nil)
	return any
}

func (e *Element) clone() *Element {
	c := *e
	c.Attrs = slices.Clone(e.Attrs)
	c.Children = make([]*Element, len(e.Children))
	for i := range e.Children {
		c.Children[i] = e.Children[i].clone()
	}
	return &c
}
