// Command measure reads a folder of photos whose Sudokus are known and counts the errors.
//
//	go run ./measure [-weights FILE] [-debug FOLDER] FOLDER
//
// For each picture there is a label with the ending .dat; package labelled describes it. Each line
// before the table has the errors of a picture, as "r1c2 7→1→7?": the right digit, what the cell
// looks like, the digit in the end, and ? for a cell in doubt. -debug saves a page with the photos
// that are not read without an error or a doubt, stage by stage.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/gallery"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/lab/labelled"
)

func main() {
	weights := flag.String("weights", "", "read the weights of the network from this `file`")
	debug := flag.String("debug", "", "save a page with the errors in this `folder`")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: measure [-weights FILE] [-debug FOLDER] FOLDER")
		os.Exit(2)
	}
	if err := run(*weights, *debug, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func run(weights, debug, folder string) error {
	reader := photo.NewReader()
	if weights != "" {
		data, err := os.ReadFile(weights)
		if err != nil {
			return err
		}
		if reader, err = photo.NewReaderWeights(data); err != nil {
			return err
		}
	}
	photos, err := labelled.Load(folder)
	if err != nil {
		return err
	}
	var report labelled.Report
	report.Measure(reader, photos, os.Stdout)
	fmt.Print(&report)
	if debug == "" {
		return nil
	}
	return showErrors(reader, photos, &gallery.Page{Folder: debug})
}

// showErrors adds the photos to a page that have a cell that is wrong or in doubt.
func showErrors(reader *photo.Reader, photos []labelled.Photo, page *gallery.Page) error {
	for _, p := range photos {
		ctx := context.Background()
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
