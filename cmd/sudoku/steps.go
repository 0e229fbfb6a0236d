package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

const stepsHelp = `Steps writes the steps to the solution: the number, the rating, the technique, what
it places (r4c7=5) or eliminates (r4c7<>5), and why.

--all writes the steps that are possible now instead. Chains that branch are left
out as long as there are others; --with includes them. A position with several
solutions has the steps that do not rely on there being one.

--summary writes a table with the number of steps and puzzles of each technique instead.

--with and --without choose the techniques, which are tried in the order of "sudoku
steps --techniques". --order rating takes the steps that the rating is based on.

--json writes an object per line with the keys puzzle, solved and steps; a step has
technique, place, eliminate, reason and rating.

` + positionHelp

type stepsOptions struct {
	answerFlags
	pathFlags
	all        bool
	limit      int
	techniques bool
	summary    bool
}

func newStepsCommand() *cobra.Command {
	o := &stepsOptions{}
	cmd := &cobra.Command{
		Use:   "steps [FILE…|PUZZLE…]",
		Short: "Write the steps to the solution",
		Long:  stepsHelp,
		Example: `  sudoku steps puzzle.txt
  sudoku steps --all --with X-Wing,Skyscraper game.json
  sudoku steps --without "Naked Single" --json < million.txt
  sudoku steps ':0300:5:..4.+8...69..7+6.8.+4.86..4.5+2..9.+23.7+8...8..2..2.8..6.4..1...8.....5.....9.+9.2.....:777 787 797:::'`,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case o.techniques:
			return cli.Printed(fmt.Fprint(cmd.OutOrStdout(), techniqueTable(o.order())))
		case o.all && cmd.Flags().Changed("order"):
			return cli.Usagef("--all and --order do not go together")
		case o.limit < 0:
			return cli.Usagef("--limit: expected a number of at least 0, where 0 means no limit")
		}
		if err := o.check(); err != nil {
			return err
		}
		sum := make(techniqueSummary)
		if o.summary {
			o.tail = func() string { return sum.text(o.json) }
		}
		return answerEach(cmd.Context(), args, &o.answerFlags, func() func(*entry) answer {
			t := &thinker{}
			order := o.order()
			return func(e *entry) answer { return o.answer(t, e, order, sum) }
		})
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.all, "all", false, "write all steps that are possible now")
	flags.IntVar(&o.limit, "limit", 0, "write at most `N` steps of a puzzle")
	flags.BoolVar(&o.summary, "summary", false, "write a table of the techniques that the puzzles need")
	flags.BoolVar(&o.techniques, "techniques", false, "write a table of the techniques")
	o.pathFlags.bind(cmd)
	o.answerFlags.bind(cmd)
	return cmd
}

// A stepsRecord is a line of steps --json.
type stepsRecord struct {
	subject
	Solved bool         `json:"solved"` // by the steps
	Steps  []stepFields `json:"steps"`
}

// answer answers with steps.
func (o *stepsOptions) answer(t *thinker, e *entry, order []human.Technique, sum techniqueSummary) answer {
	p, err := t.position(&e.Game)
	if errors.Is(err, human.ErrNotUnique) && o.all {
		return o.several(t, e, order, err)
	}
	if err != nil {
		return answer{err: err}
	}
	var path []human.Step
	if o.all {
		path = t.now(p, order, o.limit, len(o.with) > 0)
	} else {
		path, err = o.path(t, p, order)
	}
	if o.limit > 0 && len(path) > o.limit {
		path = path[:o.limit]
	}
	if o.summary {
		return answer{err: err, count: func() { sum.add(path) }}
	}
	return answer{text: o.text(e, p, path, err == nil && !o.all && o.limit == 0), err: err}
}

// several answers about a position with several solutions: with the steps that do not
// rely on there being one.
func (o *stepsOptions) several(t *thinker, e *entry, order []human.Technique, cause error) answer {
	board := e.Board()
	p, err := human.Resume(&e.Givens, &board)
	if err != nil || o.summary {
		return answer{err: cause}
	}
	restrict(p, &e.Game)
	order = slices.DeleteFunc(slices.Clone(order), human.Technique.AssumesUnique)
	return answer{text: o.text(e, p, t.now(p, order, o.limit, len(o.with) > 0), false), err: cause}
}

// text writes steps.
func (o *stepsOptions) text(e *entry, p *human.Position, path []human.Step, solved bool) string {
	if o.json {
		r := stepsRecord{subject: subjectOf(e, p), Solved: solved, Steps: []stepFields{}}
		for i := range path {
			r.Steps = append(r.Steps, fieldsOf(&path[i]))
		}
		return jsonLine(r)
	}
	var b strings.Builder
	b.WriteString(puzzleLine(e, p, e.Name))
	for i := range path {
		b.WriteString(stepLine(i+1, &path[i]))
	}
	b.WriteString("\n")
	return b.String()
}

// A techniqueSummary counts the steps and the puzzles of each technique.
type techniqueSummary map[human.Technique]*usage

type usage struct {
	Technique string `json:"technique"`
	Steps     int    `json:"steps"`
	Puzzles   int    `json:"puzzles"`
}

// add counts the steps of a puzzle.
func (s techniqueSummary) add(path []human.Step) {
	seen := map[human.Technique]bool{}
	for i := range path {
		t := path[i].Technique
		if s[t] == nil {
			s[t] = &usage{Technique: t.String()}
		}
		s[t].Steps++
		if !seen[t] {
			seen[t] = true
			s[t].Puzzles++
		}
	}
}

// text writes the summary as a table, or as an object of JSON for each technique.
func (s techniqueSummary) text(inJSON bool) string {
	var b strings.Builder
	if !inJSON {
		fmt.Fprintf(&b, "%-30s  %10s  %10s\n", "technique", "steps", "puzzles")
	}
	for _, t := range human.Techniques() {
		switch u := s[t]; {
		case u == nil:
		case inJSON:
			b.WriteString(jsonLine(u))
		default:
			fmt.Fprintf(&b, "%-30v  %10s  %10s\n", t, thousands(u.Steps), thousands(u.Puzzles))
		}
	}
	return b.String()
}

// now returns the steps that are possible in a position. Of the techniques that branch,
// which take long, it looks only for the first that helps, unless they are wanted.
func (t *thinker) now(p *human.Position, order []human.Technique, limit int, wanted bool) []human.Step {
	n := len(order)
	if i := slices.IndexFunc(order, func(t human.Technique) bool { return t >= human.NishioForcingChains }); i >= 0 && !wanted {
		n = i
	}
	steps := t.finder.Find(p, limit, order[:n]...)
	for ; len(steps) == 0 && n < len(order); n++ {
		steps = t.finder.Find(p, limit, order[n])
	}
	return steps
}

// stepLine writes a step as a line of a table.
func stepLine(number int, s *human.Step) string {
	return fmt.Sprintf("%4d  %4v  %-20v  %-18s  %s\n", number, s.Rating, s.Technique, s.Effect(), s.Reason())
}

// techniqueTable writes techniques with their ratings.
func techniqueTable(order []human.Technique) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-30s  %6s  %5s  %s\n", "technique", "rating", "score", "class")
	for _, t := range order {
		fmt.Fprintf(&b, "%-30v  %6v  %5d  %v\n", t, t.Rating(), t.Score(), t.Class())
	}
	return b.String()
}
