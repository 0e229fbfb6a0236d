package ecmascript

import (
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// The system variables of REC 5.10 and the predicate of REC 5.9.1.
const (
	sysEvent     = syntax.SysEvent
	sysSessionID = syntax.SysSessionID
	sysName      = syntax.SysName
	sysIO        = syntax.SysIO
	sysPlatform  = syntax.SysPlatform
	predicateIn  = syntax.PredicateIn
)

// checkVariable returns an error unless a data item may be called name.
func checkVariable(name string) *datamodel.EvalError {
	switch {
	case !syntax.IsVariable(name):
		return &datamodel.EvalError{Msg: quoted(name) + " is not the name of a variable"}
	case syntax.IsSystem(name):
		return readOnly(name)
	case name == predicateIn:
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
