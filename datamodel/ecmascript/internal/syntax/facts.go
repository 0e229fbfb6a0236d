package ecmascript

import (
	"reflect"
	"slices"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A reach is what code can get hold of in the library, as far as that concerns
// the guards of guards.go. A store puts up those guards before it runs the
// code, so the code of most charts pays for none.
//
// A function of the library is reached by its name, or by a name that is
// computed at run time, which may be any. It may be reached in one evaluation
// and called in another, but it is the first that needs the guard: what is
// fetched afterwards is the guarded function.
type reach struct {
	guards  guardSet
	methods methodSet // methods of arrays, or of something else, that are spelled
	taken   []string  // methods of the library that are not called on the spot, but may become methods of something else

	// The code computes the name of a property, but can neither call what it
	// finds nor keep it anywhere: only its result can be a function.
	reads bool
}

// wordGuards are the guards for what has a certain name, and the system variables.
var wordGuards = func() map[string]guardSet {
	m := map[string]guardSet{}
	for g, words := range map[guardSet][]string{
		guardEval:                  {"eval"},
		guardFunction:              {"Function", "constructor"},
		guardJSON:                  {"JSON"},
		guardJoin:                  {"join", "toLocaleString"},
		guardFlat:                  {"flat"},
		guardArray:                 {"fill", "concat", "from"},
		guardString:                {"repeat", "padStart", "padEnd", "concat"},
		guardMatch:                 {"match", "matchAll", "search"},
		guardPattern:               {"RegExp"},
		guardBuffer:                append(slices.Clone(typedArrays), "ArrayBuffer"),
		guardBind:                  {"bind"},
		guardProxy:                 {"Proxy", "setPrototypeOf", "__proto__"},
		guardError:                 append(slices.Clone(errorClasses), "then", "catch"),
		guardLength:                {"call", "Proxy", "setPrototypeOf", "__proto__", "create", "constructor"},
		guardApply | guardLength:   {"apply", "Reflect"},
		guardComputed:              {"getOwnPropertyDescriptor", "getOwnPropertyDescriptors", "__lookupGetter__", "__lookupSetter__"},
		guardComputed | guardProxy: {"Reflect"},
		seesGlobal:                 {"globalThis"},
		accessors:                  {"defineProperty", "defineProperties", "__defineGetter__", "__defineSetter__", "create"},
		systemEvent:                {sysEvent},
		systemID:                   {sysSessionID},
		systemName:                 {sysName},
		systemIO:                   {sysIO},
		systemPlatform:             {sysPlatform},
		systemIn:                   {predicateIn},
	} {
		for _, w := range words {
			m[w] |= g
		}
	}
	return m
}()

// explore returns the reach of a tree, in which it prepares the uses of eval.
func explore(src *datamodel.Source, tree *ast.Program) (reach, *datamodel.EvalError) {
	var x explorer
	for i := range tree.Body {
		x.walk(reflect.ValueOf(&tree.Body[i]).Elem(), false)
	}
	if x.evals {
		if at := x.prepareEval(reflect.ValueOf(tree.Body)); at != 0 || x.with {
			return reach{}, syntaxError(src, max(int(at)-1, 0), "eval cannot be declared, or used within a with statement")
		}
	}
	switch {
	case !x.computed:
	case x.keeps || x.calls || x.guards&seesGlobal != 0:
		x.guards |= guardComputed
	default:
		x.reads = true
	}
	if x.calls {
		x.guards |= guardJoin
	}
	return x.reach, nil
}

// usesEval reports whether the name eval means something in a tree.
func usesEval(tree *ast.Program) bool {
	var x explorer
	x.walk(reflect.ValueOf(tree.Body), false)
	return x.evals
}

// An explorer looks through a syntax tree.
type explorer struct {
	reach
	computed bool // the name of a property is computed
	calls    bool // something is called, or an array or property is made that may hold an array
	keeps    bool // something may be kept, or there are functions
	evals    bool // the name eval occurs
	with     bool // there is a with statement
}

// name notes that a name occurs, of which the value is called at once or not.
func (r *reach) name(word string, called bool) {
	r.guards |= wordGuards[word]
	if i := slices.Index(arrayMethods[:], word); i >= 0 {
		r.methods |= 1 << i
	}
	if !called && methodHolders()[word] != nil && !slices.Contains(r.taken, word) {
		r.taken = append(r.taken, word)
	}
}

// key notes the key of a property that is looked up, if it can be told.
func (x *explorer) key(k ast.Expression, called bool) {
	switch k := k.(type) {
	case *ast.StringLiteral:
		x.name(k.Value.String(), called)
	case *ast.NumberLiteral:
	default:
		x.computed = true
		x.expression(k)
	}
}

func (x *explorer) expression(e ast.Expression) {
	if e != nil {
		x.walk(reflect.ValueOf(e), false)
	}
}

// walk looks at all that v holds; called says that it is the callee of a call.
// Kinds of nodes that do not matter are walked through by their fields.
func (x *explorer) walk(v reflect.Value, called bool) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			x.walk(v.Elem(), called)
		}
	case reflect.Pointer:
		if !v.IsNil() && v.Elem().Kind() == reflect.Struct && !x.node(v.Interface(), called) {
			x.walk(v.Elem(), false)
		}
	case reflect.Struct:
		t := v.Type()
		for i := range v.NumField() {
			if f := t.Field(i); f.IsExported() && f.Name != "DeclarationList" {
				x.walk(v.Field(i), false)
			}
		}
	case reflect.Slice:
		if k := v.Type().Elem().Kind(); k == reflect.Interface || k == reflect.Pointer || k == reflect.Struct {
			for i := range v.Len() {
				x.walk(v.Index(i), false)
			}
		}
	}
}

