package ecmascript_test

import (
	"context"
	"fmt"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
)

// What an engine does with the data model.
func Example() {
	lang := ecmascript.New()
	at := datamodel.Position{File: "chart.scxml", Line: 12, Col: 20}
	cond, err := lang.Compile(datamodel.Condition, datamodel.Source{Text: "_event.data.x < limit", Pos: at})
	if err != nil {
		fmt.Println(err)
	}
	bad, _ := lang.Compile(datamodel.ValueExpr, datamodel.Source{Text: "limit.of.nothing", Pos: at})

	store, err := lang.NewStore(newHost())
	if err != nil {
		fmt.Println(err)
	}
	store.Begin(context.Background())
	defer store.End()
	if err := store.Set("limit", int64(10)); err != nil {
		fmt.Println(err)
	}
	store.SetEvent(&datamodel.Event{Name: "tap", Data: datamodel.NewObject("x", int64(3))})
	fmt.Println(store.Condition(cond))

	_, err = store.Value(bad)
	fmt.Printf("%v: %v\n", err.(*datamodel.EvalError).Pos, err)
	// Output:
	// true <nil>
	// chart.scxml:12:29: TypeError: Cannot read property 'nothing' of undefined
}
