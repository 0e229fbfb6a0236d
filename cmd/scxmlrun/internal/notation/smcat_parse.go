package notation

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A catParser reads the language of state-machine-cat, by its grammar for version 14. After the first
// error nothing is left to read.
type catParser struct {
	*builder
	i     int
	depth int
	err   error

	end     int // of the last token
	skipped int // where the space after it ends
}

func (p *catParser) fail(offset int, format string, args ...any) {
	if p.err == nil {
		p.err = p.errorf(offset, format, args...)
	}
	p.i = len(p.text)
}

// machine reads the states and transitions in a state, up to the end or a closing brace.
func (p *catParser) machine(in *catNode) {
	if p.depth++; p.depth > maxNested {
		p.fail(p.i, "states are nested more than %d deep", maxNested)
	}
	defer func() { p.depth-- }()
	for {
		notes := p.skip()
		if p.i == len(p.text) || p.depth > 1 && p.text[p.i] == '}' {
			return
		}
		at := p.i
		name := p.identifier()
		p.skip()
		if arrow, forward := p.arrow(); arrow {
			a := &catArrow{from: name, notes: notes, at: at}
			p.transition(a, forward)
			in.arrows = append(in.arrows, a)
			continue
		}
		s := &catNode{name: name, typ: smcatType(name), notes: notes, at: at}
		p.state(s)
		// Of several declarations the last one counts, in the place of the first.
		if i := slices.IndexFunc(in.children, func(x *catNode) bool { return x.name == s.name }); i >= 0 {
			if old := in.children[i]; old.braces || old.label != "" || old.actions != "" {
				p.note(old.at, "state %q is declared again on line %d, and what is in this declaration is not kept", shorten(s.name), p.pos(s.at).Line)
			}
			in.children[i] = s
		} else {
			in.children = append(in.children, s)
		}
	}
}

// skip skips space and comments, and returns notes, which are comments for the reader of the chart.
func (p *catParser) skip() (notes []string) {
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
				p.fail(p.i, "the comment does not end: want */")
				return nil
			}
			p.i += n + 4
		default:
			return notes
		}
	}
	return notes
}

// rest returns what is left of the text.
func (p *catParser) rest() string { return p.text[p.i:] }

// accept skips a text if it comes next, and space and comments after it.
func (p *catParser) accept(text string) bool {
	if !strings.HasPrefix(p.rest(), text) {
		return false
	}
	p.i += len(text)
	p.skip()
	return true
}

// upTo reads a text up to one of some characters, or to the end.
func (p *catParser) upTo(end string) string {
	rest := p.rest()
	if n := strings.IndexAny(rest, end); n >= 0 {
		rest = rest[:n]
	}
	p.i += len(rest)
	return rest
}

// identifier reads the name of a state.
func (p *catParser) identifier() string {
	if strings.HasPrefix(p.rest(), `"`) {
		return p.quoted(openQuote)
	}
	name := p.upTo(";, \"\t\n\r=-><:{[")
	if name == "" && p.i == len(p.text) {
		p.fail(p.i, "want the name of a state, got the end of the file")
	} else if name == "" {
		p.fail(p.i, "want the name of a state, got %q; write names with such characters in quotes", p.rest()[:1])
	}
	return name
}

const openQuote = "the text in quotes does not end: want another quote"

// quoted reads a text in quotes, in which \" is a quote. It fails with a message if there is none.
func (p *catParser) quoted(message string, args ...any) string {
	for j := p.i + 1; j < len(p.text); j++ {
		switch {
		case p.text[j] == '"':
			text := p.text[p.i+1 : j]
			p.i = j + 1
			return strings.ReplaceAll(text, `\"`, `"`)
		case strings.HasPrefix(p.text[j:], `\"`):
			j++
		}
	}
	p.fail(p.i, message, args...)
	return ""
}

// texted reads a colon and a text after it, if they come next: in quotes, or up to one of some characters.
func (p *catParser) texted(end string) (text string) {
	if !p.accept(":") {
		return ""
	}
	if strings.HasPrefix(p.rest(), `"`) {
		text = p.quoted(openQuote)
	} else {
		text = strings.TrimSpace(p.upTo(end))
	}
	p.skip()
	return text
}

// ends skips one of the characters that come after a state or a transition.
func (p *catParser) ends(with, message string, args ...any) {
	if p.i == len(p.text) || strings.IndexByte(with, p.text[p.i]) < 0 {
		p.fail(p.end, message, args...)
		return
	}
	p.i++
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
func (p *catParser) transition(a *catArrow, forward bool) {
	p.skip()
	if a.to = p.identifier(); !forward {
		a.from, a.to = a.to, a.from
	}
	p.skip()
	a.internal = p.attributes("color", "class", "type", "width")["type"] == "internal"
	a.label = p.texted(";{")
	p.ends(";", "want ; after the transition from %q to %q", a.from, a.to)
}

// state reads a state after its name.
func (p *catParser) state(s *catNode) {
	attrs := p.attributes("label", "color", "class", "active", "type")
	s.label, s.typ = attrs["label"], cmp.Or(attrs["type"], s.typ)
	s.actions = p.texted(",;{")
	if s.braces = p.accept("{"); s.braces {
		if p.machine(s); !p.accept("}") {
			p.fail(s.at, "state %q is not closed: want }", s.name)
		}
	}
	p.ends(",;", "want , or ; after state %q, or an arrow", s.name)
}

var (
	catAttribute = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z]+`) })
	catValue     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z]+|^[0-9]+(\.[0-9]+)?`) })
	catTypes     = []string{"regular", "initial", "terminate", "final", "parallel", "history", "deephistory", "choice", "forkjoin", "fork", "join", "junction", "internal", "external"}
)

// attributes reads [name=value …], if it comes next.
func (p *catParser) attributes(known ...string) map[string]string {
	attrs := make(map[string]string)
	for open := p.accept("["); open && !p.accept("]") && p.err == nil; {
		at := p.i
		name := strings.ToLower(catAttribute().FindString(p.rest()))
		if !slices.Contains(known, name) {
			p.fail(at, "want one of the attributes %s, or ]", strings.Join(known, ", "))
			break
		}
		p.i += len(name)
		p.skip()
		if name != "label" && name != "type" {
			p.note(at, "the attribute %s is not kept", name)
		}
		if name == "active" {
			continue
		}
		if !p.accept("=") {
			p.fail(p.i, "want = after the attribute %s", name)
			break
		}
		at = p.i
		if value := catValue().FindString(p.rest()); value != "" {
			attrs[name] = value
			p.i += len(value)
		} else {
			attrs[name] = p.quoted("want the value of the attribute %s, in quotes unless it is a type or a number", name)
		}
		if name == "type" && !slices.Contains(catTypes, attrs[name]) {
			p.fail(at, "%q is not a type: want one of %s", attrs[name], strings.Join(catTypes, ", "))
		}
		p.skip()
	}
	return attrs
}
