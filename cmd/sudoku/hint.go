package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

const hintHelp = `Hint says how to continue a puzzle or a saved game, in three stages:

  --vague   what to look for
  --where   and in which houses or cells
  (none)    what follows, and why

--check tells whether the entries are on the way to the solution and which are not,
without giving away what would be right; with --vague, only whether. The exit status
is 5 if one is not.

--backdoors N writes the smallest sets of up to N digits that, placed now, let the
rest be solved by singles, or by the techniques of --with.

--json writes an object per line with the keys puzzle, technique, place, eliminate,
reason and rating; a vague hint has only the technique.

` + positionHelp

type hintOptions struct {
	answerFlags
	techniqueFlags
	vague, where, check bool
	stage, backdoors    int
}

func newHintCommand() *cobra.Command {
	o := &hintOptions{}
	cmd := &cobra.Command{
		Use:   "hint [FILE…|PUZZLE…]",
		Short: "Say how to continue",
		Long:  hintHelp,
		Example: `  sudoku hint game.json
  sudoku hint --vague 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
  sudoku hint --check game.json
  sudoku hint --backdoors 2 puzzles.txt`,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.complete(cmd.Flags().Changed("stage"), cmd.Flags().Changed("backdoors")); err != nil {
			return err
		}
		return answerEach(cmd.Context(), args, &o.answerFlags, o.worker)
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.vague, "vague", false, "only what to look for; the same as --stage 1")
	flags.BoolVar(&o.where, "where", false, "only what to look for, and where; the same as --stage 2")
	flags.IntVar(&o.stage, "stage", 3, "how much to give away: `N` is 1, 2 or 3")
	flags.BoolVar(&o.check, "check", false, "say whether the entries are right")
	flags.IntVar(&o.backdoors, "backdoors", 0, "write sets of up to `N` digits that make the rest easy")
	o.techniqueFlags.bind(cmd)
	o.answerFlags.bind(cmd)
	return cmd
}

// complete checks the flags and sets the stage.
func (o *hintOptions) complete(stage, backdoors bool) error {
	chosen := 0
	for _, given := range []bool{o.vague, o.where, stage} {
		if given {
			chosen++
		}
	}
	switch {
	case chosen > 1:
		return cli.Usagef("--vague, --where and --stage do not go together")
	case o.stage < 1 || o.stage > 3:
		return cli.Usagef("--stage: expected 1, 2 or 3, found %d", o.stage)
	case backdoors && (o.backdoors < 1 || o.backdoors > 4):
		return cli.Usagef("--backdoors: expected a number from 1 to 4, found %d", o.backdoors)
	case backdoors && (o.check || chosen > 0):
		return cli.Usagef("--backdoors does not go together with other hints")
	case o.check && (o.where || stage && o.stage == 2):
		return cli.Usagef("--check says whether entries are right, or with --vague only whether all are")
	case o.vague:
		o.stage = 1
	case o.where:
		o.stage = 2
	}
	return nil
}

// worker returns a function that answers on one core.
func (o *hintOptions) worker() func(*entry) answer {
	t := &thinker{}
	order := o.order()
	switch {
	case o.check:
		return func(e *entry) answer { return o.checked(t, e) }
	case o.backdoors > 0:
		if len(o.with) == 0 {
			order = []human.Technique{human.FullHouse, human.HiddenSingle, human.NakedSingle}
		}
		return func(e *entry) answer { return o.writeBackdoors(t, e, order) }
	}
	return func(e *entry) answer { return o.hint(t, e, order) }
}

// A hintRecord is a line of hint --json.
type hintRecord struct {
	subject
	Technique string `json:"technique,omitempty"`
	Hint      string `json:"hint,omitempty"` // of the first two stages
	*stepFields
	Solved bool `json:"solved,omitempty"`
}

// stepFields are those of a step in JSON.
type stepFields struct {
	Technique string   `json:"technique"`
	Place     []string `json:"place"`
	Eliminate []string `json:"eliminate"`
	Reason    string   `json:"reason"`
	Rating    tenths   `json:"rating"`
}

func fieldsOf(s *human.Step) stepFields {
	f := stepFields{s.Technique.String(), []string{}, []string{}, s.Reason(), tenths(s.Rating)}
	for _, c := range s.Place {
		f.Place = append(f.Place, c.String())
	}
	for _, c := range s.Eliminate {
		f.Eliminate = append(f.Eliminate, c.Excluded())
	}
	return f
}

