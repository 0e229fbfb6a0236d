package es

import (
	"go/scanner"
	"go/token"
	"strings"
)

// This file finds local variables that Go would not compile: those that nothing reads. A script may have them, and what
// reads one may turn out to be a constant.

// mayBeUnused returns a line that is to follow the declaration of a variable.
func mayBeUnused(v *variable) string { return "\x00" + v.text }

// settled replaces the lines of mayBeUnused, when all is written in which the variables are visible.
func (c *Chart) settled(text string) string {
	if c.solving || !strings.Contains(text, "\x00") {
		return text
	}
	read := names(text)
	lines := strings.Split(text, "\n")
	kept := lines[:0]
	for _, line := range lines {
		name, ok := strings.CutPrefix(line, "\x00")
		if ok {
			line = "_ = " + name
		}
		if !ok || !read[name] {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// uses reports whether Go code reads a variable.
func uses(text, name string) bool { return names(text)[name] }

// names returns the names of variables that Go code reads.
func names(text string) map[string]bool {
	all := map[string]bool{}
	src := []byte(strings.ReplaceAll(text, "\x00", "var "))
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(src)), src, nil, 0)
	before, name := token.ILLEGAL, ""
	for {
		_, tok, text := s.Scan()
		if name != "" && tok != token.ASSIGN && tok != token.DEFINE {
			all[name] = true
		}
		name = ""
		if tok == token.IDENT && before != token.PERIOD && before != token.VAR {
			name = text
		}
		if tok == token.EOF {
			return all
		}
		before = tok
	}
}
