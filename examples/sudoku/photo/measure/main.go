// Command measure reads a folder of photos whose Sudokus are known and counts the errors.
//
//	go run ./examples/sudoku/photo/measure [-weights FILE] FOLDER
//
// For each picture there is a label with the ending .dat; package labelled describes it. Each line
// before the table has the errors of a picture, as "r1c2 7→1→7?": the right digit, what the cell
// looks like, the digit in the end, and ? for a cell in doubt.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo/labelled"
)

func main() {
	weights := flag.String("weights", "", "read the weights of the network from this `file`")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: measure [-weights FILE] FOLDER")
		os.Exit(2)
	}
	if err := run(*weights, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func run(weights, folder string) error {
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
	return nil
}
