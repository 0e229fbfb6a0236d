package record

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// String returns the text form.
func (r *Record) String() string { return string(r.AppendText(nil)) }

// AppendText appends the text form, which is one line without its end, and
// returns the longer slice:
//
//	#12 +1.5s (SESSION) [INVOKEID] KIND …
//
// What is zero is left out. The rest of the line begins with what matters most:
//
//	event tap {"x":0}              arrive, raise and due likewise
//	internal event done.state.s
//	enter s                        and exit
//	transition s -> t u
//	stable t u                     the atomic states; idle and rest likewise
//	send tap {"x":0} to #_parent in 1.5s as id
//	cancel id (1)
//	log label "value"
//	error error.execution door.scxml:7:3: <assign>: x is not defined
//	done final s {"x":0}
//	microstep tap (2)
//	invoke id                      and cancelinvoke
//
// All other fields follow as key=JSON. A word that could be misread is a JSON string.
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

// mask is a set of fields.
func mask(all ...field) (m uint64) {
	for _, f := range all {
		m |= 1 << f
	}
	return m
}

// appendMain appends what matters most, and returns the fields that it has written.
func (r *Record) appendMain(dst []byte) ([]byte, uint64) {
	switch r.Kind {
	case Event, Arrive, Raise, Internal, Timer:
		return r.appendEvent(dst), mask(name, data)
	case Send:
		dst = r.appendEvent(dst)
		if r.Target != "" {
			dst = appendWord(append(dst, " to"...), r.Target)
		}
		if r.Delay != 0 {
			dst = append(append(dst, " in "...), r.Delay.String()...)
		}
		if r.Event.SendID != "" {
			dst = appendWord(append(dst, " as"...), r.Event.SendID)
		}
		return dst, mask(name, data, target, delay, sendID)
	case Enter, Exit:
		return appendWord(dst, r.State), mask(state)
	case Transition:
		dst = appendWord(dst, r.State)
		if len(r.Targets) > 0 {
			dst = appendWords(append(dst, " ->"...), r.Targets)
		}
		return dst, mask(source, targets)
	case Stable, Idle, Rest:
		return appendWords(dst, r.Atomic), mask(atomic)
	case Cancel:
		return r.appendCount(appendWord(dst, r.Event.SendID)), mask(sendID, count)
	case Microstep:
		if r.Event.Name != "" {
			dst = appendWord(dst, r.Event.Name)
		}
		return r.appendCount(dst), mask(event, transitions)
	case Invoke, CancelInvoke:
		return appendWord(dst, r.Event.InvokeID), mask(invokeID)
	case Log:
		if r.Label != "" && !plainLabel(r.Label) {
			break
		}
		if r.Label != "" {
			dst = append(append(dst, ' '), r.Label...)
		}
		return appendData(dst, r.Value), mask(label, value)
	case Error, Outcome:
		if r.shortError() {
			dst = append(appendWord(dst, r.Event.Name), ' ')
			where := r.At
			if where == "" {
				where = "-"
			}
			return append(dst, where+": <"+r.Element+">: "+r.Message...), mask(name, at, element, message)
		}
		return appendWord(dst, r.Event.Name), mask(name)
	case Done:
		if !plain(r.Reason) || r.State != "" && !plain(r.State) || r.State == "" && r.Value != nil {
			break
		}
		dst = appendWord(dst, r.Reason)
		if r.State != "" {
			dst = appendWord(dst, r.State)
		}
		return appendData(dst, r.Value), mask(reason, final, doneData)
	}
	return dst, 0
}

func (r *Record) appendEvent(dst []byte) []byte {
	return appendData(appendWord(dst, r.Event.Name), r.Event.Data)
}

func (r *Record) appendCount(dst []byte) []byte {
	return append(strconv.AppendInt(append(dst, " ("...), int64(r.Count), 10), ')')
}

// shortError reports whether an error is written as the usual line.
func (r *Record) shortError() bool {
	return r.Event.SendID == "" && len(r.Stack) == 0 && r.Message != "" && oneLine(r.Message) &&
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

func appendWords(dst []byte, words []string) []byte {
	for _, w := range words {
		dst = appendWord(dst, w)
	}
	return dst
}

// appendData appends a space and data, or nothing for undefined.
func appendData(dst []byte, v datamodel.Value) []byte {
	if v == nil {
		return dst
	}
	return datamodel.AppendJSON(append(dst, ' '), v)
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

// plain reports whether a word is written as it is: it is not empty, and cannot
// be taken for data, for key=…, or for another part of the line.
func plain(w string) bool {
	return w != "" && !beginsData(w) && w[0] != '(' && w != "->" && oneLine(w) && !strings.ContainsFunc(w, func(c rune) bool { return unicode.IsSpace(c) || c == '=' })
}

// plainLabel reports whether the label of a log entry is written as it is: no
// word of it could be taken for data.
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

// oneLine reports whether a text stays on its line, and is UTF-8.
func oneLine(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(c rune) bool { return unicode.In(c, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control) })
}