// node looks at one node and reports whether it has walked on itself.
func (x *explorer) node(n any, called bool) (done bool) {
	switch n := n.(type) {
	case *ast.Identifier:
		x.evals = x.evals || n.Name == "eval"
		x.name(n.Name.String(), !x.with)
		if n.Name == "Array" {
			x.guards |= guardLength // it makes arrays of any length
		}
		return true
	case *ast.DotExpression:
		x.name(n.Identifier.Name.String(), called)
		if id, ok := n.Left.(*ast.Identifier); !ok || id.Name != "Array" { // Array.isArray and the like
			x.expression(n.Left)
		}
		return true
	case *ast.BracketExpression:
		x.key(n.Member, called)
		x.expression(n.Left)
		return true
	case *ast.OptionalChain:
		x.walk(reflect.ValueOf(n.Expression), called)
		return true
	case *ast.Optional:
		x.walk(reflect.ValueOf(n.Expression), called)
		return true
	case *ast.CallExpression:
		if id, ok := n.Callee.(*ast.Identifier); !ok || id.Name != predicateIn {
			x.calls = true
		}
		x.walk(reflect.ValueOf(n.Callee), true)
		x.walk(reflect.ValueOf(n.ArgumentList), false)
		return true
	case *ast.TemplateLiteral:
		x.calls = x.calls || n.Tag != nil
		if n.Tag != nil {
			x.walk(reflect.ValueOf(n.Tag), true)
		}
		x.walk(reflect.ValueOf(n.Expressions), false)
		return true
	case *ast.NewExpression:
		x.calls = true
	case *ast.ArrayLiteral:
		x.calls = x.calls || !constant(n)
	case *ast.ObjectLiteral:
		x.keeps = true
	case *ast.PropertyShort: // in a literal: those of patterns do not get here
		x.evals = x.evals || n.Name.Name == "eval"
		x.name(n.Name.Name.String(), true)
		x.expression(n.Initializer)
		return true
	case *ast.PropertyKeyed:
		x.property(n.Kind)
		if key, ok := n.Key.(*ast.StringLiteral); ok {
			x.name(key.Value.String(), true)
			x.expression(n.Value)
			return true
		}
	case *ast.MethodDefinition:
		x.property(n.Kind)
	case *ast.UnaryExpression:
		if _, ok := n.Operand.(*ast.Identifier); ok && n.Operator == token.DELETE {
			x.guards |= deletes
		}
	case *ast.ObjectPattern:
		x.pattern(n)
		return true
	case *ast.AssignExpression:
		x.keeps = true
		if _, ok := n.Left.(*ast.Identifier); !ok {
			x.calls = true
		}
		if dot, ok := n.Left.(*ast.DotExpression); ok && dot.Identifier.Name == "length" {
			x.guards |= guardLength
		}
	case *ast.FunctionLiteral:
		x.function(n.Async || n.Generator)
	case *ast.ArrowFunctionLiteral:
		x.function(n.Async)
	case *ast.ClassLiteral:
		x.keeps = true
	case *ast.ThisExpression:
		x.guards |= seesGlobal
	case *ast.RegExpLiteral:
		x.guards |= guardPattern
	case *ast.VariableStatement, *ast.LexicalDeclaration:
		x.keeps = true
	case *ast.YieldExpression:
		if n.Delegate {
			x.guards |= guardGenerator
		}
	case *ast.TryStatement:
		x.guards |= guardError
	case *ast.WithStatement: // names are names of properties
		x.with, x.computed, x.keeps = true, true, true
	}
	return false
}

