package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/rate"
)

const rateHelp = `Rate says how hard puzzles are for people. It writes each puzzle with its rating,
which other commands read as the puzzle's name:

  ER 7.2   the hardest step, on the scale of SukakuExplainer (1.0 to 11 and more)
  EP 1.5   the hardest step up to the first digit
  ED 1.5   the first step
  score    HoDoKu's points, and its class: easy, medium, hard, unfair or extreme
  level    1 to 5, by the ER

--csv writes a table, and --json an object per line with the keys puzzle, er, ep,
ed, score, class and level.

--summary writes a table with the number of puzzles of each level and class instead.

--min and --max write only the puzzles with such an ER; the rest is quick to leave
out, because rating stops at the first step above --max.

` + positionHelp

// positionHelp is for all commands that look at positions.
const positionHelp = `The digits entered in a saved game, and in a library line of HoDoKu (:0300:…), are
part of the position, and so are its candidates where every empty cell has some.
A puzzle without or with several solutions is named on standard error and does not
stop the others.`

type rateOptions struct {
	answerFlags
	csv, summary bool
	min, max     ratingFlag
}

func newRateCommand() *cobra.Command {
	o := &rateOptions{}
	cmd := &cobra.Command{
		Use:   "rate [FILE…|PUZZLE…]",
		Short: "Say how hard puzzles are",
		Long:  rateHelp,
		Example: `  sudoku rate puzzles.txt
  sudoku new --count 100 | sudoku rate --min 3.0 --max 4.5
  sudoku rate --summary puzzles.txt
  sudoku rate --json < million.txt > ratings.json`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	o.bind(cmd)
	cmd.Flags().BoolVar(&o.csv, "csv", false, "write a table: puzzle,ER,EP,ED,score,class,level")
	cmd.Flags().BoolVar(&o.summary, "summary", false, "write a table of the levels and classes")
	cmd.Flags().Var(&o.min, "min", "leave out puzzles with a lower ER")
	cmd.Flags().Var(&o.max, "max", "leave out puzzles with a higher ER")
	return cmd
}

// bind adds the flags to a command.
func (o *answerFlags) bind(cmd *cobra.Command) {
	o.target.bind(cmd, " instead of standard output")
	cmd.Flags().BoolVar(&o.json, "json", false, "write JSON, one object per line")
}

// A ratingFlag is the value of a flag that takes a rating. 0 means none.
type ratingFlag human.Rating

func (r *ratingFlag) Type() string { return "ER" }

func (r *ratingFlag) String() string {
	if *r == 0 {
		return ""
	}
	return human.Rating(*r).String()
}

func (r *ratingFlag) Set(text string) error {
	var whole, tenths int
	var rest string
	n, _ := fmt.Sscanf(text+".0", "%2d.%1d%s", &whole, &tenths, &rest)
	if n < 2 || rest != "" && rest != ".0" || whole < 1 {
		return fmt.Errorf(`write a rating such as "4.2"`)
	}
	*r = ratingFlag(10*whole + tenths)
	return nil
}

func (o *rateOptions) run(ctx context.Context, args []string) error {
	switch {
	case o.csv && (o.json || o.summary):
		return cli.Usagef("--csv does not go together with --json and --summary")
	case o.min > 0 && o.max > 0 && o.min > o.max:
		return cli.Usagef("--min %v is above --max %v", &o.min, &o.max)
	}
	if o.csv {
		o.head = "puzzle,ER,EP,ED,score,class,level\n"
	}
	var sum ratingSummary
	if o.summary {
		o.tail = func() string { return sum.text(o.json) }
	}
	return answerEach(ctx, args, &o.answerFlags, func() func(*entry) answer {
		t := &thinker{}
		return func(e *entry) answer { return o.rate(t, e, &sum) }
	})
}

// rate answers with the rating of a puzzle.
func (o *rateOptions) rate(t *thinker, e *entry, sum *ratingSummary) answer {
	p, err := t.position(&e.Game)
	if err != nil {
		return answer{err: err}
	}
	most := human.Rating(math.MaxInt)
	if o.max > 0 {
		most = human.Rating(o.max)
	}
	r, ok, err := t.rate(p, most)
	switch {
	case err != nil || !ok || r.ER < human.Rating(o.min):
		return answer{err: err}
	case o.summary:
		return answer{count: func() { sum.add(r) }}
	case o.json:
		return answer{text: jsonLine(ratingRecord{subjectOf(e, p), r.fields()})}
	case o.csv:
		return answer{text: fmt.Sprintf("%v,%v,%v,%v,%d,%v,%d\n", &e.Givens, r.ER, r.EP, r.ED, r.Points, r.Class, r.Rating.Level())}
	}
	return answer{text: puzzleLine(e, p, joined(e.Name, r.String()))}
}

// A ratingSummary counts puzzles by level and class.
type ratingSummary [rate.Expert + 1][human.Extreme + 1]int

func (s *ratingSummary) add(r rated) { s[r.Rating.Level()][r.Class]++ }

// text writes the summary as a table, or as an object of JSON for each level.
func (s *ratingSummary) text(inJSON bool) string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "level\tpuzzles\teasy\tmedium\thard\tunfair\textreme\t")
	for _, level := range rate.Levels() {
		puzzles, classes, columns := 0, map[string]int{}, ""
		for class, n := range s[level] {
			puzzles += n
			classes[human.Class(class).String()] = n
			columns += thousands(n) + "\t"
		}
		if inJSON {
			b.WriteString(jsonLine(struct {
				Level   int            `json:"level"`
				Puzzles int            `json:"puzzles"`
				Classes map[string]int `json:"classes"`
			}{int(level), puzzles, classes}))
			continue
		}
		fmt.Fprintf(table, "%d %v\t%s\t%s\n", level, level, thousands(puzzles), columns)
	}
	if !inJSON {
		table.Flush() // a strings.Builder does not fail
	}
	return b.String()
}

