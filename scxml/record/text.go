package record

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// String returns the text form.
func (r *Record) String() string { return string(r.AppendText(nil)) }

// AppendText appends the text form, one line without its end, and returns the extended slice:
//
//	#12 +1.5s (SESSION) [INVOKEID] KIND …
//
// Zero fields are left out. The rest of the line begins with the main fields of the kind:
//
//	event tap {"x":0}              arrive, raise and due likewise
//	internal event done.state.s
//	enter s                        and exit
//	transition s -> t u            and cond
//	unhandled tap
//	stable t u                     the atomic states; idle and rest likewise
//	send tap {"x":0} to #_parent in 1.5s as id
//	cancel id (1)
//	log label "value"
//	error error.execution door.scxml:7:3: <assign>: x is not defined
//	done final s {"x":0}
//	microstep tap (2)
//	invoke id                      and cancelinvoke
//
// All other fields follow as key=JSON. A word that could be misread is written as a JSON string.
func (r *Record) AppendText(dst []byte) []byte {
	if r.Seq != 0 {
		dst = append(strconv.AppendInt(append(dst, '#'), r.Seq, 10), ' ')
	}
	if r.Time != 0 {
		dst = append(append(append(dst, '+'), r.Time.String()...), ' ')
	}
	if r.Session != "" {
		dst = append(appendBracketed(dst, '(', r.Session, ')'), ' ')
	}
	if r.InvokeID != "" {
		dst = append(appendBracketed(dst, '[', r.InvokeID, ']'), ' ')
	}
	dst = append(dst, forms[r.Kind].word...)
	dst, written := r.appendMain(dst)
	for _, f := range forms[r.Kind].fields {
		if written&(1<<f) == 0 && !r.zero(f) {
			dst = append(append(append(dst, ' '), fieldNames[f]...), '=')
			if f == answers && r.ID == nil {
				f = line // answers=1 is an id, line=1 the number of a line
				dst = append(dst[:len(dst)-len("answers=")], "line="...)
			}
			dst = r.appendField(dst, f)
		}
	}
	return dst
}

// A part is one of the main fields of a kind, in the order of the line.
type part struct {
	before string // the text before it, if it is not zero
	field  field
	shape  shape
}

// A shape is the way a part is written.
type shape uint8

const (
	word    shape = iota // a required word
	maybe                // a word, or nothing if empty
	words                // a list of words
	datum                // JSON, or nothing for undefined
	span                 // a time span, or nothing for 0
	counted              // a number in parentheses
)

var (
	eventParts = []part{{"", name, word}, {"", data, datum}}
	restParts  = []part{{"", atomic, words}}

	transitionParts = []part{{"", source, word}, {" ->", targets, words}}
)

// parts are the parts of the kinds except Log, Error, Outcome and Done.
var parts = [kinds][]part{
	Event: eventParts, Arrive: eventParts, Raise: eventParts, Internal: eventParts, Timer: eventParts,
	Send:  append(eventParts[:2:2], part{" to", target, maybe}, part{" in", delay, span}, part{" as", sendID, maybe}),
	Enter: {{"", state, word}}, Exit: {{"", state, word}},
	Transition: transitionParts, Cond: transitionParts,
	Unhandled: {{"", name, word}},
	Stable:    restParts, Idle: restParts, Rest: restParts,
	Cancel:    {{"", sendID, word}, {"", count, counted}},
	Microstep: {{"", event, maybe}, {"", transitions, counted}},
	Invoke:    {{"", invokeID, word}}, CancelInvoke: {{"", invokeID, word}},
}

