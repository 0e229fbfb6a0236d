package check

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/scxmlrun/scxmlrun/scxml"
)

const (
	mostPlaces = 10 // that a line lists
	manyAlike  = 4  // so many warnings that differ in names only are one line
)

// named matches the names in a message.
var named = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"[^"]*"|'[^']*'`) })

// fold joins diagnostics that say the same of several places: the first has the others' places. Many
// warnings that differ only in what they name are also one, and each place has its name. Errors that
// differ are not: each has its own correction.
func fold(all []scxml.Diagnostic) []scxml.Diagnostic {
	key := func(d scxml.Diagnostic, message string) string { return d.Code + d.Severity.String() + message }
	alike := func(d scxml.Diagnostic) string { return key(d, named().ReplaceAllString(d.Message, "")) }
	count := map[string]int{}
	for _, d := range all {
		count[alike(d)]++
	}
	groups := map[string][]scxml.Diagnostic{}
	order := make([]string, len(all))
	for i, d := range all {
		if order[i] = alike(d); count[order[i]] < manyAlike || d.Severity == scxml.SeverityError {
			order[i] = key(d, d.Message)
		}
		groups[order[i]] = append(groups[order[i]], d)
	}
	var folded []scxml.Diagnostic
	for i, d := range all {
		if group := groups[order[i]]; group != nil {
			d.Message += alsoAt(group)
			folded = append(folded, d)
			delete(groups, order[i])
		}
	}
	return folded
}

// alsoAt lists the places of all but the first.
func alsoAt(group []scxml.Diagnostic) string {
	first := group[0]
	names := named().FindAllString(first.Message, -1)
	var at []string
	for _, d := range group[1:min(len(group), 1+mostPlaces)] {
		place := fmt.Sprintf("%d:%d", d.Pos.Line, d.Pos.Col)
		if d.Pos.File != first.Pos.File {
			place = d.Pos.String()
		}
		for i, name := range named().FindAllString(d.Message, -1) {
			if i < len(names) && name != names[i] {
				place += " (" + name + ")"
				break
			}
		}
		at = append(at, place)
	}
	switch more := len(group) - 1 - len(at); {
	case len(at) == 0:
		return ""
	case more == 1:
		at = append(at, "1 more place")
	case more > 1:
		at = append(at, fmt.Sprintf("%d more places", more))
	}
	return "; also at " + strings.Join(at, ", ")
}
