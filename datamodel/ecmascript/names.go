package ecmascript

import (
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

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
	// REC 5.10: "The Processor MUST cause any attempt to change the value of a
	// system variable to fail."
	return &datamodel.EvalError{Msg: "TypeError: the system variable " + name + " cannot be changed"}
}

func quoted(name string) string {
	const most = 60
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "") + "…"
	}
	return `"` + name + `"`
}
