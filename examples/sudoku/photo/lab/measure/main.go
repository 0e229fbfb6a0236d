// Command measure reads a folder of photos whose Sudokus are known and counts the errors.
//
//	go run ./measure [-weights FILE [-cross N]] [-puzzles FOLDER] [-harms N] [-debug FOLDER] FOLDER
//
// For each picture there is a label with the ending .dat; package labelled describes it. With -puzzles
// the photos are solved by hand, and that folder says which of the digits are printed. With -cross each
// photo is read with the weights that train -cross made without its puzzle. With -harms shadow, glare,
// noise and so on are put over the photos.
//
// Each line before the table has the errors of a picture, as "r1c2 7→1→7?": the right digit, what the
// cell looks like, the digit in the end, then those by hand, and ? for a cell in doubt or ! for another.
// -debug saves a page with the photos that are not read without an error or a doubt, stage by stage.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/gallery"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/lab/labelled"
)

func main() {
	var o options
	flag.StringVar(&o.weights, "weights", "", "read the weights of the network from this `file`")
	flag.StringVar(&o.puzzles, "puzzles", "", "the photos are solved: this `folder` has the labels of their puzzles")
	flag.StringVar(&o.debug, "debug", "", "save a page with the errors in this `folder`")
	flag.IntVar(&o.cross, "cross", 0, "read each of `N` parts of the photos with the weights that train -cross made without it")
	flag.IntVar(&o.harms, "harms", 0, "put each harm over the photos `N` times, too")
	flag.Parse()
	if flag.NArg() != 1 || o.cross > 0 && o.weights == "" {
		fmt.Fprintln(os.Stderr, "usage: measure [-weights FILE [-cross N]] [-puzzles FOLDER] [-harms N] [-debug FOLDER] FOLDER")
		os.Exit(2)
	}
	if err := o.run(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

type options struct {
	weights, puzzles, debug string
	cross, harms            int
}

func (o *options) run(folder string) error {
	load := labelled.Load
	if o.puzzles != "" {
		load = func(folder string) ([]labelled.Photo, error) { return labelled.LoadSolved(folder, o.puzzles) }
	}
	photos, err := load(folder)
	if err != nil {
		return err
	}
	readers, err := o.readers()
	if err != nil {
		return err
	}
	readerOf := func(p *labelled.Photo) *photo.Reader { return readers[labelled.Part(p.Grid, len(readers))] }
	var report labelled.Report
	for i := range photos {
		report.Measure(readerOf(&photos[i]), &photos[i], os.Stdout)
	}
	fmt.Print(&report)
	if o.harms > 0 {
		fmt.Println(labelled.Head)
	}
	for k := 0; k < len(labelled.Harms) && o.harms > 0; k++ {
		harm, report := &labelled.Harms[k], labelled.Report{}
		for i, p := range photos {
			for seed := range o.harms {
				harmed := p
				harmed.Image = harm.Put(rand.New(rand.NewPCG(uint64(seed), uint64(i))), p.Image)
				report.Measure(readerOf(&p), &harmed, os.Stderr)
			}
		}
		fmt.Println(report.Line(harm.Name))
	}
	if o.debug == "" {
		return nil
	}
	return showErrors(readerOf, photos, &gallery.Page{Folder: o.debug})
}

// readers returns the reader of each part of the photos.
func (o *options) readers() (all []*photo.Reader, err error) {
	if o.weights == "" {
		return []*photo.Reader{photo.NewReader()}, nil
	}
	files := []string{o.weights}
	if o.cross > 0 {
		files = nil
		for part := range o.cross {
			files = append(files, fmt.Sprintf("%s.part%d", o.weights, part+1))
		}
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		reader, err := photo.NewReaderWeights(data)
		if err != nil {
			return nil, err
		}
		all = append(all, reader)
	}
	return all, nil
}

// showErrors adds the photos to a page that have a cell that is wrong or in doubt.
func showErrors(readerOf func(*labelled.Photo) *photo.Reader, photos []labelled.Photo, page *gallery.Page) error {
	for _, p := range photos {
		ctx, reader := context.Background(), readerOf(&p)
		reading, err := reader.Read(ctx, p.Image)
		e := &gallery.Entry{Name: p.Name, Err: err, Right: &p.Grid}
		if err == nil {
			if reading.Grid == p.Grid && reading.Doubt == [9][9]bool{} {
				continue
			}
			e.Readings = append(e.Readings, reading)
		}
		e.Stages, _ = reader.Stages(ctx, p.Image) // the error is that of Read
		if err := page.Add(e); err != nil {
			return err
		}
	}
	return nil
}
