package scxml

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// WithMissing says that the host means to leave out services, Event I/O Processors, actions and
// functions that the chart uses. [New] then accepts that, and using them is error.execution (REC 6.2,
// 6.4). Without it New fails, since the chart cannot do what it says: with the names, and the options
// that give them.
//
// New knows what the text of the chart names: not what it computes (typeexpr), nor what charts that it
// invokes use.
func WithMissing() Option { return option(func(c *config) { c.missing = true }) }

// A need is something that a chart expects of its host.
type need struct {
	option string // that gives it
	name   string
	action xml.Name // of an action
	pos    datamodel.Position
	note   string // what to write instead, for a function that is known from elsewhere
}

func (n need) String() string {
	what := map[string]string{"WithInvoker": "service", "WithIOProcessor": "I/O processor", "WithAction": "action", "WithFunc": "function"}
	return fmt.Sprintf("%s %q (%d:%d: %s)", what[n.option], n.name, n.pos.Line, n.pos.Col, cmp.Or(n.note, n.option))
}

// checkMissing reports what the chart uses and c does not give.
func (c *config) checkMissing(chart *Chart) error {
	if c.missing || c.dry != nil {
		return nil
	}
	var missing []string
	for _, n := range chart.needs() {
		if !c.gives(n) {
			missing = append(missing, n.String())
		}
	}
	if missing == nil {
		return nil
	}
	const most = 5
	more := ""
	if n := len(missing) - most; n > 0 {
		missing, more = missing[:most], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Errorf("%s uses what the host has not given: %s%s; WithMissing leaves it out", chart.file, strings.Join(missing, ", "), more)
}

func (c *config) gives(n need) bool {
	switch n.option {
	case "WithInvoker":
		return c.given(n.name) != nil || c.given("*") != nil
	case "WithIOProcessor":
		return slices.ContainsFunc(c.processors, func(p processor) bool { return p.typ == processorType(n.name) })
	case "WithAction":
		return c.actions[n.action] != nil
	}
	return slices.ContainsFunc(c.funcs, func(f *hostFunc) bool { return f.name == n.name })
}

// findNeeds returns what the chart expects of its host, each once.
func (c *Chart) findNeeds(of []need) []need {
	var found []need
	known := make(map[need]bool)
	add := func(n need) {
		id := need{option: n.option, name: n.name, action: n.action}
		if !known[id] {
			found = append(found, n)
		}
		known[id] = true
	}
	for _, n := range of {
		add(n)
	}
	checker, ok := c.language.(datamodel.Checker)
	if !ok {
		return found
	}
	var called []datamodel.Finding
	declared := make(map[string]bool)
	for _, id := range slices.Concat(checker.Names(), c.AllData(), c.items) {
		declared[id] = true
	}
	for _, e := range c.exprs {
		checked, ok := e.(datamodel.Checked)
		if !ok {
			return found
		}
		for _, f := range checked.Findings() {
			switch f.Kind {
			case datamodel.OpenDeclaration:
				return found // it may declare anything
			case datamodel.Declaration:
				declared[f.Text] = true
			case datamodel.Reference:
				if f.Called {
					called = append(called, f)
				}
			}
		}
	}
	for _, f := range called {
		if !declared[f.Text] {
			add(need{option: "WithFunc", name: f.Text, pos: f.Pos, note: f.Note})
		}
	}
	return found
}

func (c *compiler) need(option, name string, action xml.Name, pos datamodel.Position) {
	if option == "WithInvoker" && doc.IsSCXMLType(name) || option == "WithIOProcessor" && processorType(name) == SCXMLEventProcessor {
		return
	}
	c.needs = append(c.needs, need{option: option, name: name, action: action, pos: pos})
}
