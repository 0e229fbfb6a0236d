package datamodel_test

import (
	"fmt"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

func Example() {
	v, err := datamodel.From(map[string]any{"item": "tea", "price": 3})
	fmt.Println(datamodel.Text(v), err)

	line := datamodel.AppendJSON(nil, v)
	again, err := datamodel.ParseJSON(line)
	fmt.Println(string(line), datamodel.Equal(v, again), err)

	var order struct {
		Item  string
		Price int
	}
	err = datamodel.Decode(again, &order)
	fmt.Println(order.Item, order.Price, err)
	// Output:
	// {"item":"tea","price":3} <nil>
	// {"item":"tea","price":3} true <nil>
	// tea 3 <nil>
}

func ExampleFrom() {
	type tap struct {
		X    int    `json:"x"`
		Y    int    `json:"y"`
		Note string `json:"note,omitempty"`
	}
	v, err := datamodel.From([]tap{{X: 1, Y: 2}, {X: 3, Note: "twice"}})
	fmt.Println(datamodel.Text(v), err)

	_, err = datamodel.From(map[string]any{"grid": []any{1, func() {}}})
	fmt.Println(err)
	// Output:
	// [{"x":1,"y":2},{"x":3,"y":0,"note":"twice"}] <nil>
	// at grid[1]: cannot use a func() as data
}

func ExampleDecode() {
	v, _ := datamodel.ParseJSON([]byte(`{"grid":[[5,3],[6,0]],"level":"easy"}`))
	var game struct {
		Grid  [2][2]int
		Level string
	}
	err := datamodel.Decode(v, &game)
	fmt.Println(game.Grid, game.Level, err)

	var cells []struct{ X int }
	v, _ = datamodel.ParseJSON([]byte(`[{"X":1},{"X":1.5}]`))
	fmt.Println(datamodel.Decode(v, &cells))
	// Output:
	// [[5 3] [6 0]] easy <nil>
	// at [1].X: cannot put 1.5 into int
}

func ExampleAppendJSON() {
	v := datamodel.NewObject("a", nil, "b", datamodel.Null, "$c", []datamodel.Value{int64(1), "x"})
	fmt.Println(string(datamodel.AppendJSON(nil, v)))
	// Output:
	// {"a":{"$undefined":true},"b":null,"$$c":[1,"x"]}
}

func ExampleNode_XML() {
	n, err := datamodel.ParseXML(`<books><book title="SCXML">1 &lt; 2</book></books>`)
	fmt.Println(n.Children[0].XML(), err)
	// Output:
	// <book title="SCXML">1 &lt; 2</book> <nil>
}
