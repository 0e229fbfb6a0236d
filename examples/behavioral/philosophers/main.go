package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/behavioral"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

//go:embed *.scxml
var files embed.FS

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "philosophers:", err)
		if errors.As(err, new(usageError)) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

// maxGuests bounds the number of philosophers: with this many there are 94,642 states.
const maxGuests = 13

// A usageError is a wrong flag.
type usageError struct{ error }

// options are the flags.
type options struct {
	guests int
	fix    string
	check  bool
	fair   bool
	steps  int
	seed   uint64
}

func parse(args []string, out io.Writer) (*options, error) {
	o := new(options)
	flags := flag.NewFlagSet("philosophers", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.IntVar(&o.guests, "n", 5, "`NUMBER` of philosophers")
	flags.StringVar(&o.fix, "fix", "none", "`REMEDY` against deadlocks: waiter, order or none")
	flags.BoolVar(&o.check, "check", false, "visit all states, and say whether philosophers can starve")
	flags.BoolVar(&o.fair, "fair", false, "with -check: whoever can take a fork again and again does so at some time")
	flags.IntVar(&o.steps, "steps", 20, "`NUMBER` of steps to show")
	flags.Uint64Var(&o.seed, "seed", 1, "`NUMBER` that decides who is next")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(out)
		fmt.Fprintln(out, "Let philosophers dine, or check whether they can starve.")
		flags.PrintDefaults()
	}
	if err != nil {
		return nil, err
	}
	switch {
	case flags.NArg() > 0:
		return nil, fmt.Errorf("%q is not expected: try -help", flags.Arg(0))
	case o.guests < 2 || o.guests > maxGuests:
		return nil, fmt.Errorf("-n: %d philosophers: want 2 to %d", o.guests, maxGuests)
	case o.steps < 0:
		return nil, fmt.Errorf("-steps: %d is negative", o.steps)
	case o.fix != "none" && o.fix != "waiter" && o.fix != "order":
		return nil, fmt.Errorf("-fix: %q is not a remedy: want waiter, order or none", o.fix)
	}
	return o, nil
}

func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args, out)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return usageError{err}
	}
	p, err := newTable(o)
	switch {
	case err != nil:
		return err
	case o.check:
		return check(ctx, o, p, out)
	}
	return dine(ctx, o, p, out)
}

// newTable returns the program. Fork i is between philosophers i-1 and i.
func newTable(o *options) (*behavioral.Program, error) {
	charts := make(map[string]*scxml.Chart)
	for _, name := range []string{"philosopher", "fork", "waiter"} {
		charts[name] = scxml.MustLoad(files, name+".scxml")
	}
	var threads []behavioral.Thread
	for i := range o.guests {
		first, second := i, (i+1)%o.guests
		if o.fix == "order" && i == o.guests-1 {
			first, second = second, first
		}
		threads = append(threads,
			behavioral.Thread{Name: philosopher(i), Chart: charts["philosopher"], Data: map[string]any{"self": i, "first": first, "second": second}},
			behavioral.Thread{Name: fmt.Sprint("fork ", i), Chart: charts["fork"], Data: map[string]any{"fork": i}})
	}
	if o.fix == "waiter" {
		threads = append(threads, behavioral.Thread{Name: "waiter", Chart: charts["waiter"], Data: map[string]any{"guests": o.guests}})
	}
	return behavioral.New(threads, behavioral.WithSeed(o.seed))
}

func philosopher(i int) string { return fmt.Sprint("philosopher ", i) }

// dine shows some steps.
func dine(ctx context.Context, o *options, p *behavioral.Program, out io.Writer) error {
	if err := p.Start(ctx); err != nil {
		return err
	}
	fmt.Fprintln(out, ". thinks   h is hungry, with one fork   E eats")
	for i := range o.steps {
		s, ok, err := p.Step(ctx)
		if err != nil {
			return err
		}
		if !ok {
			fmt.Fprintln(out, "a deadlock:")
			for _, r := range p.Requests() {
				fmt.Fprintf(out, "  %s, which %s blocks\n", wish(r), strings.Join(r.Blocked, " and "))
			}
			return nil
		}
		fmt.Fprintf(out, "%3d  %s  %s\n", i+1, table(o, p), sentence(s.Event))
	}
	return nil
}

// table has a letter for each philosopher.
func table(o *options, p *behavioral.Program) string {
	letters := make([]string, o.guests)
	for i := range letters {
		for state, letter := range map[string]string{"thinks": ".", "hungry": "h", "eats": "E"} {
			if p.In(philosopher(i) + "/" + state) {
				letters[i] = letter
			}
		}
	}
	return strings.Join(letters, " ")
}

// what an event is about.
type what struct{ Philosopher, Fork int }

func sentence(ev scxml.Event) string {
	w, err := scxml.EventData[what](ev)
	switch {
	case err != nil:
		return ev.Name
	case ev.Name == "put":
		return fmt.Sprintf("%d puts both forks back", w.Philosopher)
	}
	return fmt.Sprintf("%d takes fork %d", w.Philosopher, w.Fork)
}

func wish(r behavioral.Request) string {
	w, err := scxml.EventData[what](r.Event)
	if err != nil {
		return r.Event.Name
	}
	return fmt.Sprintf("philosopher %d wants fork %d", w.Philosopher, w.Fork)
}

// check visits all states, and looks for a deadlock and for philosophers who stay hungry.
func check(ctx context.Context, o *options, p *behavioral.Program, out io.Writer) error {
	var names []string
	for i := range o.guests {
		names = append(names, philosopher(i))
	}
	began := time.Now()
	report, err := explore.Search(ctx, p.System, explore.Options{LeadsTo: behavioral.Progress(names...), Strong: o.fair})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d states, %d transitions in %v\n", report.States, report.Transitions, time.Since(began).Round(time.Millisecond))
	told := make(map[explore.Kind]bool)
	for _, v := range report.Violations {
		if told[v.Kind] || told[explore.Deadlock] {
			continue // it is the same for the other philosophers
		}
		told[v.Kind] = true
		switch v.Kind {
		case explore.Deadlock:
			fmt.Fprintln(out, "a shortest way to a deadlock:")
		case explore.Unanswered:
			fmt.Fprintf(out, "%s can stay hungry:\n", v.Property)
		default:
			fmt.Fprintln(out, v)
			continue
		}
		writeSteps(out, 1, v.Path)
		if v.Cycle != nil {
			fmt.Fprintln(out, "and then again and again:")
			writeSteps(out, len(v.Path)+1, v.Cycle)
		}
	}
	switch {
	case report.Deadlocks > 0:
		return errors.New("the philosophers can starve: try -fix waiter")
	case report.Verdict == explore.Violated && !o.fair:
		return errors.New("a philosopher can starve, unless chance is fair: try -fair")
	case report.Verdict == explore.Violated:
		return errors.New("a philosopher can starve")
	}
	fmt.Fprintln(out, "nobody starves")
	return nil
}

func writeSteps(out io.Writer, first int, path []explore.Input) {
	for i, in := range path {
		fmt.Fprintf(out, "%3d. %s\n", first+i, sentence(scxml.Event{Name: in.Event, Data: in.Data}))
	}
}
