package tree_test

import (
	"fmt"
	"log"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/tree"
)

func Example() {
	code, err := ecmascript.Tree(datamodel.Condition, datamodel.Source{Text: "count < limit && _event.data.ok"})
	if err != nil {
		log.Fatal(err)
	}
	var show func(x tree.Expr, indent string)
	show = func(x tree.Expr, indent string) {
		fmt.Printf("%s%T at %d: %s\n", indent, x, x.Offset(), tree.Words(x))
		for _, child := range tree.Children(x) {
			show(child, indent+"  ")
		}
	}
	show(code.Expr, "")
	// Output:
	// *tree.Binary at 0: the operator &&
	//   *tree.Binary at 0: the operator <
	//     *tree.Name at 0: a variable
	//     *tree.Name at 8: a variable
	//   *tree.Member at 17: a property
	//     *tree.Member at 17: a property
	//       *tree.Name at 17: a variable
}
