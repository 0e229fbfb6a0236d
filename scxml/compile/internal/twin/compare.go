package twin

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// Source is the file twin.go, for programs that cannot import this package.
//
//go:embed twin.go
var Source string

// Registration is Go code that registers charts by the names of their types. pkg is what names this package, with a dot.
func Registration(pkg string, names []string) string {
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, `%[1]sRegister(%[2]q, func(o machine.Options) %[1]sMachine {
	m := new(%[2]s)
	n := (*%[3]sNode)(m)
	machine.SetUp(n, o)
	return %[1]sMachine{
		Node: n, Start: m.Start, Advance: m.Advance, Stop: m.Stop, Data: m.Item, Send: m.Send,
		Handle: func(num uint16) bool { return m.Handle(%[2]sEvent(num)) },
	}
})
`, pkg, name, strings.ToLower(name[:1])+name[1:])
	}
	return b.String()
}

// Comparable returns those lines of an interpreter's transcript that a job has, too.
func Comparable(lines []string, shortcuts bool) []string {
	if !shortcuts {
		return lines
	}
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		word, _, _ := strings.Cut(line, " ")
		return slices.Contains([]string{"sent", "unhandled", "entered", "exited", "took"}, word)
	})
}

// Difference shows where two transcripts begin to differ, or is "".
func Difference(want, got []string) string {
	for i := 0; i < len(want) || i < len(got); i++ {
		if i < len(want) && i < len(got) && want[i] == got[i] {
			continue
		}
		var b strings.Builder
		show := func(who string, lines []string, from, to int) {
			for _, line := range lines[min(max(from, 0), len(lines)):min(to, len(lines))] {
				fmt.Fprintf(&b, "  %-11s %.300s\n", who, line)
			}
		}
		show("", want, i-8, i)
		show("interpreter", want, i, i+4)
		show("compiled", got, i, i+4)
		return b.String()
	}
	return ""
}
