package js_test

import (
	"fmt"
	"log"

	"github.com/scxmlrun/scxmlrun/scxml/machine/js"
)

// Data of Go, as compiled charts take and give them.
func Example() {
	v, err := js.From(js.Fields{{Name: "item", Value: "tea"}, {Name: "price", Value: 3}, {Name: "note", Value: js.Null}})
	if err != nil {
		log.Fatal(err)
	}
	for _, key := range js.Keys(v) {
		fmt.Println(key, js.Get(v, key).TypeOf(), js.Get(v, key).ToText())
	}
	_, err = js.From(make(chan int))
	fmt.Println(err)
	// Output:
	// item string tea
	// price number 3
	// note object null
	// the data are a chan int, which a compiled chart cannot hold
}
