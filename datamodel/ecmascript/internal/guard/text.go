package guard

import (
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// putEval bounds text that becomes code by the limits for the text of a chart.
//
// goja runs text in the scope of a call only if the name eval means the function of the library there.
// So it means that one while a call in the code of the chart looks the name up, see syntax.BoundEval,
// and the guard at any other time.
func (g *Guards) putEval() {
	eval := native.Class(g.vm, "eval")
	if eval != nil && method(eval) != nil { // the chart has no other
		g.eval = eval
		g.replace(g.vm.GlobalObject(), "eval", func(f native.Func, call goja.FunctionCall) goja.Value {
			g.checkCode(call.Argument(0))
			return f(call)
		})
		g.guardedEval = native.Class(g.vm, "eval")
	}
	g.define(syntax.BoundEval, native.New(g.vm, "", func(call goja.FunctionCall) goja.Value {
		if len(call.Arguments) > 0 {
			g.CloseEval()
		} else if g.eval != nil && native.Class(g.vm, "eval") == g.guardedEval {
			g.isOpen = g.setEval(g.eval)
		}
		return goja.Undefined()
	}))
	g.define(syntax.BoundText, native.New(g.vm, "", func(call goja.FunctionCall) goja.Value {
		g.checkCode(call.Argument(1))
		return call.Argument(1)
	}))
}

func (g *Guards) setEval(o *goja.Object) bool {
	return g.vm.GlobalObject().DefineDataProperty("eval", o, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE) == nil
}

// CloseEval makes the name eval mean the guard, also after an evaluation that was interrupted while it
// meant the function of the library.
func (g *Guards) CloseEval() {
	if g.isOpen {
		g.isOpen = !g.setEval(g.guardedEval)
	}
}

// checkCode throws unless v is not a string, or may be parsed.
func (g *Guards) checkCode(v goja.Value) {
	if s, ok := v.(goja.String); ok {
		g.checkText(s.String())
	}
}

func (g *Guards) checkText(text string) {
	changes, err := g.limits.Text(text)
	if changes {
		g.changed()
	}
	if err != nil {
		_, failed := g.vm.RunString("(") // whatever the script has made of the name SyntaxError
		g.throw(failed, strings.TrimPrefix(err.Msg, "SyntaxError: "))
	}
}

// putFunctions bounds the constructors of functions, two of which have no name.
func (g *Guards) putFunctions() {
	g.replaceClass(native.Class(g.vm, "Function"), "Function", g.functionOf)
	pair, _ := native.Must1(g.vm.RunProgram(pausingFunctions())).(*goja.Object)
	for _, i := range [...]string{"0", "1"} {
		constructor, _ := pair.Get(i).(*goja.Object).Get("constructor").(*goja.Object)
		g.replaceClass(constructor, "", g.functionOf)
	}
}

var pausingFunctions = sync.OnceValue(func() *goja.Program {
	return goja.MustCompile("", "[function* () {}, async function () {}]", true)
})

// functionOf makes the arguments of a constructor of functions strings, and checks the text that goja
// makes of them.
func (g *Guards) functionOf(args []goja.Value) []goja.Value {
	texts := make([]goja.Value, len(args))
	var b strings.Builder
	for i, arg := range args {
		texts[i] = arg.ToString()
		switch {
		case i == len(args)-1:
			b.WriteString("\n) {\n")
		case i > 0:
			b.WriteByte(',')
		}
		b.WriteString(texts[i].String())
	}
	// async and * add no level.
	g.checkText("(function anonymous(" + b.String() + "\n})")
	return texts
}