// appendMain appends the main fields and returns their set.
func (r *Record) appendMain(dst []byte) (line []byte, written uint64) {
	for _, p := range parts[r.Kind] {
		written |= 1 << p.field
		if p.shape != word && p.shape != counted && r.zero(p.field) {
			continue
		}
		dst = append(dst, p.before...)
		switch p.shape {
		case word, maybe:
			dst = appendWord(dst, *r.text(p.field))
		case words:
			for _, w := range *r.texts(p.field) {
				dst = appendWord(dst, w)
			}
		case datum:
			dst = datamodel.AppendJSON(append(dst, ' '), *r.value(p.field))
		case span:
			dst = append(append(dst, ' '), r.Delay.String()...)
		case counted:
			dst = append(strconv.AppendInt(append(dst, " ("...), int64(r.Count), 10), ')')
		}
	}
	switch r.Kind {
	case Log:
		if r.Label != "" && !plainLabel(r.Label) {
			break
		}
		if written = 1<<label | 1<<value; r.Label != "" {
			dst = append(append(dst, ' '), r.Label...)
		}
		if r.Value != nil {
			dst = datamodel.AppendJSON(append(dst, ' '), r.Value)
		}
	case Error, Outcome:
		dst = appendWord(dst, r.Event.Name)
		if written = 1 << name; r.shortError() {
			written |= 1<<at | 1<<element | 1<<message
			where := r.At
			if where == "" {
				where = "-"
			}
			dst = append(dst, " "+where+": <"+r.Element+">: "+r.Message...)
		}
	case Done:
		if !plain(r.Reason) || r.State != "" && !plain(r.State) || r.State == "" && r.Value != nil {
			break
		}
		dst = appendWord(dst, r.Reason)
		if written = 1<<reason | 1<<final | 1<<doneData; r.State != "" {
			dst = appendWord(dst, r.State)
		}
		if r.Value != nil {
			dst = datamodel.AppendJSON(append(dst, ' '), r.Value)
		}
	}
	return dst, written
}

// shortError reports whether an error has the usual form.
func (r *Record) shortError() bool {
	return r.Event.SendID == "" && r.Event.InvokeID == "" && len(r.Stack) == 0 && r.Message != "" && oneLine(r.Message) &&
		r.Element != "" && oneLine(r.Element) && !strings.Contains(r.Element, ">") &&
		oneLine(r.At) && !strings.Contains(r.At, ": <") && !strings.Contains(r.At, "=") && r.At != "-"
}

// zero reports whether a field need not be written.
func (r *Record) zero(f field) bool {
	if text := r.text(f); text != nil {
		return *text == ""
	}
	if list := r.texts(f); list != nil {
		return len(*list) == 0
	}
	if v := r.value(f); v != nil {
		return *v == nil
	}
	switch f {
	case eventType:
		return r.Event.Type == datamodel.External
	case delay:
		return r.Delay == 0
	case due:
		return !r.Delayed
	case stack:
		return len(r.Stack) == 0
	case count, transitions:
		return r.Count == 0
	case line:
		return r.Line == 0
	case answers:
		return !r.answers() || r.Kind == Rejected && r.ID == nil
	case now:
		return r.Now.IsZero()
	case protocol:
		return r.Hello.Protocol == 0
	case seed:
		return r.Hello.Seed == 0
	}
	return !r.Hello.Restored
}

// appendWord appends a space and a word.
func appendWord(dst []byte, w string) []byte {
	dst = append(dst, ' ')
	if plain(w) {
		return append(dst, w...)
	}
	return datamodel.AppendJSON(dst, w)
}

// appendBracketed appends an id between brackets.
func appendBracketed(dst []byte, open byte, id string, shut byte) []byte {
	dst = append(dst, open)
	if strings.IndexByte(id, shut) < 0 && id[0] != '"' && oneLine(id) {
		dst = append(dst, id...)
	} else {
		dst = datamodel.AppendJSON(dst, id)
	}
	return append(dst, shut)
}

// plain reports whether a word is written as it is: it is not empty and cannot be taken for data,
// for key=…, or for another part of the line.
func plain(w string) bool {
	if simple(w) {
		return true
	}
	return w != "" && !beginsData(w) && w[0] != '(' && w != "->" && oneLine(w) && !strings.ContainsFunc(w, func(c rune) bool { return unicode.IsSpace(c) || c == '=' })
}

// simple reports whether a word is written as it is, for those that most words are.
func simple(w string) bool {
	for i := range len(w) {
		if c := w[i] | 0x20; (c < 'a' || c > 'z') && (i == 0 || w[i] != '.') {
			return false
		}
	}
	return w != "" && !beginsData(w)
}

// plainLabel reports whether the label of a log entry is written as it is: none of its words could
// be taken for data.
func plainLabel(label string) bool {
	for w := range strings.SplitSeq(label, " ") {
		if w != "" && (beginsData(w) || strings.Contains(w, "=")) {
			return false
		}
	}
	return oneLine(label) && strings.TrimSpace(label) == label
}

// beginsData reports whether a word could be the beginning of a JSON value.
func beginsData(w string) bool {
	return strings.IndexByte(`{["-0123456789`, w[0]) >= 0 || w == "true" || w == "false" || w == "null"
}

// oneLine reports whether a text is UTF-8 without line breaks and other characters that are hidden.
func oneLine(s string) bool { return datamodel.Visible(s, nil) == s }
