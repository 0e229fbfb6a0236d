package editor_test

import (
	"encoding/json"
	"fmt"
	"log"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/editor"
)

const broken = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="idle">
    <transition event="coin" target="redy"/>
  </state>
  <state id="ready">
    <transition event="push" target="`

func Example() {
	d := editor.Analyse("turnstile.scxml", broken, editor.Options{})
	for _, item := range d.Complete(len(broken)).Items {
		fmt.Println(item.Label, "-", item.Detail)
	}

	d = d.Change(broken + `idle"/></state></scxml>`)
	for _, p := range d.Problems() {
		fmt.Println(p.Message)
		for _, fix := range p.Fixes {
			fmt.Println(fix.Title, "at", d.LineAt(fix.Edits[0].Span.Start)+1)
		}
	}

	edits, err := d.Rename(strings.Index(d.Text(), "idle"), "locked")
	fmt.Println(len(edits), "places change,", err)
	_, err = d.Rename(strings.Index(d.Text(), "coin"), "token")
	fmt.Println(err)
	// Output:
	// idle - state
	// ready - state
	// state "idle": target "redy" not found (did you mean "ready"?)
	// write "ready" at 3
	// 2 places change, <nil>
	// "coin" comes from outside of this document, where it cannot be renamed
}

func ExampleDocument_Operate() {
	d := editor.Analyse("lamp.scxml", `<scxml version="1.0" xmlns="http://www.w3.org/2005/07/scxml">
  <!-- dark -->
  <state id="off"/>
</scxml>
`, editor.Options{})
	for _, text := range []string{
		`{"op":"add-state-beside","state":"off","id":"on"}`,
		`{"op":"add-transition","from":"off","event":"press","to":"on"}`,
		`{"op":"set-target","transition":"off/1","to":"onn"}`,
	} {
		var op editor.Operation
		if err := json.Unmarshal([]byte(text), &op); err != nil {
			log.Fatal(err)
		}
		after, _, err := d.Operate(op)
		if err != nil {
			fmt.Println(err)
			break
		}
		d = after
	}
	fmt.Print(d.Text())
	// Output:
	// set-target: to: "onn" is not a state (did you mean "on"?)
	// <scxml version="1.0" xmlns="http://www.w3.org/2005/07/scxml">
	//   <!-- dark -->
	//   <state id="off">
	//     <transition event="press" target="on"/>
	//   </state>
	//   <state id="on"/>
	// </scxml>
}