// puzzleLine writes a puzzle with a name, as a library line if it is begun.
func puzzleLine(e *entry, p *human.Position, name string) string {
	name = cli.Visible(name, cli.EscapeNewlines)
	switch {
	case e.Progress != nil:
		line := strings.Replace(p.LibraryLine(), ":::", ":0000:x:", 1)
		return strings.TrimSuffix(line, ":::") + "::" + strings.Trim(name, ": ") + ":\n"
	case name != "":
		return e.Givens.String() + " # " + name + "\n"
	}
	return e.Givens.String() + "\n"
}

// rated is what is said of how hard a puzzle is.
type rated struct {
	rate.Rating
	rate.Score
}

// rate rates a position; ok is false if its ER is above most.
func (t *thinker) rate(p *human.Position, most human.Rating) (r rated, ok bool, err error) {
	if r.Rating, ok, err = t.rater.RateFrom(p, most); err == nil && ok {
		r.Score, err = t.rater.ScoreFrom(p)
	}
	return r, ok, err
}

// ratingHelp is the text of the flag --rating.
const ratingHelp = "also write how hard the puzzles are, in the fields for level, rating and comment, or in the name"

// rateGame rates the puzzle of a game. The rating is zero if it cannot be rated.
func (t *thinker) rateGame(g *format.Game) (r rated) {
	if p, err := t.position(&format.Game{Givens: g.Givens}); err == nil {
		if x, ok, err := t.rate(p, math.MaxInt); err == nil && ok {
			r = x
		}
	}
	return r
}

// describe writes a rating into the fields of a game that a format keeps: the level, the
// rating, and the comment unless there is one. Formats that have only a name get it
// there if it is wanted. A zero rating changes nothing.
func (r rated) describe(g *format.Game, f format.Format, inName bool) {
	if r.ER == 0 {
		return
	}
	g.Info.Level, g.Info.Rating = r.Rating.Level().String(), r.ER.String()
	if g.Info.Comment == "" {
		g.Info.Comment = fmt.Sprintf("ER %v EP %v ED %v", r.ER, r.EP, r.ED)
	}
	if inName && (f == format.Line || f == format.HoDoKu || f == format.OpenSudoku) {
		g.Name = joined(g.Name, r.String())
	}
}

// joined returns a name with a remark.
func joined(name, remark string) string {
	if name == "" {
		return remark
	}
	return name + ": " + remark
}

// String returns a rating as in "ER 7.2 EP 1.5 ED 1.5, score 1340 hard, level 5".
func (r rated) String() string {
	return fmt.Sprintf("ER %v EP %v ED %v, score %d %v, level %d", r.ER, r.EP, r.ED, r.Points, r.Class, r.Rating.Level())
}

// A ratingRecord is a line of rate --json.
type ratingRecord struct {
	subject
	ratingFields
}

// A subject says which puzzle a line of --json is about.
type subject struct {
	Puzzle   string `json:"puzzle"`
	Name     string `json:"name,omitempty"`
	Position string `json:"position,omitempty"` // a library line, if there are entries or fewer candidates
}

func subjectOf(e *entry, p *human.Position) subject {
	s := subject{Puzzle: e.Givens.String(), Name: e.Name}
	if e.Progress != nil {
		s.Position = p.LibraryLine()
	}
	return s
}

type ratingFields struct {
	ER    tenths `json:"er"`
	EP    tenths `json:"ep"`
	ED    tenths `json:"ed"`
	Score int    `json:"score"`
	Class string `json:"class"`
	Level int    `json:"level"`
}

func (r rated) fields() ratingFields {
	return ratingFields{tenths(r.ER), tenths(r.EP), tenths(r.ED), r.Points, r.Class.String(), int(r.Rating.Level())}
}

// tenths is a rating in JSON, a number such as 7.2.
type tenths human.Rating

func (r tenths) MarshalJSON() ([]byte, error) { return []byte(human.Rating(r).String()), nil }
