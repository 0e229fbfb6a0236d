package syntax

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Facts are what code can do, as far as its text tells. They do not cover code that it makes of
// text or calls.
type Facts uint32

const (
	SeesGlobal Facts = 1 << iota // it can get the global object
	Computes                     // it computes the name of a property, and so can get anything in reach
	Reads                        // it does so too, but can neither call nor keep what it finds: only return it
	Accessors                    // it can make a getter or setter
	Deletes                      // it deletes a variable
	Proxies                      // it can make a proxy, or change a prototype
	Calls                        // it calls something, or puts something into an array or a property
	Keeps                        // it can keep something, or has functions
	Changes                      // it assigns to something
	Pauses                       // it has generators or asynchronous functions
	Delegates                    // it has generators that delegate to others
	Patterns                     // it has regular expressions
	Lengths                      // it can make an array of any length
	Catches                      // it catches errors
	Odd                          // it can make properties that are accessors, or have other attributes than most
	Symbols                      // it can make properties whose keys are symbols
	Library                      // it can change objects of the library without naming them

	AllFacts Facts = 1<<iota - 1
)

// wordFacts are what a name implies.
var wordFacts = map[string]Facts{
	"globalThis":                SeesGlobal | Library,
	"Proxy":                     Proxies,
	"setPrototypeOf":            Proxies | Odd,
	"__proto__":                 Proxies | Odd | Library,
	"Reflect":                   Proxies | Computes,
	"getOwnPropertyDescriptor":  Computes,
	"getOwnPropertyDescriptors": Computes,
	"__lookupGetter__":          Computes,
	"__lookupSetter__":          Computes,
	"defineProperty":            Accessors | Odd,
	"defineProperties":          Accessors | Odd,
	"__defineGetter__":          Accessors | Odd,
	"__defineSetter__":          Accessors | Odd,
	"create":                    Accessors | Odd,
	"prototype":                 Odd | Library,
	"getPrototypeOf":            Odd | Library,
	"eval":                      Odd | Symbols | Library,
	"Function":                  Odd | Symbols | Library,
	"Symbol":                    Symbols,
	"getOwnPropertySymbols":     Symbols,
}

// FactsOf returns what code can do with a name of the library.
func FactsOf(name string) Facts { return wordFacts[name] }

// Names is called for each name in a text that can be a variable or a property, with whether its
// value is called at once if it is a method.
type Names func(name string, called bool)

// explore finds the facts, and prepares the uses of eval.
func (t *Tree) explore(names Names) *datamodel.EvalError {
	x, err := t.look(names)
	if err != nil {
		return err
	}
	if t.Evals = x.evals; x.evals {
		if at := t.prepareEval(); at != 0 || x.with {
			return syntaxError(t.Source, max(int(at)-1, 0), "eval cannot be declared, or used within a with statement")
		}
	}
	if x.computed {
		if x.facts&(Keeps|Calls|SeesGlobal) != 0 {
			x.facts |= Computes
		} else {
			x.facts |= Reads
		}
	}
	t.Facts = x.facts
	return nil
}

// look walks the tree, and refuses one that is too deep for the compiler.
func (t *Tree) look(names Names) (*explorer, *datamodel.EvalError) {
	x := &explorer{names: names}
	x.walker = walker{visit: x.visit, most: maxTree}
	for _, s := range t.program.Body {
		if x.node(s); x.tooDeep {
			return x, syntaxError(t.Source, max(int(s.Idx0())-1, 0), fmt.Sprintf("the syntax tree is deeper than %d levels", maxTree))
		}
	}
	return x, nil
}

// An explorer finds facts.
type explorer struct {
	walker
	names    Names
	facts    Facts
	called   bool // what is visited next is the callee of a call
	computed bool // the name of a property is computed
	evals    bool // the name eval occurs
	with     bool // there is a with statement
}

