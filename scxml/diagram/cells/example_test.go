package cells_test

import (
	"fmt"
	"log"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/diagram"
	"github.com/scxmlrun/scxmlrun/scxml/diagram/cells"
)

func Example() {
	chart, err := scxml.Parse("door.scxml", []byte(`<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <state id="closed"><transition event="push" target="open"/></state>
  <state id="open">
    <onentry><send event="close" delay="5s"/></onentry>
    <transition event="close" target="closed"/>
  </state>
</scxml>`))
	if err != nil {
		log.Fatal(err)
	}
	d := diagram.New(chart)
	active := func(n *diagram.Node) bool { return n.ID == "open" }
	for line := range cells.Tree(d, cells.Options{Active: active}).Lines() {
		fmt.Println(line)
	}
	for line := range cells.Boxes(d, cells.Options{Width: 40, Detail: cells.States}).Lines() {
		fmt.Println(line)
	}
	// Output:
	// door.scxml
	// ├→ closed
	// │     push → open
	// └─ ● open
	//       entry / send close after 5s
	//       close → closed
	// ╭─ door.scxml ──────────╮
	// │ ╭→ closed ╮ ╭─ open ╮ │
	// │ ╰─────────╯ ╰───────╯ │
	// ╰───────────────────────╯
}
