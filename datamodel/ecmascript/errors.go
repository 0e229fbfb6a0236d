package ecmascript

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
	"github.com/scxmlrun/scxmlrun/datamodel/internal/path"
)

// The innermost frames of a deep call stack say what happened, the outermost how it was reached.
const (
	innerFrames = 40
	outerFrames = 10
)

// failure makes an EvalError of the error of an evaluation of e. It may run code of the chart, so
// it must be called before the evaluation ends.
func (st *store) failure(e *expr, err error) *datamodel.EvalError {
	var (
		known       *datamodel.EvalError
		exception   *goja.Exception
		interrupted *goja.InterruptedError
		overflow    *goja.StackOverflowError
		data        *path.Error
	)
	out := &datamodel.EvalError{}
	if e != nil {
		out.Pos = syntax.Begin(&e.src)
	}
	switch {
	case errors.As(err, &interrupted):
		st.cut = true
		cause, _ := interrupted.Value().(error)
		out.Err = cause
		out.Msg = st.broken(cause)
		st.place(out, interrupted.Stack())
	case errors.As(err, &overflow):
		st.cut = true
		out.Msg = fmt.Sprintf("RangeError: script calls are nested deeper than %d levels", st.env.Host.CallDepth())
		st.place(out, overflow.Stack())
	case errors.As(err, &exception):
		out.Msg = st.exceptionText(exception.Value())
		if st.cause != nil && exception.Value() == st.thrown {
			out.Err = st.cause
		}
		st.place(out, exception.Stack())
	case errors.As(err, &known):
		if known.Pos.IsValid() {
			return known
		}
		out.Msg, out.Err, out.Stack = known.Msg, known.Err, known.Stack
	case errors.As(err, &data):
		out.Msg = data.Error()
		out.Err = data.Err
	default:
		out.Msg, out.Err = err.Error(), err
	}
	return out
}

// callFailure makes the same of a failure of the closures, or returns nil if code of the chart might change
// what it says.
func (st *store) callFailure(e *expr, f *fast.Failure) error {
	if !f.Late && (st.realm != nil || !utf8.ValidString(f.Err.Error())) {
		return nil
	}
	out := &datamodel.EvalError{Pos: e.value.tree.At(f.Site.LeftParenthesis), Err: f.Err}
	out.Stack = []datamodel.Frame{{Pos: out.Pos}}
	switch text := f.Err.Error(); {
	case f.Late:
		out.Msg = st.broken(f.Err)
	case text == "":
		out.Msg = "Error"
	default:
		out.Msg = syntax.CleanMessage("Error: " + text)
	}
	return out
}

// broken says why an evaluation was interrupted.
func (st *store) broken(cause error) string {
	if errors.Is(cause, datamodel.ErrScriptTime) {
		return fmt.Sprintf("the script ran longer than its time limit of %v", st.watch.limit)
	}
	if errors.Is(cause, datamodel.ErrMacrostepTime) {
		return fmt.Sprintf("the scripts of this macrostep ran longer than their time limit of %v", st.watch.total)
	}
	return "the script was interrupted: " + fmt.Sprint(cause)
}

// cancelledError is the error of an evaluation that did not begin.
func cancelledError(e *expr, cause error) *datamodel.EvalError {
	err := &datamodel.EvalError{Msg: "the script was not run: " + cause.Error(), Err: cause}
	if e != nil {
		err.Pos = syntax.Begin(&e.src)
	}
	return err
}

// exceptionText returns the text of a thrown value.
func (st *store) exceptionText(v goja.Value) (msg string) {
	if v == nil {
		return "unknown exception"
	}
	if o, ok := v.(*goja.Object); ok && o.ClassName() == "Error" {
		if ex := st.vm.Try(func() { msg = v.String() }); ex == nil {
			return syntax.CleanMessage(msg)
		}
		return "Error"
	}
	data, err := st.export(v)
	if err != nil {
		return "uncaught exception"
	}
	return "uncaught exception: " + datamodel.Text(data)
}

// place sets position and stack of err from the frames of the runtime.
func (st *store) place(err *datamodel.EvalError, frames []goja.StackFrame) {
	found := false
	for i := range frames {
		if len(frames) > innerFrames+outerFrames && i >= innerFrames && i < len(frames)-outerFrames {
			continue
		}
		pos, ok := st.locate(&frames[i])
		if !ok {
			continue // native, or text that was given to eval
		}
		if !found {
			found = true
			err.Pos = pos
		}
		name := frames[i].FuncName()
		if name == "<anonymous>" {
			name = ""
		}
		err.Stack = append(err.Stack, datamodel.Frame{Func: name, Pos: pos})
	}
}

// locate returns the place of a frame in the document.
func (st *store) locate(f *goja.StackFrame) (datamodel.Position, bool) {
	p := st.current
	if name := f.SrcName(); p == nil || p.tree.Name != name {
		if p = st.programs[name]; p == nil {
			return datamodel.Position{}, false
		}
	}
	at := f.Position()
	return p.tree.Position(at.Line, at.Column), true
}

// checkVariable returns an error unless a data item may be called name.
func checkVariable(name string) *datamodel.EvalError {
	switch {
	case !syntax.IsVariable(name):
		return &datamodel.EvalError{Msg: quoted(name) + " is not the name of a variable"}
	case syntax.IsSystem(name):
		return readOnly(name)
	case name == syntax.PredicateIn:
		return &datamodel.EvalError{Msg: quoted(name) + " is the predicate In() and cannot be a variable"}
	}
	return nil
}

func readOnly(name string) *datamodel.EvalError {
	// REC 5.10: "The Processor MUST cause any attempt to change the value of a system variable to
	// fail."
	return &datamodel.EvalError{Msg: "TypeError: the system variable " + name + " cannot be changed"}
}

func quoted(name string) string {
	const most = 60
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "") + "…"
	}
	return `"` + name + `"`
}