// name notes a name, and whether its value is called at once.
func (x *explorer) name(word string, called bool) {
	x.facts |= wordFacts[word]
	if x.names != nil {
		x.names(word, called)
	}
}

// key notes the key of a property that is looked up.
func (x *explorer) key(k ast.Expression, called bool) {
	switch k := k.(type) {
	case *ast.StringLiteral:
		x.name(k.Value.String(), called)
	case *ast.NumberLiteral:
	default:
		x.computed = true
		x.node(k)
	}
}

// callee walks an expression that may be called.
func (x *explorer) callee(e ast.Expression, called bool) {
	x.called = called
	x.node(e)
	x.called = false
}

// visit looks at one node.
func (x *explorer) visit(n any, _ reflect.Type) (done bool) {
	called := x.called
	x.called = false
	switch n := n.(type) {
	case *ast.Identifier:
		x.evals = x.evals || n.Name == "eval"
		x.name(n.Name.String(), !x.with)
		if n.Name == "Array" {
			x.facts |= Lengths
		}
		return true
	case *ast.StringLiteral: // it may be used as a name
		x.facts |= wordFacts[n.Value.String()] & (Odd | Symbols | Library)
		return true
	case *ast.DotExpression:
		x.name(n.Identifier.Name.String(), called)
		if id, ok := n.Left.(*ast.Identifier); !ok || id.Name != "Array" { // Array.isArray and the like
			x.node(n.Left)
		}
		return true
	case *ast.BracketExpression:
		x.key(n.Member, called)
		x.node(n.Left)
		return true
	case *ast.OptionalChain:
		x.callee(n.Expression, called)
		return true
	case *ast.Optional:
		x.callee(n.Expression, called)
		return true
	case *ast.CallExpression:
		if id, ok := n.Callee.(*ast.Identifier); !ok || id.Name != PredicateIn {
			x.facts |= Calls
		}
		x.callee(n.Callee, true)
		x.node(n.ArgumentList)
		return true
	case *ast.TemplateLiteral:
		if n.Tag != nil {
			x.facts |= Calls | Odd
			x.callee(n.Tag, true)
		}
		x.node(n.Expressions)
		return true
	case *ast.NewExpression:
		x.facts |= Calls
	case *ast.ArrayLiteral:
		if !constant(n) {
			x.facts |= Calls
		}
	case *ast.ObjectLiteral, *ast.ClassLiteral, *ast.VariableStatement, *ast.LexicalDeclaration:
		x.facts |= Keeps
	case *ast.PropertyShort: // in a literal: pattern handles the others
		x.evals = x.evals || n.Name.Name == "eval"
		x.name(n.Name.Name.String(), true)
		x.node(n.Initializer)
		return true
	case *ast.PropertyKeyed:
		x.property(n.Kind)
		if key, ok := n.Key.(*ast.StringLiteral); ok {
			x.name(key.Value.String(), true)
			x.node(n.Value)
			return true
		}
	case *ast.MethodDefinition:
		x.property(n.Kind)
	case *ast.UnaryExpression:
		if changes(n) {
			x.facts |= Changes
		}
		if _, ok := n.Operand.(*ast.Identifier); ok && n.Operator == token.DELETE {
			x.facts |= Deletes
		}
	case *ast.ObjectPattern:
		x.pattern(n)
		return true
	case *ast.AssignExpression:
		x.facts |= Keeps | Changes
		if _, ok := n.Left.(*ast.Identifier); !ok {
			x.facts |= Calls
		}
		if dot, ok := n.Left.(*ast.DotExpression); ok && dot.Identifier.Name == "length" {
			x.facts |= Lengths
		}
	case *ast.FunctionLiteral:
		x.function(n.Async || n.Generator)
	case *ast.ArrowFunctionLiteral:
		x.function(n.Async)
	case *ast.ThisExpression:
		x.facts |= SeesGlobal
	case *ast.RegExpLiteral:
		x.facts |= Patterns
	case *ast.YieldExpression:
		if n.Delegate {
			x.facts |= Delegates
		}
	case *ast.TryStatement:
		x.facts |= Catches
	case *ast.WithStatement: // names are names of properties
		x.with, x.computed = true, true
		x.facts |= Keeps
	}
	return false
}

