package record

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// ParseText reads the text form. Missing fields are zero.
func ParseText(text string) (Record, error) {
	if !utf8.ValidString(text) {
		return Record{}, fmt.Errorf("cannot read the record %.60q: it is not UTF-8", text)
	}
	p := parser{rest: text}
	r, err := p.record()
	if err != nil {
		return Record{}, fmt.Errorf("cannot read the record %.60q at column %d: %w", text, len(text)-len(p.rest)+1, err)
	}
	return r, nil
}

// A parser reads a line from left to right. Every part except the first begins with a space.
type parser struct{ rest string }

func (p *parser) record() (r Record, err error) {
	for {
		mark := byte(0)
		if p.rest != "" {
			mark = p.rest[0]
		}
		switch mark {
		case '#':
			if r.Seq, err = strconv.ParseInt(p.cut()[1:], 10, 64); err != nil {
				return r, errors.New("want a number after #")
			}
		case '+':
			if r.Time, err = time.ParseDuration(p.cut()[1:]); err != nil {
				return r, errors.New("want a time after +")
			}
		case '(':
			r.Session, err = p.bracketed(')')
		case '[':
			r.InvokeID, err = p.bracketed(']')
		default:
			return r, p.body(&r)
		}
		if err != nil {
			return r, err
		}
	}
}

