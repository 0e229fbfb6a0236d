package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/bthreads"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/format"
)

// threadsMethod is the name of the method whose b-threads --trace and --check show.
const threadsMethod = "bthreads"

// runTrace writes which b-threads asked for each move, and which blocked others.
func (o *solveOptions) runTrace(ctx context.Context, in *input, out *output) error {
	verdict := verdict{method: threadsMethod}
	defer newProgress(in, out).end()
	in.wait = func() { out.Flush() } // an error comes again
	for g, err := range in.games() {
		if err != nil {
			return err
		}
		t := &tracer{out: out, json: o.json}
		if err := t.begin(&g); err != nil {
			return writeError("the output", err)
		}
		steps := 0
		for step, err := range bthreads.Steps(ctx, &g.Givens) {
			if err != nil {
				return err
			}
			if err := t.write(step); err != nil {
				return writeError("the output", err)
			}
			if steps++; steps == o.limit && !t.won {
				t.gaveUp = true
				break
			}
		}
		s, err := t.end()
		if err != nil {
			return writeError("the output", err)
		}
		verdict.add(s)
	}
	return verdict.error()
}

// A tracer writes what happens when a puzzle is solved.
type tracer struct {
	out                  *output
	json                 bool
	depth                int // after the last event
	moves, choices, back int
	won, gaveUp          bool
}

func (t *tracer) begin(g *format.Game) error {
	if t.json {
		return nil
	}
	line := g.Givens.String()
	if g.Name != "" {
		line += " # " + g.Name
	}
	_, err := t.out.WriteString(line + "\n")
	return err
}

// A traceRecord is a line of --trace --json. Rows and columns count from 1.
type traceRecord struct {
	Event   string          `json:"event"`
	Row     int             `json:"row,omitempty"`
	Column  int             `json:"column,omitempty"`
	Digit   int             `json:"digit,omitempty"`
	Depth   int             `json:"depth"`
	Choices []string        `json:"choices,omitempty"`
	Asked   []string        `json:"asked"`
	Blocked []blockedRecord `json:"blocked,omitempty"`
}

type blockedRecord struct {
	Move string   `json:"move"`
	By   []string `json:"by"`
}

func (t *tracer) write(step *bthreads.Step) error {
	asked, blocked := step.Explain()
	r := traceRecord{Event: step.Event, Depth: step.Depth, Asked: asked}
	back := step.Depth < t.depth
	switch t.depth = step.Depth + 1; step.Event {
	case "Move":
		t.moves++
		r.Row, r.Column, r.Digit = step.Move.Row+1, step.Move.Column+1, step.Move.Number
	case "NoSolution":
		t.back++
	case "Win":
		t.won = true
	}
	if len(step.Choices) > 1 {
		t.choices++
		for _, m := range step.Choices {
			r.Choices = append(r.Choices, m.String())
		}
	}
	for _, b := range blocked {
		r.Blocked = append(r.Blocked, blockedRecord{b.Move.String(), b.By})
	}
	if t.json {
		return json.NewEncoder(t.out).Encode(r)
	}
	var text strings.Builder
	if back {
		fmt.Fprintf(&text, "back to %s\n", counted(step.Depth, "move"))
	}
	if step.Event == "Move" {
		fmt.Fprintln(&text, step.Move)
	} else {
		fmt.Fprintln(&text, step.Event)
	}
	if r.Choices != nil {
		fmt.Fprintln(&text, "  choices:", strings.Join(r.Choices, ", "))
	}
	fmt.Fprintln(&text, "  asked:", strings.Join(asked, ", "))
	for _, b := range r.Blocked {
		fmt.Fprintf(&text, "  blocked %s: %s\n", b.Move, strings.Join(b.By, ", "))
	}
	_, err := t.out.WriteString(text.String())
	return err
}

// end writes the result in one line.
func (t *tracer) end() (solution, error) {
	var text string
	var s solution
	switch {
	case t.gaveUp:
		text, s.unsolved = "gave up", true
	case t.won:
		text, s.solutions = "solved", 1
	default:
		text = "no solution"
	}
	switch {
	case t.depth == 0 && !t.gaveUp:
		text += ": the givens contradict each other"
	case t.choices == 0:
		text += ": " + counted(t.moves, "move") + " by strategies alone"
	default:
		text += fmt.Sprintf(": %s, %s, turned back %s", counted(t.moves, "move"), counted(t.choices, "choice"), counted(t.back, "time"))
	}
	if t.json {
		return s, nil
	}
	_, err := t.out.WriteString(text + "\n")
	return s, err
}

// counted writes a number and a noun.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return thousands(n) + " " + noun
}

// checkMemory is what the states of --check may take, in bytes.
const checkMemory = 1 << 30

// A searchRecord is a line of --check --json.
type searchRecord struct {
	Name        string `json:"name,omitempty"`
	Givens      string `json:"givens"`
	Solution    string `json:"solution,omitempty"`
	Solutions   int    `json:"solutions"`
	Bound       string `json:"bound,omitempty"`
	States      int    `json:"states"`
	Transitions int    `json:"transitions"`
	Pruned      int    `json:"pruned"`
	Depth       int    `json:"depth"`
}

// runCheck writes how many solutions each puzzle has, and how many states prove it.
func (o *solveOptions) runCheck(ctx context.Context, in *input, out *output) error {
	verdict, progress := verdict{method: threadsMethod}, newProgress(in, out)
	defer progress.end()
	limits := bthreads.Limits{States: o.limit, Memory: checkMemory, Progress: func(states, depth int) {
		if progress.Due() {
			progress.Write(fmt.Sprintf("%s, depth %d", counted(states, "state"), depth))
		}
	}}
	in.wait = func() { out.Flush() } // an error comes again
	for g, err := range in.games() {
		if err != nil {
			return err
		}
		r, err := bthreads.Check(ctx, &g.Givens, limits)
		progress.Clear()
		if err = cmp.Or(err, context.Cause(ctx)); err != nil {
			return err
		}
		verdict.add(solution{solutions: min(r.Solutions, 2), unsolved: r.Bound != "" && r.Solutions < 2})
		if o.json {
			record := searchRecord{Name: g.Name, Givens: g.Givens.String(), Solutions: r.Solutions, Bound: r.Bound,
				States: r.States, Transitions: r.Transitions, Pruned: r.Pruned, Depth: r.Depth}
			if r.Solutions > 0 {
				record.Solution = r.Solution.String()
			}
			err = json.NewEncoder(out).Encode(record)
		} else {
			err = o.writeCheck(out, &g, r)
		}
		if err = cmp.Or(err, out.Flush()); err != nil {
			return writeError("the output", err)
		}
	}
	return verdict.error()
}

func (o *solveOptions) writeCheck(out *output, g *format.Game, r *bthreads.Report) error {
	line := r.Solution.String() + " # "
	if g.Name != "" {
		line += g.Name + ": "
	}
	switch {
	case r.Bound != "" && r.Solutions == 0:
		line += "no solution so far"
	case r.Bound != "":
		line += "at least " + counted(r.Solutions, "solution")
	case r.Solutions == 0:
		line += "no solution"
	default:
		line += counted(r.Solutions, "solution")
	}
	line += fmt.Sprintf("; %s explored, %s pruned", counted(r.States, "state"), thousands(r.Pruned))
	if r.Bound != "" {
		line += ", ended by the bound of " + r.Bound
	}
	_, err := out.WriteString(line + "\n")
	return err
}
