package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/examples/behavioral"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tictactoe:", err)
		if errors.As(err, new(usageError)) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

// A usageError is a wrong flag.
type usageError struct{ error }

// options are the flags.
type options struct {
	computer string
	without  []string
	check    bool
	seed     uint64
}

func parse(args []string, out io.Writer) (*options, error) {
	o := new(options)
	flags := flag.NewFlagSet("tictactoe", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.computer, "computer", "o", "the `MARK` of the computer: x, which begins, or o")
	flags.BoolVar(&o.check, "check", false, "try all games, and say whether the computer can lose")
	flags.Uint64Var(&o.seed, "seed", 0, "let the computer choose among equal moves by this `NUMBER`; 0: the first")
	without := flags.String("without", "", "leave out parts of the computer's strategy: a `LIST` of win, defend, forks, center, corners, sides")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(out)
		fmt.Fprintln(out, "Play tic-tac-toe against b-threads, or prove that they never lose.")
		flags.PrintDefaults()
	}
	if err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("%q is not expected: try -help", flags.Arg(0))
	}
	if o.computer != "x" && o.computer != "o" {
		return nil, fmt.Errorf("-computer: %q is not a mark: want x or o", o.computer)
	}
	for _, name := range strings.FieldsFunc(*without, func(r rune) bool { return r == ',' || r == ' ' }) {
		if !slices.ContainsFunc(strategies, func(s strategy) bool { return s.name == name }) {
			return nil, fmt.Errorf("-without: %q is not a strategy: want win, defend, forks, center, corners or sides", name)
		}
		o.without = append(o.without, name)
	}
	return o, nil
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	o, err := parse(args, out)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return usageError{err}
	}
	var opts []behavioral.Option
	if o.seed != 0 {
		opts = append(opts, behavioral.WithSeed(o.seed))
	}
	p, err := newGame(o.computer, o.without, opts...)
	switch {
	case err != nil:
		return err
	case o.check:
		return check(ctx, p, o.computer, out)
	}
	g := &game{p: p, computer: o.computer, out: out, reasons: "The computer has not moved yet."}
	return g.play(ctx, in)
}

