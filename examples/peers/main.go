package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"time"
)

func main() {
	log.SetFlags(0)
	runs := flag.Int("runs", 3, "how often each search runs")
	folder := flag.String("xstate", "", `folder in which "npm install xstate" was run`)
	six := flag.Bool("systems", false, "compare six systems, with compiled charts, instead")
	data := flag.String("search", "", "only search the chart with these data: null, numbers or objects")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	sizes := []int{3, 5, 7, 9, 10, 13}
	if flag.NArg() > 0 {
		sizes = nil
	}
	for _, arg := range flag.Args() {
		n, err := strconv.Atoi(arg)
		if err != nil || n < 2 || n > 20 {
			log.Fatalf("%q is not a number of philosophers: want 2 to 20", arg)
		}
		sizes = append(sizes, n)
	}
	if *data != "" {
		for _, n := range sizes {
			r, err := exploreChart(ctx, *data, n)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("%d states, %d transitions, %d deadlocks\n", r.States, r.Transitions, r.Deadlocks)
		}
		return
	}
	if *six {
		if err := compareSystems(ctx, os.Stdout, *runs); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := report(ctx, os.Stdout, sizes, *runs, *folder); err != nil {
		log.Fatal(err)
	}
}

// A peer takes part in the comparison.
type peer struct {
	name   string
	most   int // philosophers; more would take minutes
	search searcher
}

// A series is the results of a peer for a number of philosophers.
type series struct {
	name         string
	small, large func() (result, error) // two philosophers, whose time is that of starting the process; all
	results      []result
}

func (s *series) run() error {
	small, err := s.small()
	if err != nil {
		return err
	}
	r, err := s.large()
	r.time -= small.time
	s.results = append(s.results, r)
	return err
}

// steady reports whether the search took long enough to be measured.
func (s *series) steady() bool {
	return !slices.ContainsFunc(s.results, func(r result) bool { return r.time < 50*time.Millisecond })
}

func report(ctx context.Context, out io.Writer, sizes []int, runs int, folder string) error {
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	peers := []peer{
		{"SPIN", 20, spin}, // first, since the others are compared with it
		{"explore, null", 20, ours("null")}, {"explore, numbers", 20, ours("numbers")}, {"explore, objects", 11, ours("objects")},
		{"XState", 10, xstate(folder)},
	}
	small := map[string]func() (result, error){}
	peers = slices.DeleteFunc(peers, func(p peer) bool {
		run, err := p.search(ctx, dir, 2)
		if err != nil {
			fmt.Fprintf(out, "%s is left out: %v\n\n", p.name, err)
		}
		small[p.name] = run
		return err != nil
	})
	fmt.Fprintln(out, "| philosophers | search | states | transitions | transitions/s | to SPIN | to XState |\n|---:|---|---:|---:|---:|---:|---:|")
	var wrong error
	for _, n := range sizes {
		var all []*series
		for _, p := range peers {
			if n > p.most {
				continue
			}
			run, err := p.search(ctx, dir, n)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			all = append(all, &series{name: p.name, small: small[p.name], large: run})
		}
		for range runs {
			for _, s := range all {
				if err := s.run(); err != nil {
					return fmt.Errorf("%s: %w", s.name, err)
				}
			}
		}
		for _, s := range all {
			got, want := s.results[0], all[0].results[0]
			fmt.Fprintf(out, "| %d | %s | %d | %d | %s | %s | %s |\n", n, s.name, got.states, got.transitions, s.rate(), s.ratio("SPIN", all), s.ratio("XState", all))
			if got.states != want.states || got.transitions != want.transitions {
				wrong = errors.Join(wrong, fmt.Errorf("%d philosophers: %s and %s do not agree", n, s.name, all[0].name))
			}
		}
	}
	return wrong
}

func (s *series) rate() string {
	if !s.steady() {
		return ""
	}
	return fmt.Sprintf("%.0f", s.median(func(i int) float64 { return s.results[i].rate() }))
}

func (s *series) ratio(name string, all []*series) string {
	i := slices.IndexFunc(all, func(s *series) bool { return s.name == name })
	if i < 0 || !s.steady() || !all[i].steady() {
		return ""
	}
	return fmt.Sprintf("%.3g", s.median(func(run int) float64 { return s.results[run].rate() / all[i].results[run].rate() }))
}

func (s *series) median(of func(run int) float64) float64 {
	var values []float64
	for i := range s.results {
		values = append(values, of(i))
	}
	slices.Sort(values)
	return values[len(values)/2]
}
