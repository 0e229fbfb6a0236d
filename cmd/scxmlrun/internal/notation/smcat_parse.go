package notation

import (
	"regexp"
	"slices"
	"strings"
)

// A catMachine is a state machine of state-machine-cat, which has states and transitions.
type catMachine struct {
	states      []*catState
	transitions []*catTransition
}

type catState struct {
	name, typ string
	explicit  bool // the type is given, not guessed from the name
	label     string
	notes     []string
	actions   string
	at        int // offset
	machine   *catMachine
}

type catTransition struct {
	from, to string
	label    string
	internal bool
	notes    []string
	at       int
}

// A catParser reads the language of state-machine-cat, by its grammar for version 14.
type catParser struct {
	*builder
	i     int
	depth int

	end     int // of the last token
	skipped int // where the space after it ends
}

// machine reads states and transitions up to the end or a closing brace.
func (p *catParser) machine() (*catMachine, error) {
	m := new(catMachine)
	if p.depth++; p.depth > maxNested {
		return nil, p.errorf(p.i, "states are nested more than %d deep", maxNested)
	}
	defer func() { p.depth-- }()
	for {
		notes, err := p.skip()
		if err != nil {
			return nil, err
		}
		if p.i == len(p.text) || p.depth > 1 && p.text[p.i] == '}' {
			return m, nil
		}
		at := p.i
		name, err := p.identifier()
		if err != nil {
			return nil, err
		}
		if _, err := p.skip(); err != nil {
			return nil, err
		}
		if arrow, forward := p.arrow(); arrow {
			t := &catTransition{from: name, notes: notes, at: at}
			if err := p.transition(t, forward); err != nil {
				return nil, err
			}
			m.transitions = append(m.transitions, t)
			continue
		}
		s := &catState{name: name, typ: smcatType(name), notes: notes, at: at}
		if err := p.state(s); err != nil {
			return nil, err
		}
		// Of several declarations the last one counts, in the place of the first.
		if i := slices.IndexFunc(m.states, func(x *catState) bool { return x.name == s.name }); i >= 0 {
			if old := m.states[i]; old.machine != nil || old.label != "" || old.actions != "" {
				p.note(old.at, "state %q is declared again on line %d, and what is in this declaration is not kept", shorten(s.name), p.pos(s.at).Line)
			}
			m.states[i] = s
		} else {
			m.states = append(m.states, s)
		}
	}
}

// skip skips space and comments, and returns notes, which are comments for the reader of the chart.
func (p *catParser) skip() (notes []string, err error) {
	if p.i != p.skipped {
		p.end = p.i
	}
	defer func() { p.skipped = p.i }()
	for p.i < len(p.text) {
		rest := p.text[p.i:]
		switch {
		case strings.ContainsRune(" \t\r\n", rune(rest[0])):
			p.i++
		case strings.HasPrefix(rest, "//"), rest[0] == '#':
			line, _, _ := strings.Cut(rest, "\n")
			if rest[0] == '#' {
				notes = append(notes, strings.TrimSpace(line[1:]))
			}
			p.i += len(line)
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				return nil, p.errorf(p.i, "the comment does not end: want */")
			}
			p.i += n + 4
		default:
			return notes, nil
		}
	}
	return notes, nil
}

// rest returns what is left of the text.
func (p *catParser) rest() string { return p.text[p.i:] }

// accept skips a text if it comes next, and space and comments after it.
func (p *catParser) accept(text string) (bool, error) {
	if !strings.HasPrefix(p.rest(), text) {
		return false, nil
	}
	p.i += len(text)
	_, err := p.skip()
	return true, err
}

const catNameEnd = ";, \"\t\n\r=-><:{["

// identifier reads the name of a state.
func (p *catParser) identifier() (string, error) {
	if strings.HasPrefix(p.rest(), `"`) {
		return p.quoted()
	}
	n := strings.IndexAny(p.rest(), catNameEnd)
	if n < 0 {
		n = len(p.rest())
	}
	if n == 0 {
		if p.i == len(p.text) {
			return "", p.errorf(p.i, "want the name of a state, got the end of the file")
		}
		return "", p.errorf(p.i, "want the name of a state, got %q; write names with such characters in quotes", p.rest()[:1])
	}
	p.i += n
	return p.text[p.i-n : p.i], nil
}

// quoted reads a text in quotes, in which \" is a quote.
func (p *catParser) quoted() (string, error) {
	for j := p.i + 1; j < len(p.text); j++ {
		switch {
		case p.text[j] == '"':
			text := p.text[p.i+1 : j]
			p.i = j + 1
			return strings.ReplaceAll(text, `\"`, `"`), nil
		case strings.HasPrefix(p.text[j:], `\"`):
			j++
		}
	}
	return "", p.errorf(p.i, "the text in quotes does not end: want another quote")
}

