package syntax

import (
	"reflect"

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
	Accessors                    // it can make a getter or setter
	Deletes                      // it deletes a variable
	Proxies                      // it can make a proxy, or change a prototype
	Calls                        // it calls something, or puts something into an array or a property
	Keeps                        // it can keep something, or has functions
	Changes                      // it assigns to something
	Delegates                    // it has generators that delegate to others
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
	"eval":                      makesCode | Odd | Symbols | Library,
	"Function":                  makesCode | Odd | Symbols | Library,
	"constructor":               makesCode,
	"Symbol":                    Symbols,
	"getOwnPropertySymbols":     Symbols,
}

// makesCode is what code can do that is made of text at run time: anything.
const makesCode = SeesGlobal | Computes

// FactsOf returns what code can do with a name of the library.
func FactsOf(name string) Facts { return wordFacts[name] }

// Names is called for each name in a text that can be a variable or a property.
type Names func(name string)

// explore finds the facts, and bounds what the language does not.
func (t *Tree) explore(names Names) *datamodel.EvalError {
	x := &explorer{names: names, watched: t.watched}
	x.visit = x.look
	if err := t.walk(&x.walker); err != nil {
		return err
	}
	x.boundOperators()
	if t.X != nil {
		t.X = onlyExpression(t.program)
	}
	if x.computed {
		for _, word := range x.literals { // each may be the name that is computed
			x.name(word)
		}
	}
	if x.computed && x.facts&(Keeps|Calls|SeesGlobal) != 0 { // otherwise it can only return what it finds
		x.facts |= Computes
	}
	t.Facts, t.Evals, t.Changes = x.facts, x.evals, x.changes
	return nil
}

// An explorer finds facts.
type explorer struct {
	walker
	names     Names
	facts     Facts
	computed  bool // the name of a property is computed
	evals     bool // the name eval occurs
	bigints   bool // there are BigInts
	watched   bool // see Limits
	changes   bool // of properties were found
	changing  any  // a node that change has seen
	operators []func()
	literals  []string // that may be used as names
}

func (x *explorer) name(word string) {
	x.facts |= wordFacts[word]
	x.evals = x.evals || word == "eval"
	x.bigints = x.bigints || word == "BigInt"
	if x.names != nil {
		x.names(word)
	}
}

// key notes the key of a property that is looked up.
func (x *explorer) key(k *ast.Expression) {
	switch key := (*k).(type) {
	case *ast.StringLiteral:
		x.name(key.Value.String())
	case *ast.NumberLiteral:
	default:
		x.computed = true
		x.node(k)
	}
}

// look looks at one node.
func (x *explorer) look(n any, at reflect.Value) (done bool) {
	if x.watched && x.change(n, at) {
		return true
	}
	switch n := n.(type) {
	case *ast.Identifier:
		x.name(n.Name.String())
		return true
	case *ast.StringLiteral: // it may be used as a name
		x.facts |= wordFacts[n.Value.String()] & (Odd | Symbols | Library)
		x.literals = append(x.literals, n.Value.String())
		return true
	case *ast.NumberLiteral:
		x.bigints = x.bigints || isBigInt(n)
		return true
	case *ast.DotExpression:
		if id, ok := n.Left.(*ast.Identifier); ok && id.Name == "Object" { // its keys and entries are not those of arrays
			x.facts |= wordFacts[n.Identifier.Name.String()]
		} else {
			x.name(n.Identifier.Name.String())
		}
		x.node(&n.Left)
		return true
	case *ast.BracketExpression:
		x.key(&n.Member)
		x.node(&n.Left)
		return true
	case *ast.CallExpression:
		id, ok := n.Callee.(*ast.Identifier)
		if !ok || id.Name != PredicateIn {
			x.facts |= Calls
		}
		if ok && id.Name == "eval" && len(n.ArgumentList) > 0 && at.CanSet() {
			x.name("eval")
			at.Set(reflect.ValueOf(x.boundEval(n)))
			return true
		}
	case *ast.TemplateLiteral:
		if n.Tag != nil {
			x.facts |= Calls | Odd
		}
	case *ast.NewExpression:
		x.facts |= Calls
		if id, ok := n.Callee.(*ast.Identifier); ok && (id.Name == "Set" || id.Name == "Map") && len(n.ArgumentList) > 0 {
			n.ArgumentList[0] = boundItems(n.ArgumentList[0], id)
		}
	case *ast.SpreadElement:
		if at.Type() == expressionType { // {...o} does not iterate
			n.Expression = boundItems(n.Expression)
		}
	case *ast.ArrayLiteral:
		if !constant(n) {
			x.facts |= Calls
		}
	case *ast.ObjectLiteral, *ast.ClassLiteral, *ast.VariableStatement, *ast.LexicalDeclaration, *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
		x.facts |= Keeps
	case *ast.PropertyShort:
		x.name(n.Name.Name.String())
		x.node(&n.Initializer)
		return true
	case *ast.PropertyKeyed:
		x.property(n.Kind)
		if key, ok := n.Key.(*ast.StringLiteral); ok {
			x.name(key.Value.String())
			x.node(&n.Value)
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
	case *ast.BinaryExpression:
		x.operator(n.Operator, &n.Left, &n.Right, func(by ast.Expression) { at.Set(reflect.ValueOf(by)) })
	case *ast.ObjectPattern: // it reads properties
		x.facts |= Keeps
		for _, p := range n.Properties {
			if keyed, ok := p.(*ast.PropertyKeyed); ok && keyed.Computed {
				x.computed = true
			}
		}
	case *ast.AssignExpression:
		x.facts |= Keeps | Changes
		if _, ok := n.Left.(*ast.Identifier); !ok {
			x.facts |= Calls
			break
		}
		x.operator(n.Operator, &n.Left, &n.Right, func(by ast.Expression) { n.Operator, n.Right = token.ASSIGN, by })
	case *ast.YieldExpression:
		if n.Delegate {
			x.facts |= Delegates
		}
	case *ast.ThisExpression:
		x.facts |= SeesGlobal
	case *ast.WithStatement: // names are names of properties
		x.computed = true
		x.facts |= Keeps
	}
	return false
}

// property looks at what kind of property is made.
func (x *explorer) property(kind ast.PropertyKind) {
	if kind == ast.PropertyKindGet || kind == ast.PropertyKindSet {
		x.facts |= Accessors | Odd
	}
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

// changes reports whether an operator changes its operand.
func changes(x *ast.UnaryExpression) bool {
	return x.Operator == token.INCREMENT || x.Operator == token.DECREMENT || x.Operator == token.DELETE
}
