package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/words"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/rate"
)

const statsHelp = `Stats prints, for each level, how many games you have solved in the commands sudoku
play and scxmlrun, your best and mean time, and how many games you have solved one after
the other without giving one up: now, and at most. Only games that were solved without
help count for the times.

--games lists the games that can be continued instead, with their files, which the
other commands read: sudoku hint FILE.`

func newStatsCommand() *cobra.Command {
	var asJSON, games bool
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Print your results, or the games that you have begun",
		Long:  statsHelp,
		Args:  cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printStats(cmd.OutOrStdout(), asJSON, games)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON, one object per line")
	cmd.Flags().BoolVar(&games, "games", false, "list the games that can be continued")
	return cmd
}

// printStats prints what the files of the player say. Files that cannot be read are an
// error after the others.
func printStats(w io.Writer, asJSON, games bool) error {
	state, config, err := shelf.Folders()
	if err != nil {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	s := shelf.Read(state, config)
	var lines []any
	var text string
	if games {
		lines, text, err = gameLines(s)
	} else {
		lines, text, err = levelLines(s)
	}
	if asJSON {
		text = ""
		for _, line := range lines {
			encoded, err := json.Marshal(line)
			if err != nil {
				return err
			}
			text += cli.Escape(string(encoded), cli.InJSON) + "\n"
		}
	}
	if err := cli.Printed(io.WriteString(w, text)); err != nil {
		return err
	}
	if err != nil {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	return nil
}

// A levelLine is a line of --json.
type levelLine struct {
	Level   int   `json:"level,omitempty"` // none: all games
	Solved  int   `json:"solved"`
	GivenUp int   `json:"given_up"`
	Best    int64 `json:"best_ms,omitempty"`
	Mean    int64 `json:"mean_ms,omitempty"`
	Streak  int   `json:"streak"`
	Longest int   `json:"longest_streak"`
}

// levelLines returns the statistics, as lines of JSON and as a table. Levels without games
// are left out.
func levelLines(s *shelf.Shelf) (lines []any, text string, err error) {
	statistics, err := s.Statistics()
	text = "          solved  given up     best     mean  streak  longest\n"
	for level := range statistics {
		level = (level + 1) % len(statistics) // all games at the end
		r, name := statistics[level], "all"
		if level > 0 {
			name = rate.Level(level).String()
			if r.Solved+r.GivenUp == 0 {
				continue
			}
		}
		lines = append(lines, levelLine{level, r.Solved, r.GivenUp, r.Best.Milliseconds(), r.Mean.Milliseconds(), r.Streak, r.Longest})
		text += fmt.Sprintf("%-8s  %6d  %8d  %7s  %7s  %6d  %7d\n", name, r.Solved, r.GivenUp, clock(r.Best), clock(r.Mean), r.Streak, r.Longest)
	}
	if statistics[0] == (shelf.Record{}) {
		return lines, "No games are finished yet.\n", err
	}
	return lines, text, err
}

// clock returns a time as in "1:02:03", or "-" for none.
func clock(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return words.Clock(d)
}

// A gameLine is a line of --games --json.
type gameLine struct {
	Name   string      `json:"name,omitempty"`
	Givens string      `json:"givens"`
	Mode   format.Mode `json:"mode,omitempty"`
	Empty  int         `json:"empty"`
	Time   int64       `json:"time_ms,omitempty"`
	Saved  time.Time   `json:"saved"`
	File   string      `json:"file"`
}

// gameLines returns the games that can be continued, as lines of JSON and as a table.
func gameLines(s *shelf.Shelf) (lines []any, text string, err error) {
	all, err := s.List()
	var table strings.Builder
	t := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	for _, p := range all {
		if p.Mode == format.Solved || p.Mode == format.NotStarted {
			continue
		}
		lines = append(lines, gameLine{p.Name, p.Givens.String(), p.Mode, p.Empty, p.Time.Milliseconds(), p.Saved, p.File})
		name := p.Name
		if name == "" {
			name = p.Givens.String()[:9] + "…"
		}
		fmt.Fprintf(t, "%s\t%d empty\t%s\t%s\t%s\n", cli.Visible(name, cli.EscapeNewlines), p.Empty, clock(p.Time), p.Saved.Format("2006-01-02 15:04"), p.File)
	}
	t.Flush()
	if lines == nil {
		return nil, "No games can be continued.\n", err
	}
	return lines, table.String(), err
}