func (x *explorer) function(pauses bool) {
	x.facts |= Keeps
	if pauses {
		x.facts |= Pauses
	}
}

// property looks at what kind of property is made.
func (x *explorer) property(kind ast.PropertyKind) {
	if kind == ast.PropertyKindGet || kind == ast.PropertyKindSet {
		x.facts |= Accessors | Odd
	}
}

// pattern looks at a pattern, which reads properties.
func (x *explorer) pattern(n *ast.ObjectPattern) {
	x.facts |= Keeps
	for _, p := range n.Properties {
		switch p := p.(type) {
		case *ast.PropertyShort:
			x.evals = x.evals || p.Name.Name == "eval"
			x.name(p.Name.Name.String(), false)
			x.node(p.Initializer)
		case *ast.PropertyKeyed:
			x.key(p.Key, false)
			x.node(p.Value)
		}
	}
	x.node(n.Rest)
}

// constant reports whether an array literal contains only constants.
func constant(n *ast.ArrayLiteral) bool {
	for _, e := range n.Value {
		switch e := e.(type) {
		case nil, *ast.NumberLiteral, *ast.StringLiteral, *ast.BooleanLiteral, *ast.NullLiteral:
		case *ast.UnaryExpression:
			if e.Operator != token.MINUS {
				return false
			}
		case *ast.ArrayLiteral:
			if !constant(e) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Findings returns the assignments of an expression, the uses of In() with a constant, and the
// global variables that the code uses and declares, see [datamodel.Checker].
//
// Assignments inside a function do not count: the text does not tell who calls it, and whether what
// it changes is its own.
func (t *Tree) Findings() []datamodel.Finding {
	var w walker
	var found []datamodel.Finding
	add := func(kind datamodel.FindingKind, at int, text string) {
		found = append(found, t.finding(kind, at, text))
	}
	assignment := func(n ast.Node) {
		from, to := max(int(n.Idx0())-1, t.prefix), min(int(n.Idx1())-1, len(t.text))
		text := t.Source.Text
		if from < to {
			text = t.text[from:to]
		}
		add(datamodel.Assignment, int(n.Idx0()), strings.TrimSpace(text))
	}
	functions := 0 // around the present place
	w.visit = func(n any, _ reflect.Type) (done bool) {
		switch n := n.(type) {
		case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral:
			functions++
			w.fields(reflect.ValueOf(n).Elem())
			functions--
			return true
		case *ast.AssignExpression:
			if functions == 0 {
				assignment(n)
			}
		case *ast.UnaryExpression:
			if functions == 0 && changes(n) {
				assignment(n)
			}
		case *ast.CallExpression:
			callee, ok := n.Callee.(*ast.Identifier)
			if !ok || callee.Name.String() != PredicateIn || len(n.ArgumentList) != 1 {
				break
			}
			if id, ok := n.ArgumentList[0].(*ast.StringLiteral); ok {
				add(datamodel.StatePredicate, int(id.Idx0())+1, id.Value.String())
			}
		}
		return false
	}
	w.node(t.program.Body)
	return append(found, t.references()...)
}

// finding returns a finding at an index of goja's, which counts from 1.
func (t *Tree) finding(kind datamodel.FindingKind, at int, text string) datamodel.Finding {
	offset := min(max(at-1-t.prefix, 0), len(t.Source.Text))
	return datamodel.Finding{Kind: kind, Pos: t.Source.Position(offset), Text: text}
}

// changes reports whether an operator changes its operand.
func changes(x *ast.UnaryExpression) bool {
	return x.Operator == token.INCREMENT || x.Operator == token.DECREMENT || x.Operator == token.DELETE
}