// check tries all games.
func check(ctx context.Context, p *behavioral.Program, computer string, out io.Writer) error {
	lost := explore.Never("In('over/" + opponent(computer) + "Wins')")
	report, err := explore.Search(ctx, p.System, explore.Options{
		Properties: []explore.Property{lost}, Reach: []string{"over/" + computer + "Wins", "over/nobodyWins"},
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d states, %d transitions\n", report.States, report.Transitions)
	for _, r := range report.Reached {
		if r.State == "over/nobodyWins" {
			fmt.Fprintf(out, "a draw:         %s\n", moves(r.Path))
		} else {
			fmt.Fprintf(out, "computer wins:  %s\n", moves(r.Path))
		}
	}
	for _, v := range report.Violations {
		switch {
		case v.Property == lost.Name:
			fmt.Fprintf(out, "computer loses: %s\n%s", moves(v.Path), boardAfter(v.Path))
		case v.Kind == explore.Deadlock:
			fmt.Fprintf(out, "nobody moves:   %s\n%s", moves(v.Path), boardAfter(v.Path))
		case v.Kind != explore.Missing: // it need not be able to win
			fmt.Fprintln(out, v)
		}
	}
	if slices.ContainsFunc(report.Violations, func(v explore.Violation) bool { return v.Kind != explore.Missing }) {
		return fmt.Errorf("the computer (%s) can lose", computer)
	}
	fmt.Fprintf(out, "the computer (%s) never loses\n", computer)
	return nil
}

// moves writes a game in a line.
func moves(path []explore.Input) string {
	var texts []string
	for _, in := range path {
		if mark, square, ok := moveOf(in.Event, in.Data); ok {
			texts = append(texts, fmt.Sprint(mark, square))
		}
	}
	return strings.Join(texts, " ")
}

func boardAfter(path []explore.Input) string {
	var b board
	for _, in := range path {
		b.enter(in.Event, in.Data)
	}
	return b.String()
}

// moveOf returns the mark and the square of an event that is a move.
func moveOf(name string, data any) (mark string, square int, ok bool) {
	if name != "x" && name != "o" {
		return "", 0, false
	}
	d, err := scxml.EventData[struct{ Square int }](scxml.Event{Data: data})
	return name, d.Square, err == nil
}

// A board has the marks of the squares, from 1 to 9.
type board [10]string

func (b *board) enter(name string, data any) {
	if mark, square, ok := moveOf(name, data); ok {
		b[square] = mark
	}
}

// String draws the board, with the numbers of the squares that are free.
func (b *board) String() string {
	var s strings.Builder
	for square := 1; square <= 9; square++ {
		text := b[square]
		if text == "" {
			text = strconv.Itoa(square)
		}
		s.WriteString(" " + strings.ToUpper(text) + " ")
		switch {
		case square%3 > 0:
			s.WriteString("|")
		case square < 9:
			s.WriteString("\n---+---+---\n")
		default:
			s.WriteString("\n")
		}
	}
	return s.String()
}

// A game is one against a player who types.
type game struct {
	p        *behavioral.Program
	computer string
	out      io.Writer
	board    board
	reasons  string // for the last move of the computer
}

func (g *game) play(ctx context.Context, in io.Reader) error {
	if err := g.p.Start(ctx); err != nil {
		return err
	}
	fmt.Fprintf(g.out, "You are %s. Type the number of a square; \"why\" explains the computer's move, \"quit\" ends.\n", strings.ToUpper(opponent(g.computer)))
	lines := bufio.NewScanner(in)
	for {
		for more := true; more; {
			wishes := g.p.Requests()
			sel, ok, err := g.p.Step(ctx)
			if err != nil {
				return err
			}
			if more = ok; ok {
				g.selected(sel, wishes)
			}
		}
		fmt.Fprint(g.out, "\n", &g.board)
		if result := g.result(); result != "" {
			fmt.Fprintln(g.out, result)
			return nil
		}
		for moved := false; !moved; {
			fmt.Fprint(g.out, "> ")
			if !lines.Scan() {
				fmt.Fprintln(g.out)
				return lines.Err()
			}
			var err error
			switch word := strings.ToLower(strings.TrimSpace(lines.Text())); word {
			case "":
			case "q", "quit", "exit":
				return nil
			case "?", "why":
				fmt.Fprintln(g.out, g.reasons)
			default:
				if moved, err = g.move(word); err != nil {
					return err
				}
			}
		}
	}
}

// move gives the player's move to the program, unless a b-thread blocks it.
func (g *game) move(word string) (bool, error) {
	square, err := strconv.Atoi(word)
	if err != nil || square < 1 || square > 9 {
		fmt.Fprintf(g.out, "%q is not a square: type a number from 1 to 9, or \"quit\"\n", word)
		return false, nil
	}
	ev := move(opponent(g.computer), square)
	blockers, err := g.p.Blockers(ev)
	if err != nil {
		return false, err
	}
	if len(blockers) > 0 {
		fmt.Fprintf(g.out, "%d is taken (b-thread %q blocks it): choose another square\n", square, blockers[0])
		return false, nil
	}
	return true, g.p.Send(ev)
}

// selected draws a move, and remembers the reasons: who asked for it, and who asked for more but was blocked.
func (g *game) selected(s behavioral.Selection, wishes []behavioral.Request) {
	g.board.enter(s.Event.Name, s.Event.Data)
	mark, square, ok := moveOf(s.Event.Name, s.Event.Data)
	if !ok || mark != g.computer {
		return
	}
	fmt.Fprintf(g.out, "%s takes %d\n", strings.ToUpper(mark), square)
	g.reasons = fmt.Sprintf("%s took %d at priority %d: %s asked for it", strings.ToUpper(mark), square, s.Priority, strings.Join(s.Requested, ", "))
	for _, w := range wishes {
		if _, square, ok := moveOf(w.Event.Name, w.Event.Data); ok && w.Priority > s.Priority {
			g.reasons += fmt.Sprintf("\n  %s wanted %d at priority %d, which %s blocks", strings.Join(w.By, ", "), square, w.Priority, strings.Join(w.Blocked, ", "))
		}
	}
}

// canMove reports whether it is the player's turn.
func (g *game) canMove() bool {
	for square := 1; square <= 9; square++ {
		if g.p.Admits(move(opponent(g.computer), square)) {
			return true
		}
	}
	return false
}

// result says how the game ended, or "" before.
func (g *game) result() string {
	switch {
	case g.p.In("over/" + g.computer + "Wins"):
		return "The computer wins."
	case g.p.In("over/" + opponent(g.computer) + "Wins"):
		return "You win."
	case g.p.In("over/nobodyWins"):
		return "A draw."
	case g.p.Stuck() && !g.canMove():
		return "The computer does not know what to do: nobody asks for a move that is allowed."
	}
	return ""
}
