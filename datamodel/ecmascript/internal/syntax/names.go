package syntax

import (
	"strings"
	"unicode"
)

// reserved are the words that strict code cannot use as a variable.
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

// IsVariable reports whether strict code can have a variable of that name.
func IsVariable(name string) bool { return IsIdentifier(name) && !reserved[name] }

// IsIdentifier reports whether s is an IdentifierName without escapes.
func IsIdentifier(s string) bool {
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

// The system variables of REC 5.10 and the predicate of REC 5.9.1.
const (
	SysEvent     = "_event"
	SysSessionID = "_sessionid"
	SysName      = "_name"
	SysIO        = "_ioprocessors"
	SysPlatform  = "_x"
	PredicateIn  = "In"
)

// IsSystem reports whether name is that of a system variable.
func IsSystem(name string) bool {
	switch name {
	case SysEvent, SysSessionID, SysName, SysIO, SysPlatform:
		return true
	}
	return false
}
