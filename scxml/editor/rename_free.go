package editor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/internal/lazy"
)

// xmlName matches ids that every processor accepts.
var xmlName = lazy.Regexp(`^[\pL_][\pL\pN_.-]*$`)

// free returns an error unless w can be called to.
func (d *Document) free(w *word, to string) error {
	if w.kind == eventWord {
		if err := datamodel.CheckEventName(to); err != nil {
			return err
		}
		if strings.ContainsAny(to, `"'<>&,/[]*+()`) {
			return fmt.Errorf("%q is not a good name for an event: use letters, digits, \"-\" and \"_\", with dots between tokens", to)
		}
		if root, _, _ := strings.Cut(to, "."); root == "done" || root == "error" {
			return fmt.Errorf("events that begin with %q are those of the engine", root)
		}
	} else if w.kind == dataWord {
		return d.freeVariable(w, to)
	} else if !xmlName().MatchString(to) {
		return fmt.Errorf("%q is not an id: use letters, digits, \"-\", \".\" and \"_\", beginning with a letter", to)
	}
	for _, o := range w.node.chart.words {
		if o.kind == w.kind && o.name == to {
			return fmt.Errorf("%q is already used at %s", to, d.where(o.span.Start))
		}
	}
	if w.kind == stateWord {
		if used := d.inCode(w.node.chart, stateWord, to); len(used) > 0 {
			return fmt.Errorf("%q is already used at %s", to, d.where(used[0].span.Start))
		}
	}
	return d.asText(&word{kind: w.kind, name: to, node: w.node})
}

// freeVariable returns an error unless a data item can be called to.
func (d *Document) freeVariable(w *word, to string) error {
	names, err := namesIn(&code{role: location}, &snippet{text: to})
	if err != nil || len(names) != 1 || names[0].Name != to {
		return fmt.Errorf("%q is not the name of a variable: use letters, digits and \"_\", beginning with a letter", to)
	}
	checker, _ := ecmascript.New().(datamodel.Checker)
	if checker != nil && slices.Contains(checker.Names(), to) || strings.HasPrefix(to, "_") {
		return fmt.Errorf("%q is a name of the data model", to)
	}
	for _, o := range w.node.chart.words {
		if o.kind == dataWord && o.name == to {
			return fmt.Errorf("%q is already used at %s", to, d.where(o.span.Start))
		}
	}
	for _, piece := range w.node.chart.codes {
		s := d.read(piece.span)
		all := tokens(s.text)
		for i, t := range all {
			if t.kind == 'a' && s.text[t.from:t.to] == to && !isMember(all, i) && !isKey(all, i) {
				return fmt.Errorf("%q is already used at %s", to, d.where(s.offset(t.from)))
			}
		}
	}
	return nil
}
