package syntax

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// The parser and the compiler of goja recurse on the Go stack at each level of a text, with up to 7
// KB each. A stack of half a gigabyte ends the process, so text that might need it is refused in
// advance. Honest scripts are far from these limits.
const (
	// MaxBrackets is how deep brackets may be nested, including those in strings, comments and
	// regular expressions.
	MaxBrackets = 1_000

	// maxTree is how deep the syntax tree may be, where each operator in a + b + c is a level. The
	// time of the compiler grows with its square where operands are constant, and that of the
	// parser with the square of the length of a => b => c.
	maxTree = 2_000

	// maxArrows is how deep functions may be nested in the parameter lists of others, as in (a = (b
	// = 1) => b) => a: the parser reads each level twice, and so the innermost of n levels 2ⁿ
	// times.
	maxArrows = 6

	// DefaultLength is the maximum length, in bytes, of one script or expression. It keeps the
	// stack small even for a text that hides its brackets.
	DefaultLength = 512 << 10
)

// Limits are what a text must obey to be parsed.
type Limits struct {
	Length int // in bytes
	Depth  int // of brackets

	// Watched code calls BoundChange with each object before it changes a property of it.
	Watched bool
}

// DefaultLimits suffice for honest scripts.
var DefaultLimits = Limits{Length: DefaultLength, Depth: MaxBrackets}

// Text refuses text that is to become code at run time, unless goja may parse it. What else is wrong
// with it is for goja to say. It reports whether code that ought to be watched changes properties.
func (l Limits) Text(text string) (changes bool, err *datamodel.EvalError) {
	src := &datamodel.Source{Text: text}
	if err := l.check(src); err != nil || len(text) <= maxTree && !l.Watched { // a level takes a byte
		return false, err
	}
	t, err := l.parse(src, "", "")
	if err != nil {
		return false, nil
	}
	err = t.explore(nil)
	return t.Changes, err
}

func nothing(any, reflect.Value) bool { return false }

// check refuses a text that is too long, or nested too deeply for l or for the parser.
func (l Limits) check(src *datamodel.Source) *datamodel.EvalError {
	text := src.Text
	if len(text) > l.Length {
		return syntaxError(src, 0, fmt.Sprintf("the script has more than %d bytes", l.Length))
	}
	if len(text) <= min(l.Depth, maxArrows*len("()=>")) {
		return nil
	}
	// A level is the text between a pair of brackets, or all of it.
	type level struct {
		params int // how deep functions are nested in parameter lists in it
		outer  int // how many => lead to it
		chain  int // and how many to the present place, as in a => b => c
	}
	var top level
	open := []level{}
	here := &top
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ',', ';':
			here.chain = here.outer
		case '=':
			if !strings.HasPrefix(text[i:], "=>") {
				continue
			}
			if here.chain++; here.chain > maxTree {
				return syntaxError(src, i, fmt.Sprintf("functions are nested deeper than %d levels", maxTree))
			}
		case '(', '[', '{':
			if len(open) >= l.Depth {
				return syntaxError(src, i, fmt.Sprintf("nested deeper than %d levels", l.Depth))
			}
			open = append(open, level{outer: here.chain, chain: here.chain})
			here = &open[len(open)-1]
		case ')', ']', '}':
			params := here.params
			if n := len(open); n > 1 {
				open = open[:n-1]
				here = &open[n-2]
			} else {
				open = open[:0]
				here = &top
			}
			if text[i] == ')' && arrowFollows(text[i+1:]) {
				if params++; params > maxArrows {
					return syntaxError(src, i, fmt.Sprintf("functions are nested in parameter lists deeper than %d levels", maxArrows))
				}
			}
			here.params = max(here.params, params)
		}
	}
	return nil
}

// arrowFollows reports whether text begins with =>, after blanks and comments.
func arrowFollows(text string) bool {
	for {
		text = strings.TrimLeft(text, space)
		if !strings.HasPrefix(text, "/*") {
			return strings.HasPrefix(text, "=>")
		}
		_, rest, ok := strings.Cut(text[2:], "*/")
		if !ok {
			return false
		}
		text = rest
	}
}
