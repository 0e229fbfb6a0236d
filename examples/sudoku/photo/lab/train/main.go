// Command train makes the weights of the network that reads digits.
//
//	go run ./train -fonts FOLDER [-photos FOLDER [-solved FOLDER] [-cross N]] [-output FILE]
//
// It prints pages with random digits in the fonts of a folder, takes bad photographs of them, and
// lets the network learn the cells that the reader finds there. Given photos whose digits are known
// (package labelled has their format), it then lets the network learn their cells, too, as they are and
// with harms. The same fonts and photos give the same weights, bit by bit, on amd64.
//
// With -cross it also makes weights to measure how well photos are read that the network has not seen:
// for each of N parts of the photos, such that no Sudoku is in two, weights that learned the others.
//
// Debian has the fonts; MODELCARD.md lists the packages. -fonts reads all fonts in a folder and
// below, so that they need not be installed:
//
//	apt-get download fonts-lato fonts-open-sans …
//	for d in *.deb; do dpkg-deb -x $d fonts; done
//
// Reading the source: font.go has the digits of fonts, pen.go those that are written, page.go prints,
// camera.go photographs, cells.go cuts and distorts, learn.go trains.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/digit"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/lab/labelled"
)

// Options of the training. The defaults are those of the weights in the tree.
type options struct {
	fonts, photos, solved, base, output string
	cross, pages                        int
	steps, rounds, refine               int
	tune                                int
}

func main() {
	var o options
	flag.StringVar(&o.fonts, "fonts", "", "read the fonts in this `folder` and below")
	flag.StringVar(&o.photos, "photos", "", "learn from the labelled photos in this `folder`, too")
	flag.StringVar(&o.solved, "solved", "", "learn from the photos in this `folder`, too, in which the puzzles of the others are solved by hand")
	flag.StringVar(&o.base, "base", "", "instead of the first steps and rounds, begin with the weights in this `file`")
	flag.StringVar(&o.output, "output", "weights.bin", "write the weights to this `file`")
	flag.IntVar(&o.cross, "cross", 0, "make weights for measure -cross `N`, too")
	flag.IntVar(&o.pages, "pages", 1200, "print `N` pages")
	flag.IntVar(&o.steps, "steps", 5000, "learn from printed pages for `N` steps")
	flag.IntVar(&o.rounds, "rounds", 2, "learn from printed pages for `N` more rounds, with smaller changes")
	flag.IntVar(&o.refine, "refine", 3000, "take `N` steps in each of those")
	flag.IntVar(&o.tune, "tune", 800, "learn from printed pages and photos for `N` more steps")
	flag.Parse()
	if o.fonts == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: train -fonts FOLDER [-photos FOLDER [-solved FOLDER] [-cross N]] [-output FILE]")
		os.Exit(2)
	}
	t := &trainer{options: o, start: time.Now()}
	if err := t.run(); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

// A trainer goes through the stages of the training.
type trainer struct {
	options
	start   time.Time
	faces   *typefaces
	printed []cell   // the cells of printed pages
	cells   [][]cell // those of each photo
	weights digit.Weights
}

func (t *trainer) say(format string, args ...any) {
	fmt.Printf("%7.1fs  %s\n", time.Since(t.start).Seconds(), fmt.Sprintf(format, args...))
}

func (t *trainer) progress(step int, loss float64) { t.say("step %5d  loss %.4f", step, loss) }

func (t *trainer) run() error {
	var err error
	if t.faces, err = readTypefaces(t.fonts); err != nil {
		return err
	}
	printed, byHand, unknown := t.faces.printed, t.faces.byHand, t.faces.unknown
	if len(printed) == 0 || len(byHand) == 0 || len(unknown) == 0 {
		return fmt.Errorf("%q does not have all kinds of fonts: %d to print, %d to write, %d to write and not to learn", t.fonts, len(printed), len(byHand), len(unknown))
	}
	t.say("%d fonts to print, %d to write, %d to write and not to learn", len(printed), len(byHand), len(unknown))
	t.printed = synthesize(1, printed, byHand, t.pages)
	t.say("%d cells of %d pages", len(t.printed), t.pages)
	if err := t.learnPrinted(); err != nil {
		return err
	}
	t.say("cells of other pages:")
	fmt.Print(rates(t.weights, synthesize(5, printed, unknown, 1+t.pages/30)))
	if t.photos == "" {
		return t.save("", t.weights)
	}
	photos, err := labelled.Load(t.photos)
	if err == nil && t.solved != "" {
		var solved []labelled.Photo
		solved, err = labelled.LoadSolved(t.solved, t.photos)
		photos = append(photos, solved...)
	}
	if err != nil {
		return err
	}
	t.cells = make([][]cell, len(photos))
	var wg sync.WaitGroup
	for worker := range shards {
		wg.Go(func() {
			for i := worker; i < len(photos); i += shards {
				t.cells[i] = photographed(6, uint64(i), photos[i], t.faces.byHand)
			}
		})
	}
	wg.Wait()
	for part := range t.cross {
		t.say("part %d", part+1)
		w := t.tuned(func(i int) bool { return labelled.Part(photos[i].Grid, t.cross) != part })
		if err := t.save(fmt.Sprint(".part", part+1), w); err != nil {
			return err
		}
	}
	return t.save("", t.tuned(func(int) bool { return true }))
}

// save writes weights to the output, with an ending.
func (t *trainer) save(ending string, w digit.Weights) error {
	data := w.Encode()
	t.say("%s: sha256 %x", t.output+ending, sha256.Sum256(data))
	return os.WriteFile(t.output+ending, data, 0o666)
}

// learnPrinted makes the first weights.
func (t *trainer) learnPrinted() error {
	if t.base != "" {
		data, err := os.ReadFile(t.base)
		if err != nil {
			return err
		}
		t.weights, err = digit.Decode(data)
		return err
	}
	t.weights = initial(rand.New(rand.NewPCG(2, 0)))
	train(t.weights, t.steps, 2e-3, 3, mix(t.printed, nil, 0.15), t.progress)
	for round := range t.rounds {
		train(t.weights, t.refine, 1e-3, 7+uint64(round), mix(t.printed, nil, 0.05), t.progress)
	}
	return t.save(".pages", t.weights)
}

// tuned returns the weights after they learned from some of the photos.
func (t *trainer) tuned(learn func(i int) bool) digit.Weights {
	var cells []cell
	for i := range t.cells {
		if learn(i) {
			cells = append(cells, t.cells[i]...)
		}
	}
	t.say("%d cells of photos", len(cells))
	w := slices.Clone(t.weights)
	train(w, t.tune, 7e-4, 4, mix(t.printed, cells, 0.1), t.progress)
	return w
}

// mix returns a source of samples for train: cells of pages, for a part those with a handwritten digit
// alone, and for a part cells of photos.
func mix(pages, photographed []cell, byHand float64) source {
	var written []cell
	for _, c := range pages {
		if c.digit > digit.Handwritten {
			written = append(written, c)
		}
	}
	return func(random *rand.Rand, window *[digit.Side * digit.Side]float32) int {
		cells := pages
		switch {
		case len(photographed) > 0 && chance(random, 0.4):
			cells = photographed
		case len(written) > 0 && chance(random, byHand):
			cells = written
		}
		c := &cells[random.IntN(len(cells))]
		c.distort(random, window)
		return int(c.digit)
	}
}
