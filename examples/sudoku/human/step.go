package human

import (
	"fmt"
	"strings"
)

// A Step is one piece of reasoning: what may be placed or eliminated, and why.
// Which of the fields of the reason are set depends on the technique.
type Step struct {
	Technique Technique
	Rating    Rating // which for chains depends on their length

	Place     []Candidate
	Eliminate []Candidate

	Digits Digits   // that the pattern is about
	Cells  []Cell   // that make up the pattern; of a wing the pivot first
	Houses []House  // in which the pattern is found; of a fish its base
	Cover  []House  // of a fish the houses that lose candidates
	Fins   Set      // of a fish the places that are in more houses of the base than of the cover; else the cells that differ from the rest
	Sets   []Locked // almost locked sets; of colors the groups
	Chains [][]Link // one or more lines of inference
}

// A Locked is a set of cells in a house with as many candidates as cells, or with one
// more: an almost locked set, which is locked as soon as it loses one of them.
type Locked struct {
	Cells  Set
	Digits Digits
}

// A Node is a digit in a cell, or in one of several cells of a house.
type Node struct {
	Digit int
	Cells Set
}

// A Link says that one thing follows from another. Several links of a chain to the
// same node hold together only: the node follows from all of them.
type Link struct {
	From, To Node
	Kind     LinkKind
}

// A LinkKind says what a link infers from what.
type LinkKind int

const (
	Weak    LinkKind = iota // when From is true, To is false
	Strong                  // when From is false, To is true
	Pattern                 // when From is false, a pattern is left that makes To false
)

// alternating returns a chain through nodes, of strong and weak links in turn.
func alternating(nodes ...Node) (chain []Link) {
	for i := 1; i < len(nodes); i++ {
		chain = append(chain, Link{nodes[i-1], nodes[i], [...]LinkKind{Weak, Strong}[i%2]})
	}
	return chain
}

// from and to return which state of a node leads to which.
func (k LinkKind) from() bool { return k == Weak }
func (k LinkKind) to() bool   { return k == Strong }

// node returns the node of one candidate.
func node(c Cell, d int) Node { return Node{d, Cells(c)} }

// text returns a node with its state, as in "r1c2=5" or "r1c23<>5".
func (n Node) text(on bool, say Say) string {
	if on {
		return say("%v=%d", n.Cells, n.Digit)
	}
	return say("%v<>%d", n.Cells, n.Digit)
}

// String returns a step in one line, as in "Naked Pair: 3 and 7 … => r1c8<>3".
func (s *Step) String() string {
	return fmt.Sprintf("%v: %s => %s", s.Technique, s.Reason(), s.Effect())
}

// conclude makes a state the effect of a step.
func (s *Step) conclude(what state) {
	result := []Candidate{{what.cell(), what.digit()}}
	if what.on() {
		s.Place = result
	} else {
		s.Eliminate = result
	}
}

// Effect returns what a step places and eliminates, as in "r1c2=5, r3c8<>4".
func (s *Step) Effect() string { return s.effect(english) }

func (s *Step) effect(say Say) string {
	var parts []string
	for _, c := range s.Place {
		parts = append(parts, node(c.Cell, c.Digit).text(true, say))
	}
	for d := 1; d <= 9; d++ {
		var cells Set
		for _, c := range s.Eliminate {
			if c.Digit == d {
				cells.add(c.Cell)
			}
		}
		if !cells.Empty() {
			parts = append(parts, Node{d, cells}.text(false, say))
		}
	}
	return strings.Join(parts, ", ")
}

// Reason returns in words why a step is right: the cause that is seen in the position,
// and how the effect follows from it.
func (s *Step) Reason() string { return catalogue[s.Technique].reason(s, english) }
