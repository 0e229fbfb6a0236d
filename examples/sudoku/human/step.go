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
	Fins   Set      // of a fish the places in the base that are not covered; else the cells that differ from the rest
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

// from and to return which state of a node leads to which.
func (k LinkKind) from() bool { return k == Weak }
func (k LinkKind) to() bool   { return k == Strong }

// node returns the node of one candidate.
func node(c Cell, d int) Node { return Node{d, Cells(c)} }

// text returns a node with its state, as in "r1c2=5" or "r1c23<>5".
func (n Node) text(on bool) string {
	if on {
		return fmt.Sprintf("%v=%d", n.Cells, n.Digit)
	}
	return fmt.Sprintf("%v<>%d", n.Cells, n.Digit)
}

// String returns a step in one line, as in "Naked Pair: 3 and 7 … => r1c8<>3".
func (s *Step) String() string {
	return fmt.Sprintf("%v: %s => %s", s.Technique, s.Reason(), s.Effect())
}

// Effect returns what a step places and eliminates, as in "r1c2=5, r3c8<>4".
func (s *Step) Effect() string {
	var parts []string
	for _, c := range s.Place {
		parts = append(parts, c.String())
	}
	for d := 1; d <= 9; d++ {
		var cells Set
		for _, c := range s.Eliminate {
			if c.Digit == d {
				cells.add(c.Cell)
			}
		}
		if !cells.Empty() {
			parts = append(parts, Node{d, cells}.text(false))
		}
	}
	return strings.Join(parts, ", ")
}

// Reason returns in words why a step is right: the cause that is seen in the position,
// and how the effect follows from it.
func (s *Step) Reason() string { return catalogue[s.Technique].reason(s) }

// list joins the words of things, as in "a, b and c".
func list[T any](things []T, word func(T) string) string {
	words := make([]string, len(things))
	for i, t := range things {
		words[i] = word(t)
	}
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

func (s Digits) words(last string) string {
	text := list(digitList(s), func(d int) string { return string(rune('0' + d)) })
	if last != "and" {
		text = strings.Replace(text, " and ", " "+last+" ", 1)
	}
	return text
}

func digitList(s Digits) (all []int) {
	for d := range s.All() {
		all = append(all, d)
	}
	return all
}

// houseWords names houses, those of one kind together, as in "rows 1 and 5".
func houseWords(all []House) string {
	for _, h := range all {
		if h.kind() != all[0].kind() || len(all) == 1 {
			return list(all, House.String)
		}
	}
	kind := [...]string{"rows", "columns", "boxes"}[all[0].kind()]
	return kind + " " + list(all, func(h House) string { return fmt.Sprint(int(h)%9 + 1) })
}

// oneOf names cells of which one is meant.
func oneOf(cells Set) string {
	if cells.Len() == 1 {
		return cells.String()
	}
	return "one of " + cells.String()
}

// chainWords writes a chain of links as a line of inference that begins with an
// assumption, as in "if r1c2<>5, then r1c7=5, so r3c7<>5". Of a long one only what is
// true is told, and the end.
func chainWords(chain []Link) string {
	var b strings.Builder
	fmt.Fprintf(&b, "if %s", chain[0].From.text(chain[0].Kind.from()))
	word := ", then "
	for i, l := range chain {
		last := i+1 == len(chain)
		if !last && chain[i+1].To == l.To && chain[i+1].Kind.to() == l.Kind.to() {
			continue // one conclusion from several links
		}
		if !last && len(chain) > 24 && !l.Kind.to() {
			continue
		}
		b.WriteString(word)
		b.WriteString(l.To.text(l.Kind.to()))
		word = ", so "
		if len(chain) > 24 {
			word = ", "
		}
	}
	return b.String()
}
