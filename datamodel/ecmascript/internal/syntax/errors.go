package syntax

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// parseError makes a syntax error of an error of the parser. Only the first of several is certain.
func (t *Tree) parseError(err error) *datamodel.EvalError {
	src := t.Source
	var first *parser.Error
	var list parser.ErrorList
	switch {
	case errors.As(err, &list) && len(list) > 0:
		first = list[0]
	case !errors.As(err, &first):
		return syntaxError(src, 0, err.Error())
	}
	offset := offsetOf(t.text, first.Position.Line, first.Position.Column) - t.prefix
	end := strings.TrimRight(src.Text, space)
	if offset >= len(end) {
		return syntaxError(src, len(end), "unexpected end of input")
	}
	offset = max(offset, 0)
	msg := first.Message
	switch {
	case strings.HasPrefix(msg, "Unexpected token ILLEGAL"), strings.HasPrefix(msg, "Unexpected identifier"),
		strings.HasPrefix(msg, "Unexpected reserved word"), strings.HasPrefix(msg, "Unexpected number"),
		strings.HasPrefix(msg, "Unexpected string"):
		msg = "unexpected token " + strconv.Quote(tokenAt(src.Text[offset:]))
	case strings.HasPrefix(msg, "Unexpected token "):
		msg = "unexpected token " + strconv.Quote(strings.TrimPrefix(msg, "Unexpected token "))
	}
	return syntaxError(src, offset, msg+t.advice(offset))
}

// advice says what to write instead of what the parser does not expect at offset, for
// mistakes that are made often.
func (t *Tree) advice(offset int) string {
	text := t.Source.Text
	word := tokenAt(text[offset:])
	if op := wordOperators[word]; op != "" {
		return ": write " + op
	}
	switch before := strings.TrimRight(text[:offset], space); {
	case strings.HasSuffix(before, "not"):
		return `: write "!" instead of "not"`
	case strings.HasSuffix(before, "await"):
		return ": there are no promises between events, write <invoke> or <send>, and a transition for the answer"
	case word == "import" || word == "export":
		return ": charts have no modules, write a <script> with src"
	}
	isExpression := t.prefix > 0
	switch {
	case !isExpression:
	case statements[word], word == ";":
		return ": this is an expression, statements belong in <script>"
	case words().MatchString(text):
		if first, _, _ := strings.Cut(strings.TrimLeft(text, space), " "); !reserved[first] {
			return ": a text needs quotes, as in '" + strings.TrimFunc(text, unicode.IsSpace) + "'"
		}
	}
	return ""
}

// words are what hardly anything but a text looks like.
var words = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*\pL{2,},?( [\pL\d]+,?){1,9}[.!?:…]*\s*$`) })

// wordOperators are operators of other expression languages.
var wordOperators = map[string]string{
	"and": `"&&", in XML "&amp;&amp;"`, "or": `"||"`, "eq": `"=="`, "ne": `"!="`,
	"lt": `"<", in XML "&lt;"`, "le": `"<=", in XML "&lt;="`, "gt": `">"`, "ge": `">="`, "mod": `"%"`, "div": `"/"`,
}

// statements are the words that begin one.
var statements = map[string]bool{"return": true, "var": true, "let": true, "const": true, "if": true, "for": true, "while": true, "throw": true}

// compileError does the same for an error of the compiler.
func (t *Tree) compileError(err error) *datamodel.EvalError {
	var s *goja.CompilerSyntaxError
	if errors.As(err, &s) {
		return syntaxError(t.Source, max(s.Offset-t.prefix, 0), s.Message)
	}
	return syntaxError(t.Source, 0, err.Error())
}

func syntaxError(src *datamodel.Source, offset int, msg string) *datamodel.EvalError {
	msg = badRegExp().ReplaceAllString(lowerFirst(msg), "invalid regular expression: $1")
	return &datamodel.EvalError{Pos: src.Position(offset), Msg: "SyntaxError: " + msg}
}

func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[n:]
}

// tokenAt returns the first token of text, well enough for a message.
func tokenAt(text string) string {
	const most = 20
	first, n := utf8.DecodeRuneInString(text)
	if first == '"' || first == '\'' {
		if end := strings.IndexRune(text[n:], first); end >= 0 && end < most {
			return text[:end+2]
		}
		return text[:n]
	}
	if !isIdentifierPart(first) {
		return text[:n]
	}
	end := strings.IndexFunc(text, func(r rune) bool { return !isIdentifierPart(r) })
	if end < 0 {
		end = len(text)
	}
	if end > most {
		for end = most; !utf8.RuneStart(text[end]); end-- {
		}
		return text[:end] + "…"
	}
	return text[:end]
}

// offsetOf returns the offset in bytes of a position of goja: a line, and a column in bytes, both
// from 1. Lines end where goja ends them.
func offsetOf(text string, line, col int) int {
	at := 0
	for ; line > 1; line-- {
		end := strings.IndexAny(text[at:], "\r\n\u2028\u2029")
		if end < 0 {
			break
		}
		at += end
		switch {
		case strings.HasPrefix(text[at:], "\r\n"):
			at += 2
		case text[at] == '\r' || text[at] == '\n':
			at++
		default:
			at += len("\u2028")
		}
	}
	return at + col - 1
}

// runtimePlace matches the start of the message of a SyntaxError of eval and the like: it names a
// place in text that nobody can look up.
var runtimePlace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^SyntaxError: (?:SyntaxError: )?\S*: Line \d+:\d+ `) })

// badRegExp matches what the parsers of regular expressions say, in the words of goja, of goja again
// and of themselves.
var badRegExp = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)[Ii]nvalid regular expression \(\w+\): .*error parsing regexp: (.*?)\)*$`)
})

// printedObject matches what goja says of an object that is not convertible to a primitive value:
// it prints its Go value, with addresses that differ from run to run.
var printedObject = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)Could not convert .* to primitive`) })

// CleanMessage makes the message of an exception readable.
func CleanMessage(msg string) string {
	if strings.Contains(msg, "Could not convert ") {
		return printedObject().ReplaceAllLiteralString(msg, "cannot convert the object to a primitive value")
	}
	if !strings.HasPrefix(msg, "SyntaxError: ") {
		return msg
	}
	msg = badRegExp().ReplaceAllString(msg, "invalid regular expression: $1")
	if strings.HasSuffix(msg, " (EOF)") || strings.HasSuffix(msg, ": unexpected EOF") { // of JSON.parse
		return "SyntaxError: unexpected end of JSON input"
	}
	if loc := runtimePlace().FindStringIndex(msg); loc != nil {
		msg = "SyntaxError: " + lowerFirst(msg[loc[1]:])
	}
	if i := strings.LastIndex(msg, " (and "); i > 0 && strings.HasSuffix(msg, " more errors)") {
		msg = msg[:i]
	}
	return msg
}
