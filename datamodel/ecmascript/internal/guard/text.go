package guard

import (
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// protectEval checks text that is to become code by the limits for the text of a chart.
//
// goja runs the text in the scope of a call only if the name eval means the function of the library
// there. So eval becomes a variable, which the property of the global object does not show, and
// package syntax ensures that the variable is used in no other way.
func (g *Guards) protectEval() {
	vm := g.vm
	eval := native.Class(g.vm, "eval")
	if eval == nil {
		return
	}
	f := must2(goja.AssertFunction(eval))
	check := func(args []goja.Value) []goja.Value {
		if len(args) > 0 {
			if s, ok := args[0].(goja.String); ok {
				g.checkCode(s.String())
			}
		}
		return args
	}
	guarded := vm.ToValue(vm.NewProxy(eval, &goja.ProxyTrapConfig{
		Apply: func(_ *goja.Object, this goja.Value, args []goja.Value) goja.Value {
			v, err := f(this, check(args)...)
			return native.Must1(v, err)
		},
	}))
	global := vm.GlobalObject()
	hidden := func(name string, v goja.Value) {
		native.Must(global.DefineDataProperty(name, v, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
	}
	hidden(syntax.GuardedEval, guarded)
	hidden(syntax.CheckedText, native.New(g.vm, syntax.CheckedText, func(call goja.FunctionCall) goja.Value {
		check(call.Arguments)
		return call.Argument(0)
	}))
	native.Must1(vm.RunProgram(evalVariable()))
	native.Must(vm.Set("eval", eval))
	native.Must(global.DefineDataProperty("eval", guarded, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
}

var evalVariable = sync.OnceValue(func() *goja.Program { return goja.MustCompile("", "let eval", false) })

// protectFunction does the same for functions made of text.
func (g *Guards) protectFunction() { g.replaceGlobal("Function", g.checkFunction) }

func (g *Guards) protectKinds() {
	prototypes := native.Must1(g.vm.RunProgram(generatorPrototypes())).(*goja.Object)
	for _, i := range []string{"0", "1"} {
		if c, ok := prototypes.Get(i).(*goja.Object).Get("constructor").(*goja.Object); ok {
			g.replaceClass(c, g.checkFunction)
		}
	}
}

// checkFunction checks the arguments of a constructor of functions, and returns them as strings.
func (g *Guards) checkFunction(args []goja.Value) []goja.Value {
	out := make([]goja.Value, len(args))
	var b strings.Builder
	b.WriteString("(function anonymous(")
	for i, arg := range args {
		out[i] = arg.ToString()
		switch {
		case i == len(args)-1:
			b.WriteString("\n) {\n")
		case i > 0:
			b.WriteByte(',')
		}
		b.WriteString(out[i].String())
	}
	b.WriteString("\n})")
	g.checkCode(b.String())
	return out
}

// checkCode throws unless text may be parsed and compiled.
func (g *Guards) checkCode(text string) {
	g.session.AdmitAll() // it may reach anything
	evals, err := g.limits.Runtime(text)
	if err != nil {
		g.refuse("%s", strings.TrimPrefix(err.Msg, "SyntaxError: "))
	}
	if evals {
		panic(g.vm.NewTypeError("text that is made at run time cannot use eval itself"))
	}
}

// protectPattern and protectMatch bound regular expressions made of strings.
func (g *Guards) protectPattern() {
	g.replaceGlobal("RegExp", g.checkPatternOf)
	proto := native.Prototype(g.vm, "RegExp")
	g.replace(proto, "toString", g.nested) // it shows the property source, which may be the object
	g.before(proto, "compile", g.checkPatternIn)
}

func (g *Guards) protectMatch() {
	for _, name := range []string{"match", "matchAll", "search"} {
		g.before(native.Prototype(g.vm, "String"), name, g.checkPatternIn)
	}
}

func (g *Guards) checkPatternIn(call *goja.FunctionCall) {
	call.Arguments = g.checkPatternOf(call.Arguments)
}

// checkPatternOf checks the argument that is to become a regular expression, unless it is one, and
// returns the arguments with it as a string.
func (g *Guards) checkPatternOf(args []goja.Value) []goja.Value {
	if len(args) == 0 || goja.IsUndefined(args[0]) {
		return args
	}
	o, ok := args[0].(*goja.Object)
	switch {
	case !ok:
	case o.ClassName() == "RegExp":
		return args
	case o.GetSymbol(goja.SymMatch) != nil:
		if s, ok := o.Get("source").(goja.String); ok {
			g.CheckPattern(s.String())
		}
		return args
	}
	args = append([]goja.Value(nil), args...)
	args[0] = args[0].ToString()
	g.CheckPattern(args[0].String())
	return args
}

// CheckPattern throws unless a regular expression may be compiled.
func (g *Guards) CheckPattern(text string) {
	if len(text) > g.limits.Length {
		g.refuse("the regular expression has more than %d bytes", g.limits.Length)
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '(':
			if depth++; depth > maxPattern {
				g.refuse("the regular expression is nested deeper than %d levels", maxPattern)
			}
		case ')':
			depth--
		}
	}
}
