package compiled

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/internal/table"
)

// checkCode looks for what a search must tell of, or cannot do. A text of the chart that looks so counts too.
func (s *Search) checkCode() error {
	code := strings.ReplaceAll(string(s.Code), `Target: "#_internal"`, "")
	for _, looks := range []struct{ code, what string }{
		{"machine.Now(", "the chart looks at the clock"},
		{"js.Random(", "the chart looks at random numbers"},
		{"machine.SessionID(", "the chart looks at its id"},
		{"machine.Address(", "the chart looks at its address"},
		{"machine.NewID(", "the chart generates ids"},
		{"machine.Processor(", "the chart looks at processors"},
		{"machine.CheckProcessor(", "the chart sends events to processors"},
		{"Target: ", "the chart sends events to others"},
		{"machine.Invocation{", "the chart invokes something"},
		{"Late: true, Plain:", "the chart binds data late"},
		{"machine.ActionCall", "the chart has elements of other namespaces"},
	} {
		if strings.Contains(code, looks.code) {
			return errors.New(looks.what)
		}
	}
	for line := range strings.Lines(code) {
		// Of an assignment that fails in any case, the code does not have the value.
		if strings.HasPrefix(strings.TrimSpace(line), "m.err = ") && strings.Contains(line, "Error: ") && strings.Contains(s.chart.Source(), "_event") {
			return errors.New("the chart reads events, and assigns to what cannot be assigned to")
		}
	}
	if strings.Contains(code, "machine.Delay(") || strings.Contains(code, "Delay: ") {
		s.Task.Delays, s.Task.AnyDelays = true, s.opts.Time == explore.Any
		if s.opts.Time == explore.Zero {
			return errors.New("the chart delays events, and time passes only when it rests")
		}
	}
	if !strings.Contains(code, s.chart.Hash()) {
		return errors.New("a file that the chart loads has changed")
	}
	for name, body := range functions(code) {
		if name == "condition" && (strings.Contains(body, "m.ev.") || strings.Contains(body, "m.data()")) {
			return errors.New("a property looks at the event")
		}
		if slices.Contains([]string{"Event", "plain", "data", "SavedEvent"}, name) || strings.HasPrefix(name, "event") {
			continue // what sets _event, and shortcuts, of which all parts are also functions
		}
		if err := s.checkReads(name, body); err != nil {
			return err
		}
	}
	return nil
}

// isPure reports whether conditions change nothing, cannot fail and do not look at events, as far as is seen at once: they
// call nothing but In.
func (s *Search) isPure() bool {
	if strings.Contains(string(s.Code), "m.holds(") || strings.Contains(string(s.Code), "m.ev.") {
		return false
	}
	compare := strings.NewReplacer("===", "", "!==", "", "==", "", "!=", "", "<=", "", ">=", "")
	for _, t := range s.chart.Transitions() {
		cond := compare.Replace(t.Cond())
		for _, changes := range []string{"=", "++", "--", "delete", "`"} {
			if strings.Contains(cond, changes) {
				return false
			}
		}
		for before, rest, ok := strings.Cut(cond, "("); ok; before, rest, ok = strings.Cut(rest, "(") {
			before = strings.TrimRight(before, " \t\r\n")
			word := before[len(strings.TrimRight(before, letters+"$.)]")):]
			if word != "" && word != "In" {
				return false
			}
		}
	}
	return true
}

// functions returns the functions and methods of code by their names, with their bodies.
func functions(code string) iter.Seq2[string, string] {
	return func(yield func(name, body string) bool) {
		for _, text := range strings.Split(code, "\nfunc ")[1:] {
			signature, body, _ := strings.Cut(text, "{")
			if _, method, ok := strings.Cut(signature, ") "); ok && strings.HasPrefix(signature, "(") {
				signature = method
			}
			name, _, _ := strings.Cut(signature, "(")
			if !yield(name, body) {
				return
			}
		}
	}
}

// checkReads refuses code that reads what was not given of an event: others could come, with other data.
func (s *Search) checkReads(name, body string) error {
	data := strings.Contains(body, "m.data()")
	for _, part := range strings.Split(body, "m.ev.")[1:] {
		field := part[:len(part)-len(strings.TrimLeft(part, letters))]
		switch {
		case strings.HasPrefix(field, "data"):
			data = true
		case field == "name" && s.opts.Names == nil:
			return errors.New("the chart reads the names of events, and they are not given")
		case !slices.Contains([]string{"name", "typ", "present"}, field):
			return fmt.Errorf("the chart reads the field %s of events", field)
		}
	}
	if !data {
		return nil
	}
	descriptors := []string{"*"} // of the events that lead to it
	number, err := strconv.Atoi(strings.TrimPrefix(strings.TrimPrefix(name, "cond"), "content"))
	if err == nil && number < len(s.transitions) && len(s.transitions[number].Events()) > 0 {
		descriptors = s.transitions[number].Events()
	}
	for _, failure := range []string{"error.execution", "error.communication"} {
		if slices.ContainsFunc(descriptors, func(d string) bool { return table.Matches(d, failure) }) {
			return errors.New("the chart reads data of error events, whose texts can differ")
		}
	}
	for _, in := range s.Task.Inputs {
		if in.Data == nil && slices.ContainsFunc(descriptors, func(d string) bool { return table.Matches(d, in.Event) }) {
			return fmt.Errorf("the chart reads data of the event %q, which has none", in.Event)
		}
	}
	return nil
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
