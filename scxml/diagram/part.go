package diagram

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// Part returns the diagram of a part of the chart: of one state, or of the whole chart if n is the Root,
// with depth levels of the states in it, or all if depth is not positive.
//
// A state at the last level has a [More] line in place of the states in it, and their errors. A transition
// to one of these leads to the state that is shown, and one to a state around the part has it in
// [Edge.Beyond]. Transitions of states that are not shown are left out. IDs are those of the whole diagram.
// A picture of the part for one state shows 200 of its lines, and not eight.
func (d *Diagram) Part(n *Node, depth int) *Diagram {
	if depth <= 0 {
		depth = len(d.Nodes)
	}
	p := &Diagram{Chart: d.Chart, nodes: make(map[scxml.State]*Node), edges: make(map[datamodel.Position]*Edge)}
	shown := make([]*Node, len(d.Nodes)) // by the Index in d
	if n != d.Root {
		root := *d.Root
		root.Lines = nil
		p.show(&root, nil)
		shown[0] = &root
		p.copy(d, n, &root, depth, shown)
		shown[n.Index].whole = true
		shown[0] = nil
	} else {
		p.copy(d, n, nil, depth, shown)
	}
	p.finish()
	for _, e := range d.Edges {
		source := shown[e.Source.Index]
		if source == nil || source.State != e.Source.State || e.Kind == Initial && len(source.Children) == 0 {
			continue
		}
		c := *e
		c.Index, c.Source, c.Targets, c.Beyond = len(p.Edges), source, nil, slices.Clip(e.Beyond)
		for _, t := range e.Targets {
			switch s := shown[t.Index]; {
			case s == nil:
				c.Beyond = append(c.Beyond, t)
			case !slices.Contains(c.Targets, s):
				c.Targets = append(c.Targets, s)
			}
		}
		if x := e.Transition.Element(); x != nil {
			p.edges[x.Pos] = &c
		}
		source.Edges = append(source.Edges, &c)
		p.Edges = append(p.Edges, &c)
	}
	return p
}

// Fitting returns what a picture of n that is too large can be replaced by, n being the Root or another
// node: the state in it that has the most states and fits into a picture, or nil, and the greatest depth
// at which n itself does, or 0. It looks at a few of them only, so that it does not take long.
func (d *Diagram) Fitting(ctx context.Context, n *Node) (state *Node, depth int) {
	return d.fitting(ctx, n, defaultBounds)
}

func (d *Diagram) fitting(ctx context.Context, n *Node, most bounds) (state *Node, depth int) {
	fits := func(n *Node, depth int) bool {
		_, err := d.Part(n, depth).plan(ctx, most)
		return err == nil
	}
	size := func(n *Node) int { return n.last - n.Index + 1 }
	var inside []*Node
	var levels []int // how many states are at each level below n
	level := make([]int, len(d.Nodes))
	for _, c := range d.Nodes[n.Index+1 : n.last+1] {
		level[c.Index] = level[c.Parent.Index] + 1
		levels = append(levels, make([]int, max(0, level[c.Index]-len(levels)))...)
		levels[level[c.Index]-1]++
		if len(c.Children) > 0 && size(c) <= most.states {
			inside = append(inside, c)
		}
	}
	slices.SortStableFunc(inside, func(a, b *Node) int { return cmp.Compare(size(b), size(a)) })
	for i, tries := 0, 0; i < len(inside) && tries < 8 && state == nil; i, tries = 2*i+1, tries+1 {
		if fits(inside[i], 0) {
			state = inside[i]
		}
	}
	sum, below := 0, 0
	for below < len(levels)-1 && sum+levels[below] <= most.states {
		sum += levels[below]
		below++
	}
	for ; below > 0 && depth == 0; below /= 2 {
		if fits(n, below) {
			depth = below
		}
	}
	return state, depth
}

// copy shows a node of d and so many levels below it. All nodes are shown by it that are in it and
// not shown themselves.
func (p *Diagram) copy(d *Diagram, n, parent *Node, depth int, shown []*Node) {
	c := *n
	p.show(&c, parent)
	shown[n.Index] = &c
	for _, child := range n.Children {
		if depth > 0 {
			p.copy(d, child, &c, depth-1, shown)
		}
	}
	if hidden := n.last - n.Index; depth == 0 && hidden > 0 {
		var wrong []Line
		for i, h := range d.Nodes[n.Index+1 : n.last+1] {
			shown[n.Index+1+i] = &c
			wrong = append(wrong, problems(h.Lines)...)
			for _, e := range h.Edges {
				wrong = append(wrong, problems(e.Actions)...)
			}
		}
		text := "… " + strconv.Itoa(hidden) + " states"
		if hidden == 1 {
			text = "… 1 state"
		}
		own := problems(c.Lines)
		c.Lines = slices.Concat(own, wrong, []Line{{Kind: More, Text: Text{text, text}}}, c.Lines[len(own):])
	}
}

// show adds a node.
func (p *Diagram) show(c, parent *Node) {
	c.Index, c.Parent, c.Children, c.Edges, c.last, c.whole = len(p.Nodes), parent, nil, nil, 0, false
	if parent != nil {
		parent.Children = append(parent.Children, c)
	}
	p.nodes[c.State] = c
	p.Nodes = append(p.Nodes, c)
}
