package ecmascript

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/dop251/goja/ast"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// The parser and the compiler of goja go down the Go stack with each level of
// a text, up to 7 KB for one. A stack that reaches half a gigabyte ends the
// process, and nothing can prevent that afterwards, so what might lead there is
// refused. Honest scripts are far from these limits.
const (
	// maxBrackets is how deep brackets may be nested. Those in strings,
	// comments and regular expressions count as well: so far down nobody has
	// any that do not match.
	maxBrackets = 1_000

	// maxTree is how deep the syntax tree may be, where an operator in
	// a + b + c makes a level too. The time that the compiler takes grows with
	// the square of it where it can compute the operands, and that of the
	// parser with the square of the length of a => b => c.
	maxTree = 2_000

	// maxArrows is how deep functions may be nested in the parameter lists of
	// others, as in (a = (b = 1) => b) => a: the parser reads each level twice,
	// and so the innermost of n levels 2ⁿ times.
	maxArrows = 6

	// DefaultMaxScript is how long, in bytes, one script or expression may be.
	// It keeps the stack small even for a text that hides its brackets.
	DefaultMaxScript = 512 << 10
)

// checkLength refuses a text that is too long.
func checkLength(src *datamodel.Source, maxScript int) *datamodel.EvalError {
	if len(src.Text) > maxScript {
		return syntaxError(src, 0, fmt.Sprintf("the script has more than %d bytes", maxScript))
	}
	return nil
}

// checkNesting refuses a text that is nested too deeply: its brackets deeper
// than maxDepth, or other things too deep for the parser.
func checkNesting(src *datamodel.Source, maxDepth int) *datamodel.EvalError {
	text := src.Text
	if len(text) <= min(maxDepth, maxArrows*len("()=>")) {
		return nil
	}
	// A level is what is between a pair of brackets, or the whole text.
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
			if len(open) >= maxDepth {
				return syntaxError(src, i, fmt.Sprintf("nested deeper than %d levels", maxDepth))
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

// arrowFollows reports whether text begins with =>, but for blanks and comments.
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

// checkTree refuses a tree that is too deep for the compiler.
func checkTree(src *datamodel.Source, tree *ast.Program) *datamodel.EvalError {
	if len(src.Text) <= maxTree {
		return nil // too short to be deep
	}
	for _, s := range tree.Body {
		if tooDeep(reflect.ValueOf(s), maxTree) {
			return syntaxError(src, max(int(s.Idx0())-1, 0), fmt.Sprintf("the syntax tree is deeper than %d levels", maxTree))
		}
	}
	return nil
}

// tooDeep reports whether a part of a syntax tree has more than so many levels.
// It knows nothing of the kinds of nodes.
func tooDeep(v reflect.Value, levels int) bool {
	switch v.Kind() {
	case reflect.Interface:
		return tooDeep(v.Elem(), levels)
	case reflect.Pointer:
		if v.IsNil() {
			return false
		}
		return levels == 0 || tooDeep(v.Elem(), levels-1)
	case reflect.Slice:
		if k := v.Type().Elem().Kind(); k != reflect.Interface && k != reflect.Pointer && k != reflect.Struct {
			return false
		}
		for i := range v.Len() {
			if tooDeep(v.Index(i), levels) {
				return true
			}
		}
	case reflect.Struct:
		t := v.Type()
		for i := range v.NumField() {
			// A DeclarationList repeats what is in the body.
			if t.Field(i).Name != "DeclarationList" && tooDeep(v.Field(i), levels) {
				return true
			}
		}
	}
	return false
}
