// Command train makes the weights of the network that reads digits.
//
//	go run ./examples/sudoku/photo/train -fonts FOLDER -photos FOLDER [-cross N] [-output FILE]
//
// It prints pages with random digits in the fonts of a folder, takes bad photographs of them, and
// lets the network learn the cells that the reader finds there; then it adds the cells of real
// photos, whose digits are known (package labelled has their format). The same fonts and photos give
// the same weights, bit by bit, on amd64.
//
// With -cross it does not write weights, but measures how well photos are read that the network has
// not seen: it divides them into N parts, such that no Sudoku is in two of them, and reads each part
// with a network that was trained on the others.
//
// Debian has the fonts in the packages that MODELCARD.md lists. -fonts reads all fonts in a folder and below, so
// that they need not be installed:
//
//	apt-get download fonts-lato fonts-open-sans …
//	for d in *.deb; do dpkg-deb -x $d fonts; done
//
// Reading the source: font.go has the digits, page.go prints, camera.go photographs, cells.go cuts
// and distorts, learn.go trains.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/internal/digit"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/labelled"
)

// Options of the training. The defaults are those of the weights in the tree.
type options struct {
	fonts, photos, base, output string
	cross, pages, steps, tune   int
}

func main() {
	var o options
	flag.StringVar(&o.fonts, "fonts", "", "read the fonts in this `folder` and below")
	flag.StringVar(&o.photos, "photos", "", "read the labelled photos in this `folder`")
	flag.StringVar(&o.base, "base", "", "begin with the weights in this `file`, instead of printed pages alone")
	flag.StringVar(&o.output, "output", "weights.bin", "write the weights to this `file`")
	flag.IntVar(&o.cross, "cross", 0, "measure with the photos in `N` parts instead")
	flag.IntVar(&o.pages, "pages", 2000, "print `N` pages")
	flag.IntVar(&o.steps, "steps", 6000, "learn from printed pages for `N` steps")
	flag.IntVar(&o.tune, "tune", 2000, "learn from printed pages and photos for `N` more steps")
	flag.Parse()
	if o.fonts == "" || o.photos == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: train -fonts FOLDER -photos FOLDER [-cross N] [-output FILE]")
		os.Exit(2)
	}
	if err := run(&o); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(o *options) error {
	start := time.Now()
	say := func(format string, args ...any) {
		fmt.Printf("%7.1fs  "+format+"\n", append([]any{time.Since(start).Seconds()}, args...)...)
	}
	faces, err := typefaces(o.fonts)
	if err != nil {
		return err
	}
	if len(faces) == 0 {
		return fmt.Errorf("%q has no fonts", o.fonts)
	}
	photos, err := labelled.Load(o.photos)
	if err != nil {
		return err
	}
	say("%d fonts, %d photos", len(faces), len(photos))
	printed := synthesize(1, faces, o.pages)
	say("%d cells of %d pages", len(printed), o.pages)
	progress := func(step int, loss float64) { say("step %5d  loss %.4f", step, loss) }

	base := initial(rand.New(rand.NewPCG(2, 0)))
	if o.base == "" {
		train(base, o.steps, 2e-3, 3, mix(printed, nil), progress)
	} else if data, err := os.ReadFile(o.base); err != nil {
		return err
	} else if base, err = digit.Decode(data); err != nil {
		return err
	}
	tuned := func(photos []labelled.Photo) digit.Weights {
		w := append(digit.Weights(nil), base...)
		train(w, o.tune, 7e-4, 4, mix(printed, photographed(photos)), progress)
		return w
	}
	if o.cross == 0 {
		data := tuned(photos).Encode()
		say("sha256 %x", sha256.Sum256(data))
		return os.WriteFile(o.output, data, 0o644)
	}
	var report labelled.Report
	for part := range o.cross {
		learn, test := split(photos, o.cross, part)
		say("part %d: %d photos to learn, %d to read", part+1, len(learn), len(test))
		reader, err := photo.NewReaderWeights(tuned(learn).Encode())
		if err != nil {
			return err
		}
		report.Measure(reader, test, os.Stdout)
	}
	fmt.Print(&report)
	return nil
}

// split divides photos into those to learn and those to read. Photos of the same Sudoku stay
// together.
func split(photos []labelled.Photo, parts, part int) (learn, test []labelled.Photo) {
	number := map[string]int{}
	for _, p := range photos {
		key := p.Grid.String()
		if _, ok := number[key]; !ok {
			number[key] = len(number)
		}
		if number[key]%parts == part {
			test = append(test, p)
		} else {
			learn = append(learn, p)
		}
	}
	return learn, test
}

// mix returns a source of samples for train: cells that are printed, and for a part those of photos.
func mix(printed, photographed []cell) source {
	return func(random *rand.Rand, window *[digit.Side * digit.Side]float32) int {
		cells := printed
		if len(photographed) > 0 && chance(random, 0.35) {
			cells = photographed
		}
		c := &cells[random.IntN(len(cells))]
		c.distort(random, window)
		return int(c.digit)
	}
}