// hint answers with the next step.
func (o *hintOptions) hint(t *thinker, e *entry, order []human.Technique) answer {
	p, err := t.position(&e.Game)
	if err != nil {
		return answer{err: err}
	}
	step, ok := t.finder.Next(p, order...)
	switch {
	case !ok && !p.Solved():
		return answer{err: errStuck}
	case !ok && o.json:
		return answer{text: jsonLine(hintRecord{subject: subjectOf(e, p), Solved: true})}
	case !ok:
		return answer{text: "the puzzle is solved\n"}
	case o.json && o.stage == 3:
		fields := fieldsOf(&step)
		return answer{text: jsonLine(hintRecord{subject: subjectOf(e, p), Technique: fields.Technique, stepFields: &fields})}
	}
	text := step.Hint(human.Stage(o.stage - 1))
	if o.json {
		return answer{text: jsonLine(hintRecord{subject: subjectOf(e, p), Hint: text, Technique: step.Technique.String()})}
	}
	return answer{text: text + "\n"}
}

// writeBackdoors answers with backdoors.
func (o *hintOptions) writeBackdoors(t *thinker, e *entry, order []human.Technique) answer {
	p, err := t.position(&e.Game)
	if err != nil {
		return answer{err: err}
	}
	found, err := t.finder.Backdoors(p, o.backdoors, order...)
	if err != nil {
		return answer{err: err}
	}
	sets := [][]string{}
	var words []string
	for _, set := range found {
		var digits []string
		for _, c := range set {
			digits = append(digits, c.String())
		}
		sets = append(sets, append([]string{}, digits...))
		words = append(words, strings.Join(digits, " "))
	}
	if o.json {
		return answer{text: jsonLine(struct {
			subject
			Backdoors [][]string `json:"backdoors"`
		}{subjectOf(e, p), sets})}
	}
	switch {
	case len(found) == 0:
		return answer{text: fmt.Sprintf("no backdoor of %s\n", count(o.backdoors, "1 digit", "up to %d digits"))}
	case len(found[0]) == 0:
		return answer{text: "solved without a backdoor\n"}
	}
	return answer{text: strings.Join(words, ", ") + "\n"}
}

// A checkRecord is a line of hint --check --json.
type checkRecord struct {
	Puzzle string    `json:"puzzle"`
	Name   string    `json:"name,omitempty"`
	Right  bool      `json:"right"`
	Wrong  *[]string `json:"wrong,omitempty"` // cells with wrong entries
	Marks  *[]string `json:"marks,omitempty"` // cells whose marks lack the digit
}

// checked answers with the entries, and the pencil marks, that are wrong.
func (o *hintOptions) checked(t *thinker, e *entry) answer {
	solution, err := t.solution(&format.Game{Givens: e.Givens})
	if err != nil {
		return answer{err: err}
	}
	entries, wrong, marks := compareBoard(&e.Game, &solution)
	right := wrong.Empty() && marks.Empty()
	a := answer{wrong: !right}
	if o.json {
		r := checkRecord{Puzzle: e.Givens.String(), Name: e.Name, Right: right}
		if o.stage == 3 {
			r.Wrong, r.Marks = cellNames(wrong), cellNames(marks)
		}
		a.text = jsonLine(r)
		return a
	}
	switch {
	case entries == 0 && right:
		a.text = "there are no entries\n"
	case right:
		a.text = fmt.Sprintf("%s on the way to the solution\n", count(entries, "the entry is", "all %d entries are"))
	case o.stage == 1:
		a.text = "not everything is on the way to the solution\n"
	default:
		if !wrong.Empty() {
			a.text = fmt.Sprintf("%s not on the way to the solution: %v\n", count(wrong.Len(), "1 entry is", "%d entries are"), wrong)
		}
		if !marks.Empty() {
			a.text += fmt.Sprintf("the pencil marks lack the digit of the solution: %v\n", marks)
		}
	}
	return a
}

// compareBoard counts the entries of a game, and returns the cells with another digit
// than the solution and those whose pencil marks lack it.
func compareBoard(g *format.Game, solution *sudoku.Grid) (entries int, wrong, marks human.Set) {
	board, notes := g.Board(), g.Notes()
	var bad, lacking []human.Cell
	for c := range human.Cell(81) {
		r, col := c/9, c%9
		d := solution[r][col]
		switch {
		case g.Givens[r][col] != 0:
		case board[r][col] != 0:
			if entries++; board[r][col] != d {
				bad = append(bad, c)
			}
		case notes[r][col] != 0 && notes[r][col]>>d&1 == 0:
			lacking = append(lacking, c)
		}
	}
	return entries, human.Cells(bad...), human.Cells(lacking...)
}

// count words a number of things.
func count(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf(many, n)
}

func cellNames(cells human.Set) *[]string {
	names := []string{}
	for c := range cells.All() {
		names = append(names, c.String())
	}
	return &names
}
