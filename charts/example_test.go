package charts_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"

	"github.com/scxmlrun/scxmlrun/charts"
	"github.com/scxmlrun/scxmlrun/scxml"
)

func Example() {
	names, err := fs.Glob(charts.FS, "*.scxml")
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range names {
		chart, err := scxml.Load(charts.FS, name)
		if err != nil {
			log.Fatal(err) // every problem of the document, one per line
		}
		session, err := scxml.New(chart, scxml.WithMissing()) // without the services that make puzzles
		if err != nil {
			log.Fatal(err)
		}
		err = session.Start(context.Background())
		fmt.Println(chart.Name(), session.Configuration(), err)
	}
	// Output:
	// Sudoku [game board idle unsolved fresh clock clockOff helper silent maker resting host simple] <nil>
}
