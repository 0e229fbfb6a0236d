package human

import "slices"

// An alternating inference chain goes from a node that is false by strong and weak
// links in turn to one that is true: at least one of its ends is right.

// An aicKind says of what chains are made.
type aicKind struct {
	oneDigit bool // links of one digit in houses
	cells    bool // strong links in cells only
	groups   bool // several cells of a line and a box, and almost locked sets
}

// An aicLink is a link to a node; a strong one may be inside an almost locked set.
type aicLink struct {
	to  int32
	set int32 // -1 for none
}

type aicGraph struct {
	p            *Position
	kind         aicKind
	nodes        []Node
	number       map[Node]int32
	strong, weak [][]aicLink
	sets         []als
	single       int // how many nodes are single candidates, which come first
}

func newAICGraph(p *Position, kind aicKind, memory *scratch) *aicGraph {
	g := &aicGraph{p: p, kind: kind, number: map[Node]int32{}}
	for d := 1; d <= 9; d++ {
		for c := range p.places[d].All() {
			if !kind.cells || p.cells[c].Len() == 2 {
				g.add(Node{d, Cells(c)})
			}
		}
	}
	g.single = len(g.nodes)
	if kind.groups {
		g.addGroups(memory.almostLocked(p))
	}
	g.strong, g.weak = make([][]aicLink, len(g.nodes)), make([][]aicLink, len(g.nodes))
	for i, n := range g.nodes {
		g.link(int32(i), n)
	}
	for i := range g.sets {
		a := &g.sets[i]
		for d := range a.Digits.All() {
			for e := range (a.Digits &^ (1 << d)).All() {
				from, to := g.number[Node{d, a.places[d]}], g.number[Node{e, a.places[e]}]
				g.strong[from] = append(g.strong[from], aicLink{to, int32(i)})
			}
		}
	}
	return g
}

func (g *aicGraph) add(n Node) {
	if _, ok := g.number[n]; !ok {
		g.number[n] = int32(len(g.nodes))
		g.nodes = append(g.nodes, n)
	}
}

// addGroups adds nodes of several cells.
func (g *aicGraph) addGroups(sets []als) {
	for d := 1; d <= 9; d++ {
		for b := House(18); b < 27; b++ {
			corner := cellsOf[b][0]
			for i := range House(3) {
				for _, line := range [...]House{housesOf[corner][row] + i, housesOf[corner][column] + i} {
					if cells := g.p.in(b, d).and(houses[line]); cells.Len() > 1 {
						g.add(Node{d, cells})
					}
				}
			}
		}
	}
	for _, a := range sets {
		if n := a.Cells.Len(); n < 2 || n > 5 {
			continue // one cell has its own link
		}
		g.sets = append(g.sets, a)
		for d := range a.Digits.All() {
			g.add(Node{d, a.places[d]})
		}
	}
}

// link finds the links of a node.
func (g *aicGraph) link(i int32, n Node) {
	seen := n.Cells.seen()
	for j, m := range g.nodes {
		if m.Digit == n.Digit && m.Cells.in(seen) {
			g.weak[i] = append(g.weak[i], aicLink{int32(j), -1})
		}
	}
	if !g.kind.cells {
		for _, h := range n.Cells.houses() {
			if rest := g.p.in(h, n.Digit).not(n.Cells); !rest.Empty() {
				if j, ok := g.number[Node{n.Digit, rest}]; ok {
					if to := (aicLink{j, -1}); !slices.Contains(g.strong[i], to) {
						g.strong[i] = append(g.strong[i], to)
					}
				}
			}
		}
	}
	if int(i) >= g.single || g.kind.oneDigit {
		return
	}
	c := n.Cells.first()
	others := g.p.cells[c] &^ (1 << n.Digit)
	for d := range others.All() {
		j := g.number[Node{d, n.Cells}]
		if !g.kind.cells {
			g.weak[i] = append(g.weak[i], aicLink{j, -1})
		}
		if others.Len() == 1 {
			g.strong[i] = append(g.strong[i], aicLink{j, -1})
		}
	}
}

// An aicSearch follows chains from one node.
type aicSearch struct {
	*aicGraph
	from   [2][]aicLink // the node before, when a node is false (0) and when it is true (1)
	round  [2][]int
	length []int32 // of the chain to a true node, in nodes
	now    int
	queue  []int32
}

func newAICSearch(g *aicGraph) *aicSearch {
	s := &aicSearch{aicGraph: g, length: make([]int32, len(g.nodes))}
	for k := range 2 {
		s.from[k], s.round[k] = make([]aicLink, len(g.nodes)), make([]int, len(g.nodes))
	}
	return s
}

// follow finds the shortest chains from a node that is false that begin with one of
// some strong links, and calls found with the end of each that has more than that one.
func (s *aicSearch) follow(start int32, first []aicLink, found func(end int32)) {
	s.now++
	s.queue = s.queue[:0]
	s.round[0][start] = s.now
	strong := func(off int32, length int32, links []aicLink) {
		for _, l := range links {
			if s.round[1][l.to] == s.now {
				continue
			}
			s.round[1][l.to], s.from[1][l.to], s.length[l.to] = s.now, aicLink{off, l.set}, length
			if length > 2 {
				found(l.to)
			}
			s.queue = append(s.queue, l.to)
		}
	}
	strong(start, 2, first)
	for k := 0; k < len(s.queue); k++ {
		on := s.queue[k]
		for _, l := range s.weak[on] {
			if s.round[0][l.to] != s.now {
				s.round[0][l.to], s.from[0][l.to] = s.now, aicLink{on, -1}
				strong(l.to, s.length[on]+2, s.strong[l.to])
			}
		}
	}
}

// path returns the nodes from the start to a true node, and the sets in which the
// strong links between them are.
func (s *aicSearch) path(start, end int32) (nodes []int32, sets []int32) {
	for at, on := end, 1; ; on = 1 - on {
		nodes = append(nodes, at)
		if on == 0 && at == start {
			break
		}
		before := s.from[on][at]
		if on == 1 && before.set >= 0 {
			sets = append(sets, before.set)
		}
		at = before.to
	}
	slices.Reverse(nodes)
	return nodes, sets
}
