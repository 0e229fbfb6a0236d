package compile

import (
	"cmp"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

func comparePos(a, b datamodel.Position) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// printable returns s as one line, for comments.
func printable(s string) string {
	quoted := strconv.QuoteToASCII(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], "*/", `*\/`)
}

// names are the Go names of a chart.
type names struct {
	typ    string   // of machines
	prefix string   // of all other names of the package
	states []string // by state
	events []string // by number; "" for Other
	method []string // by number of event; "" without one
	data   map[string]string
}

// taken are the names of the package, and of the machine's methods, that all charts have.
var (
	packageNames = []string{"New", "Hooks", "State", "Event", "Options", "Data"}
	methodNames  = []string{"Start", "Send", "Do", "In", "Data", "NextDue", "Advance", "Stop", "Running", "Err", "Configuration", "Handle", "DoneData", "Machine", "Item", "SetUp", "StartIn", "Snapshot", "Restore", "Node"}
)

func (g *generator) makeNames() names {
	n := names{typ: cmp.Or(g.typ, "Machine"), prefix: g.typ, data: map[string]string{}}
	pkg := g.taken
	for _, name := range packageNames {
		pkg[name] = true
		pkg[n.prefix+name], pkg["New"+n.prefix] = true, true
	}
	pkg[n.typ] = true
	n.states = make([]string, len(g.doc.States))
	for i, s := range g.doc.States { // names that the chart chooses come first
		if s.Go != nil {
			n.states[i] = g.chosen(pkg, n.prefix, s.Go)
		}
	}
	for i, s := range g.doc.States {
		if s.Go == nil {
			n.states[i] = pkg.choose(n.prefix, "State", stateName(s, i))
		}
	}
	methods := taken{}
	for _, name := range methodNames {
		methods[name] = true
	}
	for i, name := range g.events.names {
		if i == 0 {
			n.events, n.method = append(n.events, pkg.choose(n.prefix, "Event", "other")), append(n.method, "")
			continue
		}
		n.events = append(n.events, pkg.choose(n.prefix+"Event", "Event", name))
		method := ""
		if g.events.fromOutside[i] {
			method = methods.choose("", "Send", name)
		}
		n.method = append(n.method, method)
	}
	return n
}

// chosen returns the name that an attribute go chooses.
func (g *generator) chosen(t taken, prefix string, attr *doc.Extension) string {
	name := prefix + attr.Text
	switch {
	case !token.IsIdentifier(attr.Text) || !token.IsExported(attr.Text):
		g.problem(attr.Pos, "go=%q: want a Go identifier that begins with a capital letter", attr.Text)
	case t[name]:
		g.problem(attr.Pos, "go=%q: the name %s is taken", attr.Text, name)
	}
	t[name] = true
	return name
}

// stateName is the id of a state, or what stands for it in names of events.
func stateName(s *doc.State, i int) string {
	if s.ID != "" {
		return s.ID
	}
	return s.Kind.String() + "#" + strconv.Itoa(i)
}

// taken is a set of names.
type taken map[string]bool

// choose returns a name for an id that begins with prefix: its words in one; if that is taken, or not a Go
// identifier, with kind before it; and if that is taken, spelled out.
func (t taken) choose(prefix, kind, id string) string {
	name := prefix + words(id)
	if words(id) == "" || t[name] || !token.IsIdentifier(name) || !token.IsExported(name) {
		name = prefix + kind + words(id)
	}
	if t[name] || words(id) == "" {
		name = prefix + kind + spelled(id)
	}
	for t[name] {
		name += "_"
	}
	t[name] = true
	return name
}

func inName(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// words writes the words of an id as one.
func words(id string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(id, func(r rune) bool { return !inName(r) }) {
		runes := []rune(word)
		runes[0] = unicode.ToUpper(runes[0])
		b.WriteString(string(runes))
	}
	return b.String()
}

// spelled writes an id so that no other is written alike.
func spelled(id string) string {
	var b strings.Builder
	b.WriteByte('_')
	for _, r := range id {
		if inName(r) {
			b.WriteRune(r)
		} else {
			b.WriteString("_" + strconv.FormatInt(int64(r), 16) + "_")
		}
	}
	return b.String()
}

// structure numbers the registers.
func (g *generator) structure() {
	d := g.doc
	g.part, g.last = make([]int, len(d.States)), make([]int, len(d.States))
	g.slots, g.lens, g.quiets = map[*doc.State]int{}, map[*doc.State]int{}, map[*doc.State]bool{}
	for i, s := range d.States {
		g.last[i] = i
		switch {
		case s.Parent == nil, s.Parent.Kind == doc.Parallel && s.Kind != doc.History:
			g.part[i] = len(g.parts)
			g.parts = append(g.parts, s)
		default:
			g.part[i] = g.part[s.Parent.Index]
		}
	}
	for i := len(d.States) - 1; i > 0; i-- {
		p := d.States[i].Parent.Index
		g.last[p] = max(g.last[p], g.last[i])
	}
	g.regs = len(g.parts)
	for _, s := range d.States {
		if s.Kind != doc.History {
			continue
		}
		n := 1
		if s.Deep {
			n = g.partsBelow(s.Parent)
			if s.Parent.Kind != doc.Parallel {
				n++
			}
		}
		g.histories = append(g.histories, s)
		g.slots[s], g.lens[s] = g.regs, n
		g.regs += n
	}
}

// partsBelow counts the parts below a state.
func (g *generator) partsBelow(s *doc.State) int {
	n := 0
	for _, p := range g.parts {
		if s.Index < p.Index && p.Index <= g.last[s.Index] {
			n++
		}
	}
	return n
}