func (x *explorer) function(special bool) {
	x.keeps = true
	if special {
		x.guards |= guardKinds
	}
}

// property looks at what kind of property is made.
func (x *explorer) property(kind ast.PropertyKind) {
	if kind == ast.PropertyKindGet || kind == ast.PropertyKindSet {
		x.guards |= accessors
	}
}

// pattern looks at a pattern, which takes properties.
func (x *explorer) pattern(n *ast.ObjectPattern) {
	x.keeps = true
	for _, p := range n.Properties {
		switch p := p.(type) {
		case *ast.PropertyShort:
			x.evals = x.evals || p.Name.Name == "eval"
			x.name(p.Name.Name.String(), false)
			x.expression(p.Initializer)
		case *ast.PropertyKeyed:
			x.key(p.Key, false)
			x.expression(p.Value)
		}
	}
	x.expression(n.Rest)
}

// constant reports whether an array literal has nothing in it that could be an
// array made elsewhere.
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

// prepareEval makes the uses of eval in a tree safe, see [store.protectText]. In
// a call the arguments go through the function that checks them, and everywhere
// else the name is replaced by that of the guarded function. It returns the
// place of a use that it cannot handle: one that gives the name eval to something.
func (x *explorer) prepareEval(v reflect.Value) (at int) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return 0
		}
		if id, ok := v.Interface().(*ast.Identifier); ok && v.Type() == expressionType {
			if isEval(id) {
				id.Name = nameEval
			}
			return 0
		}
		return x.prepareEval(v.Elem())
	case reflect.Pointer:
		if v.IsNil() {
			return 0
		}
		if call, ok := v.Interface().(*ast.CallExpression); ok {
			if isEval(call.Callee) {
				if at := x.prepareEval(reflect.ValueOf(call.ArgumentList)); at != 0 {
					return at
				}
				check := *call
				check.Callee = &ast.Identifier{Name: nameCheck, Idx: call.Callee.Idx0()}
				call.ArgumentList = []ast.Expression{&check}
				return 0
			}
		}
		switch n := v.Interface().(type) {
		case *ast.DotExpression:
			return x.prepareEval(v.Elem().Field(0))
		case *ast.AssignExpression:
			if n.Operator == token.ASSIGN && isEval(n.Left) {
				return x.prepareEval(reflect.ValueOf(&n.Right).Elem())
			}
		case *ast.ArrayPattern:
			for _, e := range append(n.Elements, n.Rest) {
				if isEval(e) {
					return int(e.Idx0())
				}
			}
		}
		return x.prepareEval(v.Elem())
	case reflect.Struct:
		if id, ok := v.Interface().(ast.Identifier); ok && id.Name == "eval" {
			return int(id.Idx)
		}
		t := v.Type()
		for i := range v.NumField() {
			if f := t.Field(i); f.IsExported() && f.Name != "DeclarationList" {
				if at := x.prepareEval(v.Field(i)); at != 0 {
					return at
				}
			}
		}
	case reflect.Slice:
		if k := v.Type().Elem().Kind(); k == reflect.Interface || k == reflect.Pointer || k == reflect.Struct {
			for i := range v.Len() {
				if at := x.prepareEval(v.Index(i)); at != 0 {
					return at
				}
			}
		}
	}
	return 0
}

func isEval(e ast.Expression) bool {
	id, ok := e.(*ast.Identifier)
	return ok && id.Name == "eval"
}

var expressionType = reflect.TypeFor[ast.Expression]()