// body reads a line after its head.
func (p *parser) body(r *Record) error {
	word := p.cut()
	if word == "internal" {
		word += " " + p.cut()
	}
	kind, ok := kindsByWord[word]
	if !ok || kind == Unknown {
		return fmt.Errorf("%q is not a kind of record", word)
	}
	r.Kind = kind
	if kind == Hello {
		r.Hello = new(Greeting)
	}
	if err := p.main(r); err != nil {
		return err
	}
	for p.rest != "" {
		key, rest, ok := strings.Cut(p.rest, "=")
		if !ok {
			return errors.New("want key=value")
		}
		p.rest = rest
		i := slices.IndexFunc(forms[kind].fields, func(f field) bool { return fieldNames[f] == key })
		if i >= 0 && forms[kind].fields[i] == seed { // it has more digits than a Value keeps
			n, err := strconv.ParseUint(p.cut(), 10, 64)
			if err != nil {
				return orBad(false, key, "a number")
			}
			r.Hello.Seed = n
			continue
		}
		v, err := p.data()
		switch {
		case err != nil:
			return err
		case key == "answers" && i >= 0:
			err = r.setID(v)
		case i >= 0:
			err = r.setField(forms[kind].fields[i], v)
		case key == "line" && slices.Contains(forms[kind].fields, answers):
			err = setInt(&r.Line, v, key)
		default:
			err = fmt.Errorf("%s has no field %q", word, key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// main reads what appendMain has written.
func (p *parser) main(r *Record) (err error) {
	for _, part := range parts[r.Kind] {
		if part.before != "" && !p.skip(part.before[1:]+" ") {
			continue
		}
		switch part.shape {
		case word, maybe:
			if part.shape == word || part.before != "" || !strings.HasPrefix(p.rest, "(") {
				*r.text(part.field), err = p.word()
			}
		case words:
			*r.texts(part.field), err = p.words()
		case datum:
			if p.atData() {
				*r.value(part.field), err = p.data()
			}
		case span:
			r.Delay, err = time.ParseDuration(p.cut())
		case counted:
			r.Count, err = p.count()
		}
		if err != nil {
			return err
		}
	}
	switch r.Kind {
	case Log:
		r.Label, r.Value, err = p.log()
	case Error, Outcome:
		if r.Event.Name, err = p.word(); err == nil {
			p.short(r)
		}
	case Done:
		if !p.atWord() {
			break
		}
		if r.Reason, err = p.word(); err == nil && p.atWord() {
			r.State, err = p.word()
		}
		if err == nil && p.atData() {
			r.Value, err = p.data()
		}
	}
	return err
}

func (p *parser) count() (int, error) {
	text := p.cut()
	if n := len(text); n > 2 && text[0] == '(' && text[n-1] == ')' {
		if count, err := strconv.Atoi(text[1 : n-1]); err == nil {
			return count, nil
		}
	}
	return 0, orBad(false, text, "a number in parentheses")
}

// log reads a label and a value, see plainLabel.
func (p *parser) log() (label string, v datamodel.Value, err error) {
	start := p.rest
	for p.rest != "" && !p.atData() {
		if strings.Contains(p.next(), "=") {
			break
		}
		p.cut()
	}
	label = strings.TrimSuffix(start[:len(start)-len(p.rest)], " ")
	if p.atData() {
		v, err = p.data()
	}
	return label, v, err
}

// short reads an error in its usual form, if it has that.
func (p *parser) short(r *Record) {
	at, rest, ok := strings.Cut(p.rest, ": <")
	element, message, ok2 := strings.Cut(rest, ">: ")
	if !ok || !ok2 || strings.Contains(at, "=") {
		return
	}
	if at != "-" {
		r.At = at
	}
	r.Element, r.Message, p.rest = element, message, ""
}

// next returns the text up to the next space.
func (p *parser) next() string {
	word, _, _ := strings.Cut(p.rest, " ")
	return word
}

// cut removes the text up to the next space, and the space.
func (p *parser) cut() string {
	word, rest, _ := strings.Cut(p.rest, " ")
	p.rest = rest
	return word
}

func (p *parser) skip(text string) bool {
	rest, ok := strings.CutPrefix(p.rest, text)
	if ok {
		p.rest = rest
	}
	return ok
}

// word reads a word written by appendWord.
func (p *parser) word() (string, error) {
	if !strings.HasPrefix(p.rest, `"`) {
		w := p.next()
		if w == "" {
			return "", errors.New("want a word")
		}
		p.cut()
		return w, nil
	}
	v, err := p.data()
	w, _ := v.(string)
	return w, err
}

// words reads words up to the end or the first key=….
func (p *parser) words() (all []string, err error) {
	for p.atWord() || strings.HasPrefix(p.rest, `"`) {
		w, err := p.word()
		if err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}

func (p *parser) atData() bool { return p.rest != "" && p.next() != "" && beginsData(p.next()) }

// atWord reports whether a plain word follows.
func (p *parser) atWord() bool { return plain(p.next()) }

// data reads a JSON value and the space after it.
func (p *parser) data() (datamodel.Value, error) {
	n := valueLength(p.rest)
	if n < len(p.rest) && p.rest[n] != ' ' {
		return nil, errors.New("want a space after the value")
	}
	v, err := datamodel.ParseJSON([]byte(p.rest[:n]))
	if err == nil {
		p.rest = strings.TrimPrefix(p.rest[n:], " ")
	}
	return v, err
}

// bracketed reads what appendBracketed has written, and the space after it.
func (p *parser) bracketed(shut byte) (id string, err error) {
	n := 1 + strings.IndexByte(p.rest[1:], shut)
	if p.rest[1:] != "" && p.rest[1] == '"' {
		n = 1 + valueLength(p.rest[1:])
		var v datamodel.Value
		if v, err = datamodel.ParseJSON([]byte(p.rest[1:n])); err != nil {
			return "", err
		}
		id, _ = v.(string)
	} else if n > 0 {
		id = p.rest[1:n]
	}
	if n == 0 || n >= len(p.rest) || p.rest[n] != shut || id == "" {
		return "", fmt.Errorf("want an id and %q", shut)
	}
	p.rest = p.rest[n+1:]
	if !p.skip(" ") {
		return "", errors.New("want a space")
	}
	return id, nil
}

// valueLength returns the length of the JSON value at the beginning of a text, judged by its
// brackets and quotes.
func valueLength(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		case ' ':
			if depth <= 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth <= 0 {
			return min(i+1, len(s))
		}
	}
	return len(s)
}
