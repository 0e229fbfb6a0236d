package human

import "slices"

// findALSChain finds a chain of four or more almost locked sets. If the first lacks z, it has x,
// so the next lacks x and has y, and so on: the first or the last has z, if both have that digit.
// The chains are the shortest between two sets without a common cell; with fewer sets they are
// an ALS-XZ or ALS-XY-Wing.
func findALSChain(p *Position, out *results) {
	all := out.almostLocked(p)
	c := alsChain{all: all, links: out.alsLinks(p), round: make([][10]int, len(all)), from: make([][10]alsEnd, len(all))}
	for first := range all {
		for z := range all[first].Digits.All() {
			if targets := all[first].seen[z].and(p.places[z]); !targets.Empty() && c.follow(p, first, z, targets, out) {
				return
			}
		}
	}
}

// An alsEnd is an almost locked set of a chain, with the digit that it has and the next lacks.
type alsEnd struct{ set, digit int }

type alsChain struct {
	all   []als
	links [][]alsLink
	now   int          // the search
	round [][10]int    // by set and digit, when it was last met
	from  [][10]alsEnd // and after what
	queue []alsEnd
}

// follow finds chains from a set that lacks a digit, which the targets have.
func (c *alsChain) follow(p *Position, first, z int, targets Set, out *results) (enough bool) {
	c.now++
	c.queue = c.queue[:0]
	visit := func(set, lacks int, from alsEnd) {
		for d := range (c.all[set].Digits &^ (1 << lacks)).All() {
			if c.round[set][d] != c.now {
				c.round[set][d], c.from[set][d] = c.now, from
				c.queue = append(c.queue, alsEnd{set, d})
			}
		}
	}
	start := alsEnd{-1, z}
	visit(first, z, start)
	for k := 0; k < len(c.queue); k++ {
		at := c.queue[k]
		if at.digit == z {
			lose := targets.and(c.all[at.set].seen[z])
			if at.set > first && !lose.Empty() && !c.all[at.set].Cells.meets(c.all[first].Cells) {
				if step, ok := c.step(at); ok {
					step.Eliminate = p.of(z, lose)
					if out.add(step) {
						return true
					}
				}
			}
		}
		for _, l := range c.links[at.set] {
			if l.common.Has(at.digit) {
				visit(l.set, at.digit, at)
			}
		}
	}
	return false
}

// step returns the chain to an end as a step, if it has four sets or more.
func (c *alsChain) step(end alsEnd) (Step, bool) {
	z := end.digit
	var path []alsEnd
	for at := end; at.set >= 0; at = c.from[at.set][at.digit] {
		path = append(path, at)
	}
	if len(path) < 4 {
		return Step{}, false
	}
	slices.Reverse(path)
	step := Step{Digits: digits(z)}
	var nodes []Node
	var cells Set
	lacks := z
	for _, at := range path {
		a := &c.all[at.set]
		nodes = append(nodes, Node{lacks, a.places[lacks]}, Node{at.digit, a.places[at.digit]})
		step.Sets, step.Houses = append(step.Sets, a.Locked), append(step.Houses, a.house)
		cells = cells.or(a.Cells)
		lacks = at.digit
	}
	step.Cells, step.Chains = cells.list(), [][]Link{alternating(nodes...)}
	return step, true
}

func alsChainReason(s *Step, say Say) string {
	sets := list(s.Sets, func(l Locked) string { return l.words(say) }, say)
	return say("%s lack one digit each to be locked, so each has all but one: %s", sets, aicReason(s, say))
}
