package scxml

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// seesIDs reports whether generated ids and random numbers can have an effect on the sessions of the
// tree, see AppendKey.
func (t *tree) seesIDs() bool { return t.actions != nil || t.sessions[0].chart.seesIDs() }

// codeSeesIDs reports whether code of the chart, or of one that it can invoke, can look at generated
// ids or random numbers. seen are the hashes of documents that need not be asked again.
func (c *Chart) codeSeesIDs(seen map[string]bool) bool {
	if name := c.Datamodel(); c.keepsIDs || name != "ecmascript" && name != "null" {
		return true
	}
	if len(c.hash) > 0 {
		if seen[string(c.hash)] {
			return false
		}
		seen[string(c.hash)] = true
	}
	// Events of an invocation without an id have a generated one in their name and data.
	inEvents := false
	for i := range c.states {
		for _, inv := range c.states[i].invokes {
			inEvents = inEvents || inv.id == ""
			if inv.typ.expr == nil && !doc.IsSCXMLType(inv.typ.literal) {
				continue // a service, with which a session does not have a key
			}
			if inv.inline == nil && inv.src.literal == "" {
				return true // any document
			}
			child, err := c.invoked(inv, chartSource{src: inv.src.literal})
			if err == nil && child.codeSeesIDs(seen) {
				return true
			}
		}
	}
	for _, e := range c.exprs {
		if seesIDs(e.Source().Text, inEvents) {
			return true
		}
	}
	return false
}

// seesIDs reports whether a piece of ECMAScript can look at a generated id or a random number, and so
// does any look at an event if inEvents is set.
func seesIDs(text string, inEvents bool) bool {
	for _, word := range [...]string{"random", "_sessionid", "_ioprocessors"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	for {
		_, rest, found := strings.Cut(text, "_event")
		if !found {
			return false
		}
		if inEvents || !isHarmless(rest) {
			return true
		}
		text = rest
	}
}

// nameParts are the characters in ASCII that continue a name, with an escape's.
const nameParts = `abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$\`

// isHarmless reports whether what follows _event is a field without an id.
func isHarmless(rest string) bool {
	for _, field := range [...]string{".data", ".name", ".type"} {
		if after, ok := strings.CutPrefix(rest, field); ok {
			return after == "" || !strings.ContainsRune(nameParts, rune(after[0])) && after[0] < utf8.RuneSelf
		}
	}
	return false
}

// ClockReads returns the places where code of the chart, or of the documents inside it, reads the clock by
// Date.now() or new Date(), as far as the text tells.
func (c *Chart) ClockReads() []datamodel.Position {
	var places []datamodel.Position
	if c.Datamodel() == "ecmascript" {
		for _, e := range c.exprs {
			src := e.Source()
			for _, match := range clockReads.FindAllStringSubmatchIndex(src.Text, -1) {
				places = append(places, src.Position(match[2]))
			}
		}
	}
	for i := range c.states {
		for _, inv := range c.states[i].invokes {
			if inv.inline == nil {
				continue
			}
			if child, err := inv.inline(); err == nil {
				places = append(places, child.ClockReads()...)
			}
		}
	}
	return places
}

var clockReads = regexp.MustCompile(`(?:^|[^\w$.])(Date\s*\.\s*now\b|(?:new\s+)?Date\s*\(\s*\)|new\s+Date\s*(?:[^\w$\s(.]|$))`)
