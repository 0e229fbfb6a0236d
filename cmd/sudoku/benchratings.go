package main

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/bench"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/human"
)

const benchRatingsHelp = `Ratings rates the puzzles of lists that say how hard they are, and compares: how many
ratings are exact, the differences, and the correlation of the ranks (Spearman's).

The rating of a puzzle is the ER on the scale of SukakuExplainer that a file has in a
field for it, or after the puzzle, as in the table "puzzle,ER,EP,ED" or in what
"sudoku rate" writes.`

type benchRatingsOptions struct {
	plot  string
	force bool
	json  bool
}

func newBenchRatingsCommand() *cobra.Command {
	o := &benchRatingsOptions{}
	cmd := &cobra.Command{
		Use:   "ratings [FILE…]",
		Short: "Compare ratings with those of a list",
		Long:  benchRatingsHelp,
		Example: `  sudoku bench ratings se-ratings.csv
  sudoku bench ratings --plot fit.svg se-ratings.csv`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	bindForce(cmd, &o.force)
	cmd.Flags().StringVar(&o.plot, "plot", "", "also draw the ratings into this `FILE`, whose name ends in .svg")
	cmd.Flags().BoolVar(&o.json, "json", false, "write JSON, one object per line")
	return cmd
}

// listedER finds the ER in the name of a puzzle or in its field for a rating.
var listedER = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:ER )?(\d{1,2})(?:\.(\d))?(?:[^\d.]|$)`) })

// listed returns the rating of a list.
func listed(e *entry) (human.Rating, error) {
	for _, text := range []string{e.Info.Rating, e.Name} {
		if m := listedER().FindStringSubmatch(text); m != nil {
			var r human.Rating
			fmt.Sscan(m[1]+(m[2] + "0")[:1], &r) // the digits of a number of tenths
			return r, nil
		}
	}
	return 0, &cli.Error{Status: cli.Refused, Err: fmt.Errorf("%s: the puzzle does not have a rating: want for example \"4.2\" after it", e.place())}
}

func (o *benchRatingsOptions) run(parent context.Context, args []string) error {
	if o.plot != "" && !strings.EqualFold(filepath.Ext(o.plot), ".svg") {
		return cli.Usagef("--plot %q: want a name that ends in .svg", o.plot)
	}
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	defer cancel(nil)
	in, err := newInput(ctx, args)
	if err != nil {
		return err
	}
	type result struct {
		er  human.Rating
		err error
	}
	fit, problems, progress, start := bench.Fit{}, problems{}, newProgress(in, nil), time.Now()
	p := &pipeline[entry, result]{
		size: 8,
		work: func() func(context.Context, *entry) result {
			t := &thinker{}
			return func(_ context.Context, e *entry) result {
				p, err := t.position(&e.Game)
				if err != nil {
					return result{err: err}
				}
				r, _, err := t.rater.RateFrom(p, math.MaxInt)
				return result{r.ER, err}
			}
		},
		result: func(e *entry, r result) error {
			want, err := listed(e)
			switch {
			case err != nil:
				return err
			case r.err != nil:
				progress.Clear()
				problems.add(e, r.err)
			default:
				fit.Add(want, r.er)
			}
			progress.count++
			progress.show()
			return nil
		},
		flush: func() error { return nil },
	}
	in.wait = func() { p.send(ctx) }
	err = p.run(ctx, in.entries())
	progress.end()
	if err != nil {
		return stopped(err)
	}
	if err := o.write(&fit, time.Since(start)); err != nil {
		return err
	}
	return problems.error()
}

// write writes the table and the plot.
func (o *benchRatingsOptions) write(fit *bench.Fit, took time.Duration) error {
	out := bufio.NewWriter(os.Stdout)
	if o.json {
		for _, row := range fit.Rows() {
			out.WriteString(jsonLine(row))
		}
		out.WriteString(jsonLine(map[string]float64{"correlation": fit.Correlation()}))
	} else {
		rate := float64(fit.Len()) / took.Seconds()
		fmt.Fprintf(out, "%v%s in %.1f s, %s a second, on all cores.\n", fit.String(), counted(fit.Len(), "puzzle"), took.Seconds(), thousands(int(rate)))
	}
	if err := writeError("standard output", out.Flush()); err != nil || o.plot == "" {
		return err
	}
	plot, err := (&target{force: o.force}).create(o.plot)
	if err != nil {
		return err
	}
	_, err = plot.WriteString(fit.SVG())
	return plot.close(writeError(o.plot, err))
}
