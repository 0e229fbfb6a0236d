package ecmascript

import (
	"strings"
	"unicode"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// The system variables of REC 5.10 and the predicate of REC 5.9.1.
const (
	sysEvent     = "_event"
	sysSessionID = "_sessionid"
	sysName      = "_name"
	sysIO        = "_ioprocessors"
	sysPlatform  = "_x"
	predicateIn  = "In"
)

func isSystem(name string) bool {
	switch name {
	case sysEvent, sysSessionID, sysName, sysIO, sysPlatform:
		return true
	}
	return false
}

// reserved are the words that strict code cannot use as the name of a variable.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`break case catch class const continue debugger default delete do else enum export
		extends false finally for function if import in instanceof new null return super switch this throw true try
		typeof var void while with
		implements interface let package private protected public static yield
		eval arguments undefined NaN Infinity`) {
		m[w] = true
	}
	return m
}()

// checkVariable returns an error unless a data item may be called name.
func checkVariable(name string) *datamodel.EvalError {
	switch {
	case !isIdentifier(name) || reserved[name]:
		return &datamodel.EvalError{Msg: quoted(name) + " is not the name of a variable"}
	case isSystem(name):
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

// isIdentifier reports whether s is an IdentifierName without escapes.
func isIdentifier(s string) bool {
	for i, r := range s {
		if !isIdentifierPart(r) || i == 0 && !isIdentifierStart(r) {
			return false
		}
	}
	return s != ""
}

func isIdentifierStart(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '$' ||
		r >= 0x80 && (unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Other_ID_Start, r))
}

func isIdentifierPart(r rune) bool {
	return isIdentifierStart(r) || r >= '0' && r <= '9' ||
		r >= 0x80 && (unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue) || r == '\u200c' || r == '\u200d')
}