// texted reads a text in quotes, or one up to one of some characters.
func (p *catParser) texted(end string) (string, error) {
	if strings.HasPrefix(p.rest(), `"`) {
		return p.quoted()
	}
	n := strings.IndexAny(p.rest(), end)
	if n < 0 {
		n = len(p.rest())
	}
	p.i += n
	return strings.TrimSpace(p.text[p.i-n : p.i]), nil
}

var (
	catForward  = []string{"->", "=>>", "=>", ">>", ":>", "--", "=="}
	catBackward = []string{"<-", "<<=", "<=", "<<", "<:"}
)

// arrow reads an arrow, if one comes next.
func (p *catParser) arrow() (ok, forward bool) {
	for i, a := range slices.Concat(catForward, catBackward) {
		if strings.HasPrefix(p.rest(), a) {
			p.i += len(a)
			return true, i < len(catForward)
		}
	}
	return false, false
}

// transition reads a transition after its arrow.
func (p *catParser) transition(t *catTransition, forward bool) error {
	if _, err := p.skip(); err != nil {
		return err
	}
	var err error
	if t.to, err = p.identifier(); err != nil {
		return err
	}
	if !forward {
		t.from, t.to = t.to, t.from
	}
	if _, err := p.skip(); err != nil {
		return err
	}
	attrs, err := p.attributes("color", "class", "type", "width")
	if err != nil {
		return err
	}
	t.internal = attrs["type"] == "internal"
	if colon, err := p.accept(":"); err != nil {
		return err
	} else if colon {
		if t.label, err = p.texted(";{"); err != nil {
			return err
		}
		if _, err := p.skip(); err != nil {
			return err
		}
	}
	if !strings.HasPrefix(p.rest(), ";") {
		return p.errorf(p.end, "want ; after the transition from %q to %q", t.from, t.to)
	}
	p.i++
	return nil
}

// state reads a state after its name.
func (p *catParser) state(s *catState) error {
	attrs, err := p.attributes("label", "color", "class", "active", "type")
	if err != nil {
		return err
	}
	s.label = attrs["label"]
	if typ := attrs["type"]; typ != "" {
		s.typ, s.explicit = typ, true
	}
	if colon, err := p.accept(":"); err != nil {
		return err
	} else if colon {
		if s.actions, err = p.texted(",;{"); err != nil {
			return err
		}
		if _, err := p.skip(); err != nil {
			return err
		}
	}
	if brace, err := p.accept("{"); err != nil {
		return err
	} else if brace {
		if s.machine, err = p.machine(); err != nil {
			return err
		}
		if closed, err := p.accept("}"); err != nil || !closed {
			if err == nil {
				err = p.errorf(s.at, "state %q is not closed: want }", s.name)
			}
			return err
		}
	}
	if !strings.HasPrefix(p.rest(), ",") && !strings.HasPrefix(p.rest(), ";") {
		return p.errorf(p.end, "want , or ; after state %q, or an arrow", s.name)
	}
	p.i++
	return nil
}

var (
	catAttribute = regexp.MustCompile(`^[A-Za-z]+`)
	catValue     = regexp.MustCompile(`^[a-z]+|^[0-9]+(\.[0-9]+)?`)
	catTypes     = []string{"regular", "initial", "terminate", "final", "parallel", "history", "deephistory", "choice", "forkjoin", "fork", "join", "junction", "internal", "external"}
)

// attributes reads [name=value …], if it comes next.
func (p *catParser) attributes(known ...string) (map[string]string, error) {
	open, err := p.accept("[")
	if err != nil || !open {
		return nil, err
	}
	attrs := make(map[string]string)
	for {
		if closed, err := p.accept("]"); err != nil || closed {
			return attrs, err
		}
		at := p.i
		name := strings.ToLower(catAttribute.FindString(p.rest()))
		if !slices.Contains(known, name) {
			return nil, p.errorf(at, "want one of the attributes %s, or ]", strings.Join(known, ", "))
		}
		p.i += len(name)
		if _, err := p.skip(); err != nil {
			return nil, err
		}
		if name != "label" && name != "type" {
			p.note(at, "the attribute %s is not kept", name)
		}
		if name == "active" {
			continue
		}
		if equals, err := p.accept("="); err != nil || !equals {
			if err == nil {
				err = p.errorf(p.i, "want = after the attribute %s", name)
			}
			return nil, err
		}
		at = p.i
		if value := catValue.FindString(p.rest()); value != "" {
			attrs[name] = value
			p.i += len(value)
		} else if attrs[name], err = p.quoted(); err != nil {
			return nil, p.errorf(at, "want the value of the attribute %s, in quotes unless it is a type or a number", name)
		}
		if name == "type" && !slices.Contains(catTypes, attrs[name]) {
			return nil, p.errorf(at, "%q is not a type: want one of %s", attrs[name], strings.Join(catTypes, ", "))
		}
		if _, err := p.skip(); err != nil {
			return nil, err
		}
	}
}
