package mutate

import (
	"math"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// An Operator is a kind of change.
type Operator string

const (
	DropTransition Operator = "drop transition"
	NegateGuard    Operator = "negate guard" // of a transition, <if> or <elseif>; without scripts the guard is dropped
	Retarget       Operator = "retarget"     // to a sibling of the target, or another state; also an initial state
	SwapOrder      Operator = "swap order"   // of transitions that can match the same event, or of actions that do not commute
	DropAction     Operator = "drop action"
	HistoryType    Operator = "history type"    // shallow for deep, and deep for shallow
	TransitionType Operator = "transition type" // internal for external, and external for internal
)

// A Mutant is a chart with one small change.
type Mutant struct {
	Operator Operator
	Pos      datamodel.Position // of the element that is changed

	src   *source
	edits []edit // in the order of the text, apart from each other
}

// An edit replaces a part of the text.
type edit struct {
	span
	text string
}

// Source returns the document of the mutant. Lines keep their numbers, except those of elements that
// change places.
func (m *Mutant) Source() string {
	var b strings.Builder
	at := 0
	for _, e := range m.edits {
		b.WriteString(m.src.text[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.WriteString(m.src.text[at:])
	return b.String()
}

// Diff returns the lines that the change removes, adds and leaves between them, after "- ", "+ " and
// two blanks, without their common indentation and blank lines.
func (m *Mutant) Diff() []string {
	text := m.src.text
	from := strings.LastIndexByte(text[:m.edits[0].from], '\n') + 1
	last := m.edits[len(m.edits)-1].to
	to := len(text)
	if i := strings.IndexByte(text[last:], '\n'); i >= 0 {
		to = last + i
	}
	mutated := m.Source()
	return diff(lines(text[from:to]), lines(mutated[from:to+len(mutated)-len(text)]))
}

// lines returns the lines of a text that are not blank.
func lines(text string) (all []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			all = append(all, strings.ReplaceAll(line, "\t", "  "))
		}
	}
	return all
}

// maxDiff bounds the table of a diff. In larger texts, no lines are found to be the same.
const maxDiff = 1_000_000

// diff compares two texts by a longest common subsequence of their lines.
func diff(old, new []string) []string {
	if len(old)*len(new) > maxDiff {
		return slices.Concat(diff(old, nil), diff(nil, new))
	}
	common := make([][]int, len(old)+1) // common[i][j]: how many lines old[i:] and new[j:] have in common
	common[len(old)] = make([]int, len(new)+1)
	for i := len(old) - 1; i >= 0; i-- {
		common[i] = make([]int, len(new)+1)
		for j := len(new) - 1; j >= 0; j-- {
			if old[i] == new[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	type line struct{ sign, text string }
	var all []line
	for i, j := 0, 0; i < len(old) || j < len(new); {
		switch {
		case i < len(old) && j < len(new) && old[i] == new[j]:
			all = append(all, line{"  ", old[i]})
			i, j = i+1, j+1
		case j == len(new) || i < len(old) && common[i+1][j] >= common[i][j+1]:
			all = append(all, line{"- ", old[i]})
			i++
		default:
			all = append(all, line{"+ ", new[j]})
			j++
		}
	}
	changed := func(l line) bool { return l.sign != "  " }
	first := slices.IndexFunc(all, changed)
	if first < 0 {
		return nil
	}
	all = all[first:]
	for !changed(all[len(all)-1]) {
		all = all[:len(all)-1]
	}
	indent := math.MaxInt
	for _, l := range all {
		indent = min(indent, len(l.text)-len(strings.TrimLeft(l.text, " ")))
	}
	var out []string
	for _, l := range all {
		out = append(out, l.sign+l.text[indent:])
	}
	return out
}

// String returns the place, the operator and the diff.
func (m *Mutant) String() string {
	return m.Pos.String() + ": " + string(m.Operator) + "\n  " + strings.Join(m.Diff(), "\n  ")
}
